import { expect } from 'chai';
import fc from 'fast-check';
import { SheetError, type Grid } from '../../../workers/sheets/files/grid.js';
import { readSheet } from '../../../workers/sheets/files/sheetXml.js';

const context = { strings: ['Gold', '10', 'a & b'], formats: () => undefined, dates: 1900, isOwn: false } as const;
const read = (data: string, root = 'worksheet', end = ''): Grid =>
  readSheet('Rules', `<?xml version="1.0"?>\n<${root}>${data}${end}</${root}>`, context);
const sheetOf = (rows: string): string => `<sheetData>${rows}</sheetData>`;

const cell = fc.constantFrom(
  (at: string) => `<c r="${at}"><v>12.5</v></c>`,
  (at: string) => `<c r="${at}" s="1"/>`,
  (at: string) => `<c r="${at}" s="1" t="s"><v>2</v></c>`,
  (at: string) => `<c r="${at}" t="b"><v>1</v></c>`,
  (at: string) => `<c r="${at}" t="e"><v>#N/A</v></c>`,
  (at: string) => `<c r="${at}" t="str"><v> a &lt; b &amp;amp; c </v></c>`,
  (at: string) => `<c r="${at}" t="inlineStr"><is><t>x</t><rPh sb="0" eb="1"><t>y</t></rPh></is></c>`,
  (at: string) => `<c r="${at}" s="2"><f>A1*2</f><v>7</v></c>`,
  (at: string) => `<c r="${at}"><f>A1</f></c>`,
  (at: string) => `<c t="n" r="${at}"><v>1e3</v></c>`,
  (at: string) => `<c r="${at}" t="inlineStr" />`,
  (at: string) => `<c t="n" r="${at}"/>`,
  () => '<c><v>3</v></c>',
  () => '<c/>',
  () => '',
);
const rows = fc.array(
  fc.record({
    cells: fc.array(cell, { maxLength: 5 }),
    skipped: fc.nat(2),
    tag: fc.constantFrom('', ' spans="1:5" ht="15"'),
  }),
  { maxLength: 5 },
);

describe('the cells of an .xlsx', () => {
  it('are the same in whatever form of XML they stand', () => {
    fc.assert(
      fc.property(rows, (made) => {
        let number = 0;
        const data = made.map(({ cells, skipped, tag }) => {
          number += 1 + skipped;
          const own = cells.map((write, column) => write(`${'ABCDE'.charAt(column)}${number}`)).join('');
          return own === '' ? `<row r="${number}"${tag}/>` : `<row r="${number}"${tag}>${own}</row>`;
        });
        const plain = sheetOf(data.join(''));
        const grid = read(plain);
        const prefixed = plain.replace(/<(\/?)(\w)/g, '<$1x:$2');
        expect(read(prefixed, 'x:worksheet')).to.deep.equal(grid);
        expect(read(sheetOf(data.join('\n  ')))).to.deep.equal(grid);
        expect(read(sheetOf(`\n${data.join('\n')}\n`))).to.deep.equal(grid);
        expect(read(plain.replaceAll(/"([^"]*)"/g, "'$1'"))).to.deep.equal(grid);
        expect(read(plain.replaceAll('<c', '\n<c').replaceAll('</row>', '\n</row>'))).to.deep.equal(grid);
        expect(read(plain.replaceAll('<v>', '<v><!-- a comment -->'))).to.deep.equal(grid);
        expect(read(plain.replaceAll('</row>', '<extLst><ext/></extLst></row>'))).to.deep.equal(grid);
      }),
    );
  });

  // openpyxl and pandas write an empty text so.
  for (const empty of ['<c r="B1" t="inlineStr" />', '<c t="inlineStr" r="B1"/>', '<c r="B1" s="1" cm="1" />'])
    it(`are none where the last one of a row is ${empty}`, () => {
      const data = `<row r="1"><c r="A1"><v>1</v></c>${empty}</row><row r="2"><c r="A2"><v>2</v></c></row>`;
      expect(read(sheetOf(data)).rows).to.deep.equal([['1'], ['2']]);
    });

  it('are those that merged cells cover, too, which are told behind all others', () => {
    const data = sheetOf('<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>');
    const merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>';
    expect(read(data, 'worksheet', merged).rows).to.deep.equal([['a'], ['1'], ['1']]);
  });

  for (const rest of [
    ...['<row r="1"><c r="A1"><v>1</v></c>', '<row r="1"><c r="A1"><v>1</v></c></row></row>'],
    ...['<row r="1"><row r="2"></row>', '<row r="1"><c r="A1"><v>1</c></v></row>'],
    ...['<row r="1"><c r="A1"><v>1</v></row>', '<row r="1"><c r="A1"', '<row r="0"></row>'],
    ...['<row r="1"><c r="1A"><v>1</v></c></row>', '<row r="1"><c t="s"><v>3</v></c></row>'],
  ]) {
    it(`are refused where they are ${rest}`, () => {
      expect(() => read(sheetOf(rest))).to.throw(SheetError);
    });
  }
});
