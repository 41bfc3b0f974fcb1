import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { foreignFile, type ForeignCell } from '../../support/foreignSheet.js';

const itemOf = (sheet: Parameters<typeof readFacts>[0]): unknown => JSON.parse(readFacts(sheet).items[0] ?? '');

/** What an item of a file has beside its fact. */
describe('keys and references of the items of a file', () => {
  for (const [what, cell, text] of [
    ['digits in a cell of the format Text', { value: '4711', type: 's', format: 49 }, '4711'],
    ['digits behind an apostrophe', { value: '0815', type: 's', quoted: true }, '0815'],
    ['a number that is shown with zeros', { value: '1067', format: '00000' }, '01067'],
    ['a date', { value: '46053', format: 14 }, '2026-01-31'],
    ['a number', { value: '4711' }, '4711'],
    ['a text', { value: 'A-1', type: 's' }, 'A-1'],
    ['TRUE as a text', { value: 'TRUE', type: 's', format: 49 }, 'TRUE'],
    ['the text of a formula', { value: '4711', type: 'str', formula: 'TEXT(A1,"0")' }, '4711'],
  ] satisfies readonly (readonly [string, ForeignCell, string])[])
    it(`are what the cell shows, without quotes of ours: ${what}`, () => {
      const rows = [
        ['key', 'reference', 'n'],
        [cell, cell, { value: '1' }],
      ];
      const { sheet } = readXlsx(foreignFile({ rows }), 'Facts', 'verdict');
      expect(itemOf(sheet)).to.deep.equal({ fact: { n: 1 }, key: text, reference: text });
    });

  it('are the same in a .csv', () => {
    const sheet = readCsv(Buffer.from('key,reference,n\n0815,"""7""",1\n'), 'Facts');
    expect(itemOf(sheet)).to.deep.equal({ fact: { n: 1 }, key: '0815', reference: '7' });
  });
});
