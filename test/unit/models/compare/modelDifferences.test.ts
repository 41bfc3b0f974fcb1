import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ModelDifferences } from '../../../../workers/models/compare/itemDifferences.js';
import { compareModels } from '../../../../workers/models/compare/modelDifferences.js';
import { compareLists } from '../../../../workers/models/compare/listDifferences.js';
import { changedFields, type ChangedField } from '../../../../workers/models/compare/changes.js';
import { formatJson, parseExactly } from '../../../../workers/json/index.js';
import { cases } from '../../../support/environment.js';

type Json = Record<string, unknown>;

const column = { id: 'age', field: 'age', name: 'Age', type: 'expression' };
const table = (rules: readonly Json[], more: Json = {}): Json => ({
  id: 'fees',
  type: 'decisionTableNode',
  name: 'Fees',
  position: { x: 0, y: 0 },
  content: { hitPolicy: 'first', inputs: [column], outputs: [{ id: 'fee', field: 'fee', name: 'Fee' }], rules },
  ...more,
});
const row = (number: number, fee = String(number)): Json => ({ _id: `r${number}`, age: `> ${number}`, fee });
const model = (...nodes: readonly Json[]): Json => ({ nodes, edges: [] });
const none = { nodes: [], edges: [], rows: [] };

describe('differences of two models', () => {
  it('are none between equal ones, whatever the order of names', () => {
    expect(compareModels(model(table([row(1)])), model(table([row(1)])))).to.deep.equal(none);
    expect(compareModels({ a: 1, nodes: [], edges: [] }, { edges: [], nodes: [], a: 1 })).to.deep.equal(none);
  });

  it('are one row where a row was put in at the top', () => {
    const rows = [row(1), row(2), row(3)];
    expect(compareModels(model(table(rows)), model(table([row(9), ...rows])))).to.deep.equal({
      ...none,
      rows: [
        {
          nodeId: 'fees',
          ruleId: 'r9',
          change: 'added',
          position: { from: null, to: 0 },
          cells: [
            { column: 'age', after: '> 9' },
            { column: 'fee', after: '9' },
          ],
        },
      ],
    });
  });

  it('tell a row without an id that changed from one that came or went', () => {
    const bare = (number: number, fee?: string): Json => ({ age: row(number).age, fee: row(number, fee).fee });
    const before = [bare(1), bare(2), bare(3)];
    const changesTo = (...after: readonly Json[]): unknown =>
      compareModels(model(table(before)), model(table(after))).rows.map(({ change, cells }) => [change, cells.length]);
    expect(changesTo(bare(1), bare(2, 'x'), bare(3))).to.deep.equal([['changed', 1]]);
    expect(changesTo(bare(1, 'x'), bare(2), bare(3, 'y'))).to.deep.equal([
      ['changed', 1],
      ['changed', 1],
    ]);
    expect(changesTo(bare(1), bare(3))).to.deep.equal([['removed', 2]]);
    expect(changesTo(bare(1), bare(2), bare(9), bare(3))).to.deep.equal([['added', 2]]);
  });

  it('tell of a row its cells, of one that was removed what it held, and one that went elsewhere as moved', () => {
    const before = [row(1), row(2), row(3), row(4), row(5)];
    const after = [row(2, 'x'), row(3), row(5), row(1)];
    expect(compareModels(model(table(before)), model(table(after))).rows).to.deep.equal([
      {
        nodeId: 'fees',
        ruleId: 'r2',
        change: 'changed',
        position: { from: 1, to: 0 },
        cells: [{ column: 'fee', before: '2', after: 'x' }],
      },
      { nodeId: 'fees', ruleId: 'r1', change: 'moved', position: { from: 0, to: 3 }, cells: [] },
      {
        nodeId: 'fees',
        ruleId: 'r4',
        change: 'removed',
        position: { from: 3, to: null },
        cells: [
          { column: 'age', before: '> 4' },
          { column: 'fee', before: '4' },
        ],
      },
    ]);
  });

  it('tell of a row that changed whether it went elsewhere, too', () => {
    const after = [row(3, 'x'), row(1, 'y'), row(2)];
    const { rows } = compareModels(model(table([row(1), row(2), row(3)])), model(table(after)));
    expect(rows.map(({ ruleId, change, moved }) => [ruleId, change, moved])).to.deep.equal([
      ['r3', 'changed', true],
      ['r1', 'changed', undefined],
    ]);
  });

  it('keep a new place on the canvas apart from what changes results', () => {
    const moved = table([], { position: { x: 5, y: 0 } });
    const both = table([], { position: { x: 5, y: 0 }, name: 'Rates' });
    const about = { id: 'fees', name: 'Fees', type: 'decisionTableNode', position: { from: 0, to: 0 } };
    const place = { pointer: '/position/x', before: 0, after: 5 };
    const [first] = compareModels(model(table([])), model(moved)).nodes;
    expect(first).to.deep.equal({ ...about, change: 'moved', fields: [place] });
    const [second] = compareModels(model(table([])), model(both)).nodes;
    const name = { pointer: '/name', before: 'Fees', after: 'Rates' };
    expect(second).to.deep.equal({ ...about, name: 'Rates', change: 'changed', fields: [name, place] });
  });

  it('see the last digit of a long number, and none between two ways to write one', () => {
    const tests = (amount: string): unknown => parseExactly(`{"nodes":[],"edges":[],"tests":[${amount}]}`);
    expect(compareModels(tests('1e22'), tests('10000000000000000000000'))).to.deep.equal(none);
    const { fields } = compareModels(tests('12345678901234567890'), tests('12345678901234567891'));
    expect(formatJson(fields)).to.equal(
      '[{"pointer":"/tests","before":[12345678901234567890],"after":[12345678901234567891]}]',
    );
  });

  it('of names like __proto__ are told and pollute nothing', () => {
    const [before, after] = ['{"__proto__":1}', '{"__proto__":2}'].map((text) => JSON.parse(text) as Json);
    expect(changedFields(before, after)).to.deep.equal([{ pointer: '/__proto__', before: 1, after: 2 }]);
    expect(Object.prototype).to.not.have.property('before');
  });

  it('put into the first model make the second', () => {
    const value = fc.oneof(fc.constantFrom('a', 'b', ''), fc.integer({ max: 3 }), fc.constant(null), fc.boolean());
    const id = fc.constantFrom('1', '2', '3', '4', '5');
    const rule = fc.record(
      { _id: fc.oneof(id, fc.nat(2)), age: value, fee: value, 'a/b~': value },
      { requiredKeys: [] },
    );
    const list = fc.array(fc.record({ id, value }, { requiredKeys: [] }), { maxLength: 3 });
    const content = fc.record(
      { rules: fc.array(rule, { maxLength: 6 }), list, hitPolicy: value },
      { requiredKeys: [] },
    );
    const type = fc.constantFrom('decisionTableNode', 'expressionNode');
    const position = fc.record({ x: fc.nat(2) });
    const node = fc.record({ id, type, name: value, content, position }, { requiredKeys: [] });
    const edge = fc.record({ id, sourceId: id, targetId: id, sourceHandle: id }, { requiredKeys: [] });
    const any = fc.record(
      { nodes: fc.array(node, { maxLength: 6 }), edges: fc.array(edge, { maxLength: 6 }), tests: fc.array(value) },
      { requiredKeys: ['nodes', 'edges'] },
    );
    fc.assert(
      fc.property(any, any, (from, to) => {
        const differences = compareModels(from, to);
        expect(apply(from, JSON.parse(JSON.stringify(differences)) as ModelDifferences)).to.deep.equal(to);
        expect(compareModels(from, from)).to.deep.equal(none);
      }),
      { numRuns: cases(300) },
    );
  });

  it('compare each item of a list once, however many there are and wherever they went', () => {
    const before = Array.from({ length: 3000 }, (_, number) => ({ id: String((number * 7) % 3000) }));
    const after = [{ id: 'new' }, ...before.slice(1000), ...before.slice(0, 1000)];
    let compared = 0;
    const changes = compareLists(before, after, {
      idOf: (item) => (item as { id: string }).id,
      isSame: () => ++compared > 0,
    });
    expect(compared).to.equal(3000);
    expect(changes.map(({ change }) => change)).to.deep.equal(['added', ...Array<string>(1000).fill('moved')]);
  });
});

/** The model after the differences, by what is documented of them. */
function apply(from: Json, { nodes, edges, rows, fields = [] }: ModelDifferences): unknown {
  const rebuilt = (before: readonly Json[], changes: ModelDifferences['nodes' | 'edges']): Json[] =>
    reordered(
      before,
      changes.map(({ position, fields: changed }) => ({
        position,
        item:
          position.to === null ? {} : (patched(position.from === null ? {} : before[position.from], changed) as Json),
      })),
    );
  const original = from as { nodes: Json[]; edges: Json[] };
  const withRows = original.nodes.map((node) => {
    const own = rows.filter(({ nodeId }) => nodeId === node.id && isFirst(original.nodes, node));
    if (own.length === 0) return node;
    const content = node.content as { rules: Json[] };
    const changes = own.map(({ position, cells, ruleId }) => {
      const item = new Map(Object.entries(position.from === null ? {} : content.rules[position.from]!));
      if (ruleId !== null) item.set('_id', ruleId);
      for (const cell of cells) {
        if ('after' in cell) item.set(cell.column, cell.after);
        else item.delete(cell.column);
      }
      return { position, item: Object.fromEntries(item) };
    });
    return { ...node, content: { ...content, rules: reordered(content.rules, changes) } };
  });
  const model = { ...original, nodes: rebuilt(withRows, nodes), edges: rebuilt(original.edges, edges) };
  return patched(model, fields);
}

const isFirst = (nodes: readonly Json[], node: Json): boolean => nodes.find(({ id }) => id === node.id) === node;

interface Placed {
  readonly position: { readonly from: number | null; readonly to: number | null };
  readonly item: Json;
}

function reordered(before: readonly Json[], changes: readonly Placed[]): Json[] {
  const taken = new Set(changes.map(({ position }) => position.from));
  const list = before.filter((_, index) => !taken.has(index));
  const put = changes.filter(({ position }) => position.to !== null);
  put.sort((a, b) => (a.position.to ?? 0) - (b.position.to ?? 0));
  for (const { position, item } of put) list.splice(position.to ?? 0, 0, item);
  return list;
}

function patched(value: unknown, fields: readonly ChangedField[]): unknown {
  let result = structuredClone(value);
  for (const field of fields) {
    if (field.pointer === '') {
      result = field.after;
      continue;
    }
    const steps = field.pointer.slice(1).split('/');
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop()!;
    const parent = names.reduce<Json>((item, name) => item[name] as Json, result as Json);
    if ('after' in field) parent[last] = field.after;
    else Reflect.deleteProperty(parent, last);
  }
  return result;
}
