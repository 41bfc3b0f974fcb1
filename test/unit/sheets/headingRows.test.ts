import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

const told = (rows: readonly string[]): unknown =>
  convertedSheet(rows.join('\n')).diagnostics.flatMap(({ pointer, message }) =>
    /\/rules\/\d+$/.test(pointer ?? '') && /heading|names of/.test(message) ? [message] : [],
  );
const heading = (row: number, text: string): string =>
  `Rules!A${row}: row ${row} is a heading of the rows below it: \`${text}\`.`;
const prices = ['A4,1-9,1', 'A3,1-9,2'];

describe('headings between the rows of a table', () => {
  it('are told, each as one', () => {
    expect(told(['Product,Qty,Price', 'DOMESTIC,,', ...prices, 'EUROPE,,', ...prices])).to.deep.equal([
      ...[heading(2, 'DOMESTIC'), heading(5, 'EUROPE')],
    ]);
  });

  it('are the names of the columns again, as where a page of a print ends', () => {
    expect(told(['Product,Qty,Price', ...prices, 'Product,Qty,Price', ...prices])).to.deep.equal([
      'Rules!A4: row 4 has the names of the columns again.',
    ]);
  });

  for (const [what, rows] of [
    ['one row that nobody has finished', ['Product,Qty,Price', ...prices, 'A2,,', ...prices]],
    ['rows with a result', ['Product,Qty,Price', 'A2,,5', ...prices, 'A1,,6', ...prices]],
    ['rows that take everything', ['Product,Qty,Price', 'any,,', ...prices, 'other,,', ...prices]],
    ['rows below the table', ['Product,Qty,Price', ...prices, ',,', 'Source: book,,', 'As of: 2026,,']],
  ] as const)
    it(`are not ${what}`, () => expect(told(rows)).to.deep.equal([]));
});
