import { expect } from 'chai';
import { resultOf } from '../../support/engine.js';
import { convertedSheet } from '../../support/sheets.js';

const resultsOf = (rows: readonly (readonly string[])[], field: string, facts: readonly string[]): unknown[] => {
  const csv = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
  const { content, diagnostics } = convertedSheet(csv);
  expect(diagnostics).to.deep.equal([]);
  return facts.map((value) => resultOf(content, { [field]: value }));
};

describe('words of a plain sheet', () => {
  it('are given as they stand: backslashes, lines, signs of money', () => {
    const texts = ['C:\\new', 'Line one\nLine two', 'Line one\r\n\r\nLine three', '$', '€', 'US$', "it's", 'a, b'];
    const rows = [['Kind', '', 'Text'], ...texts.map((text, row) => [`k${row}`, '', text])];
    expect(
      resultsOf(
        rows,
        'Kind',
        texts.map((_text, row) => `k${row}`),
      ),
    ).to.deep.equal(texts.map((text) => ({ Text: text.replaceAll('\r\n', '\n') })));
  });

  it('are asked for as they stand', () => {
    const texts = ['C:\\new', '$', '€', "it's"];
    const rows = [['Text', '', 'Row'], ...texts.map((text, row) => [text, '', String(row)])];
    expect(resultsOf(rows, 'Text', [...texts, 'C:\\\\new', 'x'])).to.deep.equal([
      ...texts.map((_text, Row) => ({ Row })),
      {},
      {},
    ]);
  });

  it('are texts among texts, also where a column is called so: who means its value writes a formula', () => {
    const rows = [
      ['Income', 'Type', '', 'Missing'],
      ['', 'A', '', 'Income'],
      ['', 'B', '', 'Passport'],
      ['', 'C', '', 'Address'],
      ['', 'D', '', 'Photo'],
    ];
    expect(resultsOf(rows, 'Type', ['A', 'B'])).to.deep.equal([{ Missing: 'Income' }, { Missing: 'Passport' }]);
  });
});
