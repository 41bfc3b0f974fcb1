import { expect } from 'chai';
import fc from 'fast-check';
import { readCsv, writeCsv } from '../../../workers/sheets/files/csv.js';

const rowsOf = (text: string): unknown => readCsv(Buffer.from(text), 'Rules').rows;

describe('CSV', function () {
  this.timeout(60_000);

  it('has no cell that programs compute', () => {
    const cells = ['=1+1', '+1', '-2', '-x', '@SUM(A1)', "'=1", '\t=1', '"=1"', '-', 'a=1', '== 5'];
    const text = writeCsv([cells]).toString();
    expect(text).to.equal(`'=1+1,'+1,-2,'-x,'@SUM(A1),''=1,"'\t=1","""=1""",'-,a=1,'== 5\n`);
    expect(rowsOf(text)).to.deep.equal([cells]);
  });

  it('comes back as it went out, whatever the cells hold', () => {
    const cell = fc.oneof(
      fc.constantFrom(undefined, "'=", '\r\n', ' x ', '","', '=1', "''-"),
      fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.isWellFormed()),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        fc.pre(!cells.some((text) => text?.startsWith('\ufeff')));
        expect(readCsv(writeCsv([['head'], cells]), 'Rules').rows[1]).to.deep.equal(cells);
      }),
    );
  });

  it('may have semicolons or tabs, and a mark at its beginning', () => {
    const expected = [
      ['a', 'b,c'],
      ['1', '2'],
    ];
    expect(rowsOf('\ufeffa;"b,c"\r\n1;2\r\n')).to.deep.equal(expected);
    expect(rowsOf('a\t"b,c"\n1\t2')).to.deep.equal(expected);
    expect(rowsOf('a,"b,c"\n1,2\n')).to.deep.equal(expected);
  });

  it('has a mark only where it needs one', () => {
    expect(writeCsv([['a']])).to.deep.equal(Buffer.from('a\n'));
    expect(writeCsv([['ä']])).to.deep.equal(Buffer.from('\ufeffä\n'));
  });

  it('is refused where it is no UTF-8 or no CSV', () => {
    expect(() => readCsv(Buffer.from([0xe4, 0x2c]), 'Rules')).to.throw('The file is not UTF-8 text');
    expect(() => readCsv(Buffer.from('a,"b\n'), 'Rules')).to.throw('The file is no CSV');
  });
});
