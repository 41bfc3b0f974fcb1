import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { modelOf } from '../../../src/console/dmn/model.js';
import { documentOf } from '../../../src/console/dmn/write.js';
import { approval } from '../../support/dmn.js';
import { lending } from '../../support/dmnDocument.js';

type Row = Readonly<Record<string, string>>;

const read = (xml: string): Model => modelOf(xml, undefined, () => new Map());

const rowsOf = (model: Model, nodeId: string): readonly Row[] =>
  (model.nodes.find(({ id }) => id === nodeId)?.content as { readonly rules: readonly Row[] }).rules;

const withRows = (model: Model, nodeId: string, change: (rows: readonly Row[]) => readonly Row[]): Model => ({
  ...model,
  nodes: model.nodes.map((node) =>
    node.id === nodeId
      ? { ...node, content: { ...(node.content as object), rules: change(rowsOf(model, nodeId)) } }
      : node,
  ),
});

const withCell = (model: Model, nodeId: string, row: number, column: string, text: string): Model =>
  withRows(model, nodeId, (rows) => rows.map((each, at) => (at === row ? { ...each, [column]: text } : each)));

/** What stands in one text and not in the other, between what both begin and end with. */
function difference(before: string, after: string): readonly [string, string] {
  let [from, end] = [0, 0];
  while (before[from] !== undefined && before[from] === after[from]) from++;
  const rest = Math.min(before.length, after.length) - from;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before.slice(from, before.length - end), after.slice(from, after.length - end)];
}

describe('a document of DMN that a page changes', () => {
  it('is the same text to the byte where nothing was changed', () => {
    for (const xml of [lending, approval, lending.replaceAll('\n', '\r\n'), `\uFEFF${lending}`])
      expect(documentOf(read(xml))).to.equal(xml);
  });

  it('has its elements as nodes, what they require as edges, and tables as tables', () => {
    const { nodes, edges } = read(lending);
    expect(nodes.map(({ name, type }) => `${name}: ${type}`)).to.deep.equal([
      ...['Risk Class: dmnInput', 'Yearly Income: dmnInput', 'Since: dmnInput', 'Monthly: dmnKnowledge'],
      ...['Limit: dmnDecision', 'Offer: decisionTableNode', 'Lending service: dmnService'],
    ]);
    expect(edges.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`)).to.deep.equal([
      'income limit',
      'monthly limit',
      'class offer',
      'since offer',
      'limit offer',
      'offer service',
    ]);
    expect(
      rowsOf(read(lending), 'offer').map(({ in0, in1, out0, _description }) => [in0, in1?.trim(), out0, _description]),
    ).to.deep.equal([
      ['"high"', '-', '"none"', 'too risky'],
      ['', '>= 1000', '"gold"', ''],
      ['-', '-', '"silver"', ''],
    ]);
  });

  it('differs in the cell that was changed and in nothing else, however that was written', () => {
    const cells = [
      [0, 'in0', '"low"', '"high"', '"low"'],
      [0, 'out0', '< 1 & > 2', '<![CDATA["none"]]>', '&lt; 1 &amp; &gt; 2'],
      [0, '_description', 'why', 'too risky', 'why'],
      [1, 'in0', '"low"', '<dmn:text/>', '<dmn:text>"low"</dmn:text>'],
      [2, 'in1', '> 5', '<dmn:text>-</dmn:text>', '<dmn:text>&gt; 5</dmn:text>'],
      [2, '_description', 'all others', '<dmn:text></dmn:text>', '<dmn:text>all others</dmn:text>'],
    ] as const;
    for (const [row, column, text, before, after] of cells) {
      const model = withCell(read(lending), 'offer', row, column, text);
      const written = documentOf(model);
      const [gone, come] = difference(lending, written);
      expect(before, `${row} ${column}`).to.include(gone);
      expect(after, `${row} ${column}`).to.include(come);
      expect(rowsOf(read(written), 'offer')[row]?.[column]).to.equal(text);
      expect(written.length - lending.length).to.equal(after.length - before.length);
    }
  });

  it('keeps every other rule as it was written where one is added, moved or removed', () => {
    const model = read(lending);
    const ruleOf = (id: string): string =>
      new RegExp(`<dmn:rule id="${id}"[\\s\\S]*?</dmn:rule>`).exec(lending)?.[0] ?? '';
    const more = { _id: '1f', in0: '"low"', in1: '< 5', out0: '"a & b"', _description: 'new' };
    const changes: readonly (readonly [(rows: readonly Row[]) => readonly Row[], readonly string[]])[] = [
      [(rows) => rows.slice(1), ['rich', 'rest']],
      [(rows) => [...rows].reverse(), ['rest', 'rich', 'careful']],
      [([first = {}, ...rest]) => [first, more, ...rest], ['careful', '_1f', 'rich', 'rest']],
      [() => [more], ['_1f']],
      [() => [], []],
    ];
    for (const [change, ids] of changes) {
      const changed = withRows(model, 'offer', change);
      const written = documentOf(changed);
      const rows = rowsOf(read(written), 'offer');
      expect(rows.map(({ _id }) => _id)).to.deep.equal(ids);
      for (const id of ids.filter((each) => each !== '_1f')) expect(written).to.include(ruleOf(id));
      const strip = (rules: readonly Row[]) => rules.map(({ _id, ...cells }) => cells);
      expect(strip(rows)).to.deep.equal(strip(change(rowsOf(model, 'offer'))));
      expect(written.startsWith(lending.slice(0, lending.indexOf('<!-- the careful')))).to.equal(true);
      expect(written.endsWith(lending.slice(lending.indexOf('</dmn:decisionTable>')))).to.equal(true);
    }
  });
});
