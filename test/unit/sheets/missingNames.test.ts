import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

const told = (csv: string): readonly unknown[] =>
  convertedSheet(csv).diagnostics.flatMap(({ severity, label, message }) =>
    /names/.test(message) ? [[severity, label, message]] : [],
  );
const tellsOf = (cell: string, name: string): unknown => [
  'warning',
  `Rules!${cell}`,
  `Rules!${cell}: \`${name}\` is taken as the name of this column. If row 1 is one of the rows, put a row with names above it.`,
];

describe('a sheet without a row of names', () => {
  for (const [what, cell, name, csv] of [
    [
      'by a number in its first column',
      'A1',
      '1011',
      '1011,2710198100,S19\n1011,2710198300,S19\n1012,2710198700,S20\n',
    ],
    ['by numbers in no order', 'B1', '587678', 'Baker,587678,180338,7\nBenton,5543052,1257622,8\n'],
    ['by a share', 'B1', '0.055', 'FI,0.055,0.03\nSE,0.06,0.02\n'],
    ['by one number alone', 'A1', '2192.3', '2192.3\n17\n18\n'],
    ['by words that stand below it again', 'A1', 'Gold', 'Gold,FI,low\nSilver,SE,low\nGold,FI,high\n'],
  ] as const)
    it(`is told ${what}`, () => expect(told(csv)).to.deep.equal([tellsOf(cell, name)]));

  for (const [what, csv] of [
    ['words', 'Age,Country,Fee\n18,FI,1\n19,SE,2\n'],
    ['years in their order', 'Country,2020,2021,2022\nFI,1,2,3\nSE,1,2,3\n'],
    ['bounds in their order', 'Score,0,700,750\nFI,1,2,3\n'],
    ['a word that is a value of another column', 'Kind,Gold,Fee\nGold,1,2\nSilver,1,3\n'],
    ['one number', 'Age,24\n> 5,1\n'],
  ] as const)
    it(`is none with ${what} as names`, () => expect(told(csv)).to.deep.equal([]));
});
