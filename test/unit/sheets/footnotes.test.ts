import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

const rules = 'Region,Alter,Prämie\nNord,18,500\nSüd,30,400\n';
const told = (csv: string): readonly (readonly [string | undefined, string | undefined])[] =>
  convertedSheet(csv)
    .diagnostics.filter(({ message }) => /footnote|total|stands apart/.test(message))
    .map(({ label, pointer }) => [label, pointer]);

describe('a footnote below a table is told as a row that is hardly a rule', () => {
  it('below empty rows, and directly below the table where it is a sentence', () => {
    const found = [['Rules!A6', '/nodes/1/content/rules/2']];
    expect(told(`${rules},,\n,,\nQuelle: Tarifhandbuch S. 12,,\n`)).to.deep.equal(found);
    expect(told(`${rules}* alle Preise inkl. MwSt.,,\n`)).to.deep.equal([['Rules!A4', '/nodes/1/content/rules/2']]);
    expect(told(`${rules},,\nStand,01.01.2026,\n`)).to.deep.equal([['Rules!A5', '/nodes/1/content/rules/2']]);
  });

  it('each of several', () => {
    expect(told(`${rules},,\nQuelle: Handbuch,,\nStand: 2026,,\n`)).to.deep.equal([
      ['Rules!A5', '/nodes/1/content/rules/2'],
      ['Rules!A6', '/nodes/1/content/rules/3'],
    ]);
  });

  it('as is a total, also one above a footnote', () => {
    const total = ['Rules!A4', '/nodes/1/content/rules/2'];
    expect(told(`${rules}Total,,900\n`)).to.deep.equal([total]);
    expect(told(`${rules}Gesamtsumme:,,900\n* ohne MwSt.,,\n`)).to.deep.equal([
      total,
      ['Rules!A5', '/nodes/1/content/rules/3'],
    ]);
    for (const row of ['Total,18,900', 'Totalschaden,,900', 'Total,,900\nSüd,40,300'])
      expect(told(`${rules}${row}\n`), row).to.deep.equal([]);
  });

  it('as is what stands apart below an empty row and asks less than each row of the table, such as an average', () => {
    const apart = [['Rules!A5', '/nodes/1/content/rules/2']];
    expect(told(`${rules},,\nAverage,,450\n`)).to.deep.equal(apart);
    expect(told(`${rules},,\nMittelwert,,450\n,,\nQuelle: Handbuch,,\n`)).to.deep.equal([
      ...apart,
      ['Rules!A7', '/nodes/1/content/rules/3'],
    ]);
    expect(told(`${rules},,\nTotal,,900\n`)).to.deep.equal(apart);
    for (const row of ['Average,,450', ',,\nOst,40,300', ',,\nother,,300', 'Ost,,300\n,,\nWest,,450', ',,\n,50,300'])
      expect(told(`${rules}${row}\n`), row).to.deep.equal([]);
  });

  it('and no row that looks like those above is one, whatever it gives: outputs may be guessed wrongly', () => {
    const rows = ['Madrid,0,0.19,0,state', 'Madrid,12450,0.24,2365.5,', 'Lugo,0,0.2,0,state', 'Lugo,12450,0.25,2490,'];
    const sheet = (between: string): string =>
      `Town,Base,Kind,Quota,Source\n${rows.join('\n')}\n${between}Vigo,12450,0.26,2590,\nVigo,20200,0.31,4528.5,\n`;
    for (const between of ['', ',,,,\n'])
      expect(
        convertedSheet(sheet(between), ['Town', 'Base', 'Kind', 'Quota'], ['Source']).diagnostics.filter(
          ({ message }) => message.includes('footnote'),
        ),
      ).to.deep.equal([]);
  });

  it('as is all of a second table below, though it is as wide as the first', () => {
    const csv = 'Age,Price\n0-5,1\n6-17,2\n18+,3\n,\nGroup size,Discount\n2-4,0.05\n5+,0.1\n';
    const { diagnostics } = convertedSheet(csv);
    expect(diagnostics.flatMap(({ message, label }) => (/own below/.test(message) ? [label] : []))).to.deep.equal([
      ...['Rules!A6', 'Rules!A7', 'Rules!A8'],
    ]);
  });

  it('and no rule is one: with a result, not finished, or for everything else', () => {
    for (const row of ['Ost,,300', ',,300', 'Ost,40,', 'Ost,,', 'sonst,,'])
      expect(told(`${rules}${row}\n`), row).to.deep.equal([]);
    expect(told(`${rules},,\nOst,40,300\n`)).to.deep.equal([]);
  });
});
