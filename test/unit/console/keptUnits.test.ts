import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { repaired, repairGroups, withReading } from '../../../src/console/editor/repairs.js';
import { sheetOf, withCells } from '../../../src/console/editor/sheet.js';
import { typedText } from '../../../src/console/editor/typedText.js';
import { rowsOf } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { single, table } from '../../support/engine.js';

const faultsOf = (model: Model): readonly Fault[] =>
  validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'rates.json', diagnostic }));

/** A table with these weights and these fees. */
const tableOf = (weights: readonly string[], fees: readonly string[]): Model => {
  const rows = weights.map((weight, at) => ({ _id: `r${at}`, i0: weight, o0: fees[at] ?? '' }));
  return single(table('t', { inputs: ['weight'], outputs: ['fee'] }, rows)) as Model;
};

const withRepairs = (model: Model): Model =>
  repairGroups(model, faultsOf(model)).reduce((before, group) => repaired(before, group, 0), model);

const unitsOf = (content: unknown): readonly unknown[] =>
  [...rowsOf(content, 'inputs'), ...rowsOf(content, 'outputs')].map((item) => item['_unit']);

describe('the unit with which the cells of a column were written', () => {
  it('is kept where they are repaired together, and is no fault of theirs', () => {
    const model = withRepairs(tableOf(['0-2 lb', 'over 2 lb'], ['1.500,50 €', '2 €']));
    const { content } = model.nodes[1]!;
    expect(rowsOf(content, 'rules').map(({ i0, o0 }) => [i0, o0])).to.deep.equal([
      ['[0..2]', '1500.5'],
      ['> 2', '2'],
    ]);
    expect(unitsOf(content)).to.deep.equal(['lb', 'EUR']);
    expect(faultsOf(model)).to.deep.equal([]);
  });

  it('is that of shares, where no number of the column is of a hundred', () => {
    const shares = withRepairs(tableOf(['ab 14 %', '12,5–13,9 %'], ['5 %', '0.5 %']));
    expect(unitsOf(shares.nodes[1]!.content)).to.deep.equal(['%', '%']);
    expect(faultsOf(shares)).to.deep.equal([]);
    expect(unitsOf(withRepairs(tableOf(['5 %', '> 7'], ['1 %'])).nodes[1]!.content)).to.deep.equal([undefined, '%']);
  });

  it('is kept where the points of the numbers were asked for as well', () =>
    expect(unitsOf(withRepairs(tableOf(['< 5'], ['CHF 1,500'])).nodes[1]!.content)).to.deep.equal([undefined, 'CHF']));

  it('is none where they had several, and where their results are texts', () =>
    expect(unitsOf(withRepairs(tableOf(['< 5 kg', '< 5 lb'], ['$5', '£5'])).nodes[1]!.content)).to.deep.equal([
      undefined,
      undefined,
    ]));

  it('is that of several currencies once one of them is a number alone: the others are asked as before', () => {
    const model = tableOf(['1', '2', '3'], ['$5', '£5', '7']);
    const sheet = sheetOf(model.nodes[1]!)!;
    const content = withReading(sheet, { row: 0, column: 1, text: '5' });
    expect(unitsOf(content)).to.deep.equal([undefined, 'GBP, USD']);
    const next = { ...model, nodes: model.nodes.map((node, at) => (at === 1 ? { ...node, content } : node)) } as Model;
    expect(repairGroups(next, faultsOf(next)).map(({ choices, cells }) => [choices, cells[0]?.readings])).to.deep.equal(
      [[2, ['"£5"', '5']]],
    );
  });

  it('is kept where one cell is put right by itself', () => {
    const sheet = sheetOf(tableOf(['up to 14 days'], ['1']).nodes[1]!)!;
    expect(unitsOf(withReading(sheet, { row: 0, column: 0, text: '<= 14' }))).to.deep.equal(['days', undefined]);
  });

  it('is asked for by what is typed later: the same is read, another one is not', () => {
    const { content } = withRepairs(tableOf(['up to 14 days', '> 14 days'], ['1', '2'])).nodes[1]!;
    const typed = (text: string): string | null => {
      const sheet = sheetOf({ type: 'decisionTableNode', content })!;
      const written = withCells(sheet, [{ row: 0, column: 0, text }]);
      return typedText(sheetOf({ type: 'decisionTableNode', content: written })!, { row: 0, column: 0 }, () => false);
    };
    expect(typed('up to 7 days')).to.equal('<= 7');
    for (const other of ['up to 2 weeks', '1 month', '24 h', 'up to 5 kg']) expect(typed(other), other).to.equal(null);
  });
});
