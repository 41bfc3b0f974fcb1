import { expect } from 'chai';
import fc from 'fast-check';
import { analyse } from '../../../workers/analysis/index.js';
import { examineGraph, statementKey } from '../../../workers/analysis/examinedGraph.js';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import type { Analysis } from '../../../workers/analysis/report.js';
import { elementsIn, rowElement, statementElement } from '../../../workers/analysis/search.js';
import { runOn } from '../../../workers/analysis/witness.js';
import { compile, type Value } from '../../../workers/engine/index.js';
import { cases } from '../../support/environment.js';

interface GraphNode {
  readonly id: string;
  readonly type: string;
  readonly content: object;
}

/** A table; a row is its input cells and its output cells. */
const table = (
  id: string,
  [inputs, outputs]: readonly [readonly string[], readonly string[]],
  rows: readonly (readonly string[])[],
  more: object = { passThrough: true },
): GraphNode => ({
  id,
  type: 'decisionTableNode',
  content: {
    hitPolicy: 'first',
    inputs: inputs.map((field, at) => ({ id: `i${at}`, name: field, field })),
    outputs: outputs.map((field, at) => ({ id: `o${at}`, name: field, field })),
    rules: rows.map((cells, index) => ({
      _id: `${id}${index + 1}`,
      ...Object.fromEntries(inputs.map((_, at) => [`i${at}`, cells[at] ?? ''])),
      ...Object.fromEntries(outputs.map((_, at) => [`o${at}`, cells[inputs.length + at] ?? ''])),
    })),
    ...more,
  },
});

/** Columns as `read -> written`, and rows of cells, such as `> 1 | 'a' ; | 'b'`. */
const columnsOf = (head: string): readonly [readonly string[], readonly string[]] => {
  const [inputs = [], outputs = []] = head.split(' -> ').map((names) => names.split(' '));
  return [inputs, outputs];
};
const sheet = (id: string, head: string, rows: string, more?: object): GraphNode => {
  const cells = rows.split(';').map((row) => row.split('|').map((cell) => cell.trim()));
  return table(id, columnsOf(head), cells, more);
};

const expression = (id: string, entries: Readonly<Record<string, string>>, more: object = {}): GraphNode => ({
  id,
  type: 'expressionNode',
  content: { expressions: Object.entries(entries).map(([key, value]) => ({ id: key, key, value })), ...more },
});

const branching = (id: string, conditions: readonly string[], hitPolicy = 'first'): GraphNode => ({
  id,
  type: 'switchNode',
  content: { hitPolicy, statements: conditions.map((condition, at) => ({ id: `${id}${at + 1}`, condition })) },
});

/** Edges are `a>b`, or `a:statement>b`. */
function model(nodes: readonly GraphNode[], edges: readonly string[]): object {
  const input = { id: 'in', type: 'inputNode', name: 'in', content: {} };
  return {
    nodes: [input, ...nodes.map((node) => ({ name: node.id, ...node }))],
    edges: edges.map((edge, index) => {
      const [, sourceId, sourceHandle, targetId] = /^(\w+)(?::(\w+))?>(\w+)$/.exec(edge) ?? [];
      return { id: `e${index}`, sourceId, targetId, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
    }),
  };
}

const programOf = (document: object) => compile(document, { resolve: () => undefined });

async function analysed(document: object): Promise<Analysis> {
  const version = { document, program: programOf(document), linked: '' };
  const { report, unconfirmed } = await analyse({ version, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report;
}

const unreachable = ({ reach }: Analysis): string[] =>
  reach.elements.filter(({ status }) => status === 'unreachable').map(({ ruleId }) => ruleId);
const told = ({ tables }: Analysis): (string | undefined)[] =>
  tables.flatMap(({ findings }) => findings.map(({ kind, message }) => `${kind}: ${message}`));

const tiers = sheet('tier', 'amount -> tier', "> 1000 | 'gold' ; | 'silver'");
const rates = sheet('rate', 'tier -> rate', "'gold' | 1 ; 'silver' | 2 ; 'bronze' | 3");

describe('what is proved through a graph', () => {
  it('rows that no value of a table before takes are not reached, and there is no gap beside those values', async () => {
    const report = await analysed(model([tiers, rates], ['in>tier', 'tier>rate']));
    expect(unreachable(report)).to.deep.equal(['rate3']);
    expect(told(report)).to.deep.equal([]);
    expect(report.reach).to.deep.include({ reachable: 4, unreachable: 1, unknown: 0 });
  });

  it('a field that the request may have is not bounded by a table that may leave it', async () => {
    const some = sheet('tier', 'amount -> tier', "> 1000 | 'gold'");
    const report = await analysed(model([some, rates], ['in>tier', 'tier>rate']));
    expect(unreachable(report)).to.deep.equal([]);
    const alone = sheet('tier', 'amount -> tier', "> 1000 | 'gold'", {});
    expect(unreachable(await analysed(model([alone, rates], ['in>tier', 'tier>rate'])))).to.deep.equal([
      'rate2',
      'rate3',
    ]);
  });

  it('conditions of a switch bound what comes after it, those before a statement too', async () => {
    const way = branching('way', ['amount > 1000', 'amount > 100', 'amount > 5000', '']);
    const fees = ['big', 'mid', 'low'].map((id) => sheet(id, 'amount -> fee', '< 500 | 1 ; >= 500 | 2 ; > 2000 | 3'));
    const edges = ['in>way', 'way:way1>big', 'way:way2>mid', 'way:way3>low'];
    const report = await analysed(model([way, ...fees], edges));
    expect(unreachable(report)).to.have.members(['big1', 'big3', 'mid3', 'low1', 'low2', 'low3', 'way3']);
    expect(report.reach).to.deep.include({ unknown: 0 });
  });

  it('expressions carry constants, choices, and what follows from one field', async () => {
    const set = expression('set', { level: 'level == 1 ? 10 : 20', double: 'known * 2', label: "level ?? 'none'" });
    const known = sheet('known', 'x -> known', '> 0 | 3 ; | 4');
    const asked = sheet('ask', 'level double -> r', '10 | 6 | 1 ; 20 || 2 ; 30 || 3 ; | 7 | 4 ; || 5');
    const report = await analysed(model([known, set, asked], ['in>known', 'known>set', 'set>ask']));
    expect(unreachable(report)).to.deep.equal(['ask3', 'ask4']);
  });

  it('numbers of 28 digits are carried with each of them', async () => {
    const low = '0.1234567890123456789012345678';
    const high = '0.1234567890123456789012345679';
    const first = sheet('first', 'x -> n', `> 0 | ${low} ; | ${high}`);
    const then = sheet('then', 'n -> r', `${low} | 1 ; > ${low} | 2 ; | 3`);
    const report = await analysed(model([first, then], ['in>first', 'first>then']));
    expect(unreachable(report)).to.deep.equal(['then3']);
    expect(report.reach).to.deep.include({ reachable: 4 });
  });

  const cell = fc.constantFrom('', "'a'", "'b'", "'c'", '1', '2', '> 1', '< 2', '== null', 'true', "not in ['a']");
  const output = fc.constantFrom(..."'a';'b';1;2;;null;x;y;x ?? 'c';true;y + 1;x.z;[1]".split(';'));
  const rows = fc.array(fc.tuple(cell, cell, output, output), { maxLength: 4 });
  const transform = fc.record(
    {
      passThrough: fc.boolean(),
      outputPath: fc.constantFrom('', 'x', 'sub'),
      inputField: fc.constantFrom('', '', 'sub'),
      hitPolicy: fc.constantFrom('first', 'first', 'first', 'collect'),
    },
    { requiredKeys: [] },
  );
  const heads = ['x y -> x y', 'y sub.x -> z sub.x', 'x sub -> sub.y x', 'sub.x z -> y z'];
  const columns = fc.constantFrom(...heads.map(columnsOf));
  const condition = fc.constantFrom(...";x == 'a';y > 1;x == 'a' and y == 2;sub.x == 1;z;y + 1 > 2;x == y".split(';'));
  const nodeOf = (id: string): fc.Arbitrary<GraphNode> =>
    fc.oneof(
      fc.tuple(columns, rows, transform).map(([names, cells, more]) => table(id, names, cells, more)),
      fc.tuple(output, output, transform).map(([x, y, more]) => expression(id, { x, 'sub.y': y }, more)),
      fc
        .tuple(fc.array(condition, { minLength: 1, maxLength: 3 }), fc.constantFrom('first', 'collect'))
        .map(([conditions, hitPolicy]) => branching(id, conditions, hitPolicy)),
    );
  const ids = ['a', 'b', 'c', 'd'];
  const graphs = fc
    .tuple(fc.tuple(...ids.map(nodeOf)), fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }))
    .map(([nodes, chances]) => {
      const all = ['in', ...ids];
      const edges = ids.flatMap((target, at) =>
        all.slice(0, at + 1).flatMap((source, from) => {
          const chance = chances[(at * 3 + from) % 12] ?? 0;
          if (from !== at && chance > 30) return [];
          const node = nodes.find(({ id }) => id === source);
          return [
            node?.type === 'switchNode' ? `${source}:${source}${1 + (chance % 3)}>${target}` : `${source}>${target}`,
          ];
        }),
      );
      return model(nodes, edges);
    });
  const value = fc.constantFrom<Value[]>('a', 'b', 'c', 1, 2, 3, 1.5, null, true, [1]);
  const object = fc.record({ x: value, y: value, z: value }, { requiredKeys: [] });
  const fact = fc.record(
    { x: fc.oneof(value, object), y: value, z: value, sub: fc.oneof(object, value) },
    { requiredKeys: [] },
  );

  it('is never contradicted by a run of a random graph on a random fact', async () => {
    let dead = 0;
    await fc.assert(
      fc.asyncProperty(graphs, fc.array(fact, { minLength: 30, maxLength: 30 }), async (document, facts) => {
        const { tables, closed } = examineGraph(document, noDeadline);
        const never = new Set(
          tables.flatMap(({ node, found }) => [...found.unreachable].map((row) => rowElement(node.id, row))),
        );
        for (const id of ids)
          for (const at of [1, 2, 3])
            if (closed.has(statementKey(id, `${id}${at}`))) never.add(statementElement(id, `${id}${at}`));
        dead += never.size;
        const program = programOf(document);
        for (const each of facts) {
          const seen = await runOn(program, each, noDeadline);
          const wrong = elementsIn(seen?.trace ?? {}).filter((element) => never.has(element));
          expect(wrong, JSON.stringify([document, each])).to.deep.equal([]);
        }
      }),
      { numRuns: cases(300) },
    );
    expect(dead).to.be.greaterThan(cases(300) / 5);
  });
});
