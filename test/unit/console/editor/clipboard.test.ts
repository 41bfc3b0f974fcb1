import { expect } from 'chai';
import { cellsOfPlain, htmlOf, plainOf } from '../../../../src/console/editor/grid/clipboard.js';

describe('cells on the clipboard', () => {
  for (const [what, text, cells] of [
    [
      'cells and rows, the last one ended',
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['lines of other systems', 'a\nb\rc', [['a'], ['b'], ['c']]],
    [
      'empty cells',
      '\t\tx\n\t\t',
      [
        ['', '', 'x'],
        ['', '', ''],
      ],
    ],
    [
      'a cell with a tab, a line and quotes in it, in quotes',
      '"a\tb"\t"c\nd"\t"say ""no"""',
      [['a\tb', 'c\nd', 'say "no"']],
    ],
    ['a text of ZEN, which only looks like one in quotes', '"EUR"\t"DE", "FR"\t""', [['"EUR"', '"DE", "FR"', '""']]],
    ['a text of ZEN that a spreadsheet has put in quotes', '"""EUR"""', [['"EUR"']]],
    ['a quote that does not end', '"a\tb', [['"a', 'b']]],
    ['one cell', 'x', [['x']]],
  ] as const) {
    it(`are read: ${what}`, () => expect(cellsOfPlain(text)).to.deep.equal(cells));
  }

  it('come back as they were copied', () => {
    const cells = [
      ['> 5', '"DE", "FR"', ''],
      ['a\tb', 'x\ny', "'it''s'"],
      ['""', '', '"'],
    ];
    expect(cellsOfPlain(plainOf(cells))).to.deep.equal(cells);
  });

  it('are a table for programs that read HTML, in which nothing is markup', () => {
    expect(
      htmlOf([
        ['<b>', 'a & b'],
        ['x\ny', ''],
      ]),
    ).to.equal('<table><tr><td>&lt;b&gt;</td><td>a &amp; b</td></tr><tr><td>x<br>y</td><td></td></tr></table>');
  });
});
