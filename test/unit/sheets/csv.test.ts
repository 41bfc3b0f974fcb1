import { expect } from 'chai';
import fc from 'fast-check';
import { readCsv, writeCsv } from '../../../workers/sheets/files/csv.js';

const rowsOf = (text: string): unknown => readCsv(Buffer.from(text), 'Rules').rows;

describe('CSV', () => {
  it('has no cell that programs compute', () => {
    const cells = ['=1+1', '+1', '-2', '-x', '@SUM(A1)', "'=1", '\t=1', '"=1"', '-', 'a=1', '== 5'];
    const text = writeCsv([cells]).toString();
    expect(text).to.equal(`'=1+1,'+1,-2,'-x,'@SUM(A1),''=1,"'\t'=1","""=1""",'-,a=1,'== 5\n`);
    expect(rowsOf(text)).to.deep.equal([cells]);
  });

  it('has none behind blanks either, nor with wide signs', () => {
    const cells = [' =1', '\u00a0+1', '\n@x', '\ufeff=1', '＝1', ' ＠x', "' ＋1", '－1'];
    const text = writeCsv([cells]).toString();
    const guarded = `' =1,'\u00a0+1,"'\n'@x",'\ufeff=1,'＝1,' ＠x,'' ＋1,'－1`;
    expect(text).to.equal(`\ufeff${guarded}\n`);
    expect(rowsOf(text)).to.deep.equal([cells]);
  });

  it('has none for programs that cut it at semicolons, tabs or lines, to which a quote begins only the first cell of a line', () => {
    const cells = ['a', 'x;=1;y', `x"; '+y`, 'x;"@z', 'x\t-y', 'x\n=1', 'x\r\n＋y', 'x;-5', 'x;y', `['a','-b']`];
    const text = writeCsv([cells]).toString();
    const guarded = `a,"x;'=1;y","x"";' '+y","x;'""@z","x\t'-y","x\n'=1","x\r\n'＋y","x;-5","x;y"`;
    expect(text).to.equal(`\ufeff${guarded},"['a','-b']"\n`);
    expect(rowsOf(text)).to.deep.equal([cells]);
    // As a program saves it that has semicolons between cells.
    const saved = `sep=;\n${guarded.replaceAll(/,(?=")/g, ';')};['a','-b']\n`;
    expect(rowsOf(saved)).to.deep.equal([cells]);
  });

  it('comes back as it went out, whatever the cells hold', () => {
    const cell = fc.oneof(
      fc.constantFrom(undefined, "'=", '\r\n', ' x ', '","', '=1', "''-"),
      fc
        .array(fc.constantFrom("'", ';', ',', '\n', '\r', '\t', ' ', '=', '-', '1', 'x'), { minLength: 1 })
        .map((signs) => signs.join('')),
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

  it('is cut where its rows are, whatever stands in names of its columns', () => {
    for (const [text, cells] of [
      ['a, x;b\n5;1\n6;2\n', ['5', '1']],
      ['name, first;b\n5;1,5\n6;2,5\n', ['5', '1,5']],
      ['Age;Fee, EUR\r\n5;1\r\n', ['5', '1']],
      ['Name, first, last;"Fee, EUR"\nx;1,5\n', ['x', '1,5']],
      ['Name, first\tFee\nx\t1,5\n', ['x', '1,5']],
      ['a, x;b\n"5, ""6"";\n";1\n', ['5, "6";\n', '1']],
      ['a;x,b\n5,1\n6,2\n', ['5', '1']],
      ['a,b,c;d\n1,2,3;4\n', ['1', '2', '3;4']],
      ['a,b,c\n1,2\n1,2,3\n', ['1', '2']],
      ['a\n1,5\n', ['1', '5']],
      ['a|b|c, d\n1|2|3,5\n', ['1', '2', '3,5']],
      ['a | b,c\n1,2\n', ['1', '2']],
    ] as const)
      expect(readCsv(Buffer.from(text), 'Rules').rows[1], text).to.deep.equal(cells);
  });

  it('is cut as the rows below a title are, which has nothing to cut', () => {
    for (const [text, cells] of [
      ['Tariff\na;b\n1,5;2\n3,5;4\n', ['a', 'b']],
      ['Tariff\n\na;b\n1,5;2\n3,5;4\n', ['a', 'b']],
      ['Tariff\na\tb\n1,5\t2\n', ['a', 'b']],
      ['Tariff, in EUR\na;b\n1,5;2\n3,5;4\n', ['a', 'b']],
    ] as const)
      expect(
        (rowsOf(text) as string[][]).find((row) => row.length === 2),
        text,
      ).to.deep.equal(cells);
  });

  it('has a mark only where it needs one', () => {
    expect(writeCsv([['a']])).to.deep.equal(Buffer.from('a\n'));
    expect(writeCsv([['ä']])).to.deep.equal(Buffer.from('\ufeffä\n'));
  });

  for (const [line, delimiter] of [
    ['sep=;', ';'],
    ['sep=,', ','],
    ['SEP=|', '|'],
    ['"sep=;"', ';'],
    ['sep=\t', '\t'],
    ['sep=\\t', '\t'],
    ['sep=^', '^'],
  ] as const) {
    it(`may say what stands between its cells: ${JSON.stringify(line)}`, () => {
      for (const end of ['\n', '\r\n', '\r']) {
        const text = [line, `a${delimiter}"b;,"`, `1${delimiter}2`, ''].join(end);
        expect(rowsOf(text), end).to.deep.equal([
          ['a', 'b;,'],
          ['1', '2'],
        ]);
      }
    });
  }

  for (const [kind, text] of [
    ['a header by a script above rows of Windows', 'a,b\n1,x\r\n2,y\r\n'],
    ['a row that a script has added', 'a,b\r\n1,x\r\n2,y\n'],
    ['one of each', 'a,b\r1,x\n2,y\r\n'],
    ['returns that a program has doubled', 'a,b\r\r\n1,x\r\r\n2,y\r\r\n'],
    ['one behind a separator of its own', 'sep=,\r\na,b\n1,x\r\n2,y'],
  ] as const)
    it(`may have several kinds of line ends: ${kind}`, () =>
      expect(rowsOf(text)).to.deep.equal([
        ['a', 'b'],
        ['1', 'x'],
        ['2', 'y'],
      ]));

  it('has line ends of any kind within quotes', () => {
    const cell = 'one\ntwo\r\nthree\rfour';
    expect(rowsOf(`a,b\r\n1,"${cell}"\n`)).to.deep.equal([
      ['a', 'b'],
      ['1', cell],
    ]);
  });

  it('has no such line where it is a name', () => {
    expect(rowsOf('sep=a,b\n1,2\n')).to.deep.equal([
      ['sep=a', 'b'],
      ['1', '2'],
    ]);
  });

  describe('in four encodings and with three separators is the same:', () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const [encoding, encoded] of [
      ['UTF-8', (text: string) => Buffer.from(text)],
      ['UTF-8 with its mark', (text: string) => Buffer.from(`\ufeff${text}`)],
      ['UTF-16LE', utf16],
      ['UTF-16BE', (text: string) => utf16(text).swap16()],
      ['Windows-1252', (text: string) => Buffer.from(text.replace('€', '\x80'), 'latin1')],
    ] as const) {
      for (const delimiter of [',', ';', '\t']) {
        it(`${encoding}, ${JSON.stringify(delimiter)}`, () => {
          const rows = [
            ['Größe', 'Preis €', 'c'],
            ['Übergroß', '1.5', 'x,;\t'],
          ];
          const text = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter)).join('\r\n');
          expect(readCsv(encoded(text), 'Rules').rows).to.deep.equal(rows);
        });
      }
    }
  });

  it('is refused where it is of another encoding, no text, or no CSV', () => {
    for (const bytes of [
      [0x81, 0x2c],
      [0xff, 0xfe, 0x00, 0xd8],
      [0xe4, 0x00],
    ]) {
      expect(() => readCsv(Buffer.from(bytes), 'Rules'), String(bytes)).to.throw(
        'The file is neither UTF-8, UTF-16 nor Windows-1252 text',
      );
    }
    const faults: readonly (readonly [text: string, fault: string])[] = [
      ['a,"b\n', 'line 1: the file ends within a cell that begins with a quote'],
      ['a,b\n1,5" pipe\n', 'line 2: a quote stands within a cell that does not begin with one'],
      ['a,b\n"x"y,1\n', 'line 2: a cell goes on behind the quote that ends it'],
    ];
    for (const [text, fault] of faults)
      expect(() => readCsv(Buffer.from(text), 'Rules'), text).to.throw(
        `The file is no CSV: ${fault}. In a cell with quotes each of them is written twice, and two stand around all of it.`,
      );
  });
});
