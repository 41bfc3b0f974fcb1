import { expect } from 'chai';
import { placesOf, withPasted } from '../../../../src/console/editor/pastedColumns.js';
import { hasHeader, isAsked } from '../../../../src/console/editor/pastedHeader.js';
import { sheetOf } from '../../../../src/console/editor/sheet.js';
import { convertedSheet } from '../../../support/sheets.js';

describe('what was copied goes into columns', () => {
  const sheet = sheetOf({
    type: 'decisionTableNode',
    content: {
      inputs: [{ id: 'i', name: 'Score', field: 'score' }],
      outputs: [{ id: 'o', name: 'Decision', field: 'decision' }],
      rules: [{ _id: 'r', i: '> 5', o: '"A"' }],
    },
  })!;
  const places = (titles: readonly string[], left: number): unknown =>
    placesOf([titles, titles.map(() => '5')], sheet, left).map(({ place }) => place);

  it('in the order that it has: behind a column of results there are results alone', () => {
    expect(places(['Decision', 'Reason', 'Note'], 1)).to.deep.equal([1, 'outputs', 'outputs']);
    expect(places(['Score', 'Decision', 'Reason', 'Fee'], 0)).to.deep.equal([0, 1, 'outputs', 'outputs']);
  });

  it('and beside the table by what they are called, else the last is a result', () => {
    expect(places(['Reason', 'Fee'], 2)).to.deep.equal(['inputs', 'outputs']);
    expect(places(['Reason', 'Other'], 2)).to.deep.equal(['inputs', 'outputs']);
  });

  it('and into the notes where a column of words is called so, also in a table in which nothing is written', () => {
    const cells = [
      ['Score', 'Fee', 'Kommentar'],
      ['> 7', '5', 'by hand'],
    ];
    expect(placesOf(cells, sheet, 0).map(({ place }) => place)).to.deep.equal([0, 'outputs', 2]);
    const content = { ...sheet.content, rules: [{ _id: 'r' }] };
    const blank = sheetOf({ type: 'decisionTableNode', content })!;
    const columns = placesOf(cells, blank, 0);
    expect(columns.map(({ place }) => place)).to.deep.equal(['inputs', 'outputs', 2]);
    const pasted = withPasted(blank, { cells, columns, top: 0, isHeaded: true }) as Record<string, unknown[]>;
    expect([pasted['inputs'], pasted['outputs']].map((list) => list?.length)).to.deep.equal([1, 1]);
    expect(pasted['rules']?.[0]).to.deep.include({ _description: 'by hand' });
  });

  it('in a table of a document with the names of its columns in the first row, and into no new ones', () => {
    const document = sheetOf({ type: 'decisionTableNode', content: { ...sheet.content, language: 'feel' } })!;
    const cells = [
      ['Score', 'Decision', '', 'More'],
      ['> 7', '"B"', '', '1'],
    ];
    expect(isAsked({ cells, top: 1, left: 0 }, document)).to.equal(true);
    const columns = placesOf(cells, document, 0);
    expect(columns.map(({ place }) => place)).to.deep.equal([0, 1, 2]);
    const { rules } = withPasted(document, { cells, columns, top: 1, isHeaded: true }) as { rules: unknown[] };
    expect(rules[1]).to.deep.include({ i: '> 7', o: '"B"' });
    expect(isAsked({ cells: cells.slice(1), top: 1, left: 0 }, document)).to.equal(false);
  });

  it('by their names where the first row has names of the table, whatever their order; others are made', () => {
    expect(places(['Fee', 'decision', 'SCORE', 'Colour'], 0)).to.deep.equal(['outputs', 1, 0, 'outputs']);
    expect(places(['Colour', 'Score'], 0)).to.deep.equal(['inputs', 0]);
    // The place of the cursor counts where names do not.
    const cells = [
      ['Colour', 'Score'],
      ['"red"', '> 7'],
    ];
    expect(placesOf(cells, sheet, 0, false).map(({ place }) => place)).to.deep.equal([0, 1]);
    expect(isAsked({ cells: [['Decision'], ['"B"']], top: 0, left: 0 }, sheet)).to.equal(true);
    const columns = placesOf(cells, sheet, 0);
    const { rules, inputs } = withPasted(sheet, { cells, columns, top: 0, isHeaded: true }) as {
      rules: Record<string, string>[];
      inputs: { id: string; name: string; field: string }[];
    };
    expect(inputs.map(({ name, field }) => [name, field])).to.deep.equal([
      ['Score', 'score'],
      ['Colour', 'Colour'],
    ]);
    expect(rules).to.deep.equal([{ _id: 'r', i: '> 7', o: '"A"', [inputs[1]!.id]: '"red"' }]);
  });

  it('and a row of words below names of the table is no reason to take these for a row', () => {
    const cells = [
      ['Decision', 'Score'],
      ['good', 'high'],
    ];
    expect(isAsked({ cells, top: 0, left: 0 }, sheet)).to.equal(true);
    expect(placesOf(cells, sheet, 0).map(({ place }) => place)).to.deep.equal([1, 0]);
  });

  it('and words above words are names in a new table, whose columns nobody has named', () => {
    const cells = [
      ['Channel', 'Payment'],
      ['Web', 'card'],
    ];
    const made = (field: string) =>
      sheetOf({
        type: 'decisionTableNode',
        content: {
          inputs: [{ id: 'i', name: 'Input', field }],
          outputs: [{ id: 'o', name: 'Output', field: 'output' }],
          rules: [{ _id: 'r' }],
        },
      })!;
    expect(isAsked({ cells, top: 0, left: 0 }, made(''))).to.equal(true);
    expect(hasHeader(cells, made(''), 0)).to.equal(true);
    expect(isAsked({ cells, top: 0, left: 0 }, made('kind'))).to.equal(false);
  });

  it('and names with units and signs are names, above what is none', () => {
    const head = ['Pipe (DN)', 'Distance ≤ m', 'Base fee €', 'Return °C', 'Price €/MWh'];
    const cells = [head, ['DN 20', 'bis 15', '3.950,00 €', '45', '89,50']];
    const blank = sheetOf({ type: 'decisionTableNode', content: { inputs: [], outputs: [], rules: [] } })!;
    expect(hasHeader(cells, blank, 0)).to.equal(true);
    expect(hasHeader([['DN 20', '< 15', '3.950,00 €', '45', '89,50'], head], blank, 0)).to.equal(false);
  });

  it('with the fields that an import of the same sheet has', () => {
    const { content } = convertedSheet('Betrag bis,Age,Größe,customer.age,Rate p. a.\n5,1,2,3,4\n');
    const imported = (content as { nodes: { content: Record<'inputs' | 'outputs', { field: string }[]> }[] }).nodes[1]!
      .content;
    const fieldsIn = ({ inputs, outputs }: typeof imported): string[] =>
      [...inputs, ...outputs].map(({ field }) => field);
    const blank = sheetOf({ type: 'decisionTableNode', content: { inputs: [], outputs: [], rules: [] } })!;
    const cells = [
      ['Betrag bis', 'Age', 'Größe', 'customer.age', 'Rate p. a.'],
      ['5', '1', '2', '3', '4'],
    ];
    const columns = placesOf(cells, blank, 0);
    const pasted = withPasted(blank, { cells, columns, top: 0, isHeaded: true }) as typeof imported;
    expect(fieldsIn(pasted)).to.deep.equal(fieldsIn(imported));
  });
});
