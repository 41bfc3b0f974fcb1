import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { cases, isLong } from '../../support/environment.js';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { analyse, suggest, type Suggestions } from '../../../workers/analysis/index.js';
import { outcomeOf } from '../../../workers/analysis/witness.js';
import { compile, createSandbox, stringify, type Program, type Value } from '../../../workers/engine/index.js';
import { readSuite, type GraphFile } from '../../conformance/suite.js';
import { resolverOf, type Resolve } from '../../conformance/ways.js';

const folder = process.env['ZEN_SUITE'] ?? path.join(projectRoot, '../shared/zen-suite');
const graphs = existsSync(path.join(folder, 'graphs')) ? readSuite(folder).graphs : [];

interface TableDocument {
  readonly id: string;
  readonly content: {
    readonly inputs: readonly { readonly id: string }[];
    readonly outputs: readonly { readonly id: string }[];
    readonly rules: Record<string, string>[];
  };
}

interface Judged {
  readonly graph: GraphFile;
  readonly program: Program;
  readonly suggestions: Suggestions;
}

const tablesOf = ({ model }: GraphFile): TableDocument[] =>
  (model as { nodes: (TableDocument & { type: string })[] }).nodes.filter(({ type }) => type === 'decisionTableNode');

/** Another value in a cell: the next number, another text, the other truth. */
function mutated(cell: string): string | undefined {
  if (cell === 'true' || cell === 'false') return String(cell === 'false');
  if (/^(['"])[^'"]*\1$/.test(cell)) return `${cell.slice(0, -1)}x${cell.slice(-1)}`;
  return /\d/.test(cell) ? cell.replace(/\d+(\.\d+)?/, (number) => String(Number(number) + 1)) : undefined;
}

/** Numbers, always the same ones. */
function sequence(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The facts of a model's own tests, and others that have constants of the model in two fields. */
function factsOf({ model, tests }: GraphFile): Value[] {
  const random = sequence();
  const text = JSON.stringify((model as { nodes: object[] }).nodes);
  const texts = [...text.matchAll(/'([^'\\]{1,40})'|\\"([^\\"]{1,40})\\"/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  const numbers = [...text.matchAll(/\b\d+(?:\.\d+)?\b/g)].map(([number]) => Number(number));
  const other = (value: unknown): unknown => {
    if (typeof value === 'number') return (numbers[random(numbers.length)] ?? 0) + random(3) - 1;
    if (typeof value === 'string') return texts[random(texts.length)] ?? value;
    return typeof value === 'boolean' ? random(2) === 0 : value;
  };
  const changed = (value: unknown, share: number): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => changed(item, share));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changed(item, share)]));
    return random(share) === 0 ? other(value) : value;
  };
  const inputs = tests.map(({ input }) => input);
  if (inputs.length === 0) return [];
  return [...inputs, ...Array.from({ length: cases(250) }, (_, at) => changed(inputs[at % inputs.length], 4) as Value)];
}

const resultOf = async (program: Program, fact: Value): Promise<string> => {
  const outcome = await outcomeOf(program, fact, noDeadline);
  return outcome.status === 'COMPLETED' ? stringify(outcome.result) : 'failed';
};

/** How many changed cells the facts notice, and how many of those the suggested tests notice. */
async function noticedCells({ graph, program, suggestions }: Judged, resolve: Resolve) {
  const facts = factsOf(graph);
  const expected = await Promise.all(facts.map((fact) => resultOf(program, fact)));
  const open = new Set([...suggestions.unknown, ...suggestions.unreachable].map((each) => JSON.stringify(each)));
  let [byAny, byTests] = [0, 0];
  const sandbox = createSandbox();
  for (const { id: nodeId, content } of tablesOf(graph)) {
    for (const [index, rule] of content.rules.entries()) {
      if (open.has(JSON.stringify({ nodeId, ruleId: rule['_id'] ?? String(index) }))) continue;
      for (const { id } of [...content.inputs, ...content.outputs]) {
        const cell = rule[id]?.trim() ?? '';
        const changed = mutated(cell);
        if (changed === undefined) continue;
        rule[id] = changed;
        const mutant = compile(graph.model, { resolve, sandbox });
        rule[id] = cell;
        const seenBy = async (inputs: readonly Value[], results: readonly string[]): Promise<boolean> => {
          for (const [at, input] of inputs.entries()) if ((await resultOf(mutant, input)) !== results[at]) return true;
          return false;
        };
        const { tests } = suggestions;
        const isNoticed = await seenBy(
          tests.map(({ input }) => input),
          tests.map(({ output }) => stringify(output)),
        );
        if (isNoticed) byTests++;
        if (isNoticed || (await seenBy(facts, expected))) byAny++;
      }
    }
  }
  return { byAny, byTests };
}

describe('proofs of the public models', function () {
  const resolve = resolverOf(graphs);
  const judged: Judged[] = [];
  const decided = { rows: 0, unknown: 0 };

  before(async function () {
    if (graphs.length === 0) this.skip();
    // In the short form every sixth one.
    for (const graph of graphs.filter((_, at) => isLong || at % 6 === 0)) {
      let program: Program | undefined;
      try {
        program = resolve(graph.key);
      } catch {
        continue;
      }
      if (program === undefined) continue;
      const version = { document: graph.model, program, linked: '' };
      const { report, unconfirmed } = await analyse({ version, until: Infinity });
      expect(unconfirmed, graph.name).to.equal(0);
      const tables = new Set(report.tables.map(({ nodeId }) => nodeId));
      const rows = report.reach.elements.filter(({ nodeId }) => tables.has(nodeId));
      decided.rows += rows.length;
      decided.unknown += rows.filter(({ status }) => status === 'unknown').length;
      const { report: suggestions } = await suggest({ version, until: Infinity });
      judged.push({ graph, program, suggestions });
    }
  });

  it('decide of nine rows in ten and more whether any fact reaches them', () => {
    expect(decided.rows).to.be.greaterThan(isLong ? 500 : 75);
    expect(1 - decided.unknown / decided.rows).to.be.at.least(0.9);
  });

  it('suggest tests for every row that is reached, at most three for two of them, which pass', async () => {
    for (const { graph, program, suggestions } of judged) {
      const { tests, unreachable, unknown } = suggestions;
      const reaches = tests.flatMap((test) => test.reaches);
      const rows = tablesOf(graph).flatMap(({ content }) => content.rules).length;
      expect(tests.length, graph.name).to.be.at.most(1.5 * Math.max(1, reaches.length));
      expect(new Set([...reaches, ...unreachable, ...unknown].map((each) => JSON.stringify(each))).size).to.be.at.least(
        rows,
      );
      // Each says what it is about, also of a fact in which nothing is; those of boundaries are counted by themselves.
      for (const { name } of tests) expect(name, graph.name).to.match(/: ./);
      const numbers = tests.flatMap(({ name }) => /^Boundary (\d+)/.exec(name)?.[1] ?? []);
      expect(numbers, graph.name).to.deep.equal(numbers.map((_, at) => String(at + 1)));
      for (const { input, output } of tests) expect(await resultOf(program, input)).to.equal(stringify(output));
    }
  });

  it('suggest tests that notice 95 of 100 changed cells, of those that hundreds of facts notice', async () => {
    let [byAny, byTests] = [0, 0];
    for (const each of judged) {
      const seen = await noticedCells(each, resolve);
      byAny += seen.byAny;
      byTests += seen.byTests;
    }
    expect(byAny).to.be.greaterThan(isLong ? 1000 : 150);
    expect(byTests / byAny, `${byTests} of ${byAny}`).to.be.at.least(0.95);
  });
});
