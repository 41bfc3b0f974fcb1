import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { convertedSheet } from '../../support/sheets.js';

const readingsOf = (cell: string, others: readonly string[]): readonly string[] =>
  readCell(cell, columnOf({}, true, [cell, ...others]))?.readings ?? [];

describe('a comma between words is one of a list where the column shows it, and is asked elsewhere', () => {
  for (const [what, cell, others] of [
    ['whatever the capitals of its parts', 'Hall, heated', ['Hall', 'Yard', 'Cradle']],
    ['in small letters', 'hall, heated', ['"hall"', '"yard"', '"cradle"']],
    ['in capitals', 'HALL, HEATED', ['HALL', 'YARD', 'CRADLE']],
    [
      'where several cells have one part in common',
      'Hall, heated',
      ['Hall, cold', 'Yard, heated', 'Yard, cold', 'Attic'],
    ],
    ['of which a part differs in its capitals', 'Hall, heated', ['"Hall"', '"Heated"', '"Yard"']],
  ] as const)
    it(`it is asked ${what}`, () => {
      const list = cell.split(', ').map((part) => `"${part}"`);
      expect(readingsOf(cell, others)).to.deep.equal([list.join(', '), `"${cell}"`]);
    });

  for (const [what, cell, others] of [
    ['of which each stands alone in another cell', 'Hall, Yard', ['Hall', 'Yard', 'Cradle']],
    [
      'that stand with blanks in other cells',
      'Sailing yacht, Motor boat',
      ['"Motor boat"', '"Sailing yacht"', '"Other"'],
    ],
    ['of a list that is written plainly', 'Hall, Yard', ['"Hall", "Yard"', '"Cradle"', '"Attic"']],
    ['that are short codes', 'DE, FR', ['"FI"', '"SE"', '"Other"']],
  ] as const)
    it(`it is a list of words ${what}`, () => {
      const list = cell.split(', ').map((part) => `"${part}"`);
      expect(readingsOf(cell, others)).to.deep.equal([list.join(', ')]);
    });

  it('and an import leaves what is asked as it stands', () => {
    const { content, diagnostics } = convertedSheet(
      ['Place,Price', '"Hall, heated",12', 'Hall,8', 'Yard,4'].join('\n'),
    );
    const { rules } = (content as { nodes: { content: { rules: Record<string, string>[] } }[] }).nodes[1]!.content;
    expect(Object.values(rules[0]!)).to.include('Hall, heated');
    expect(diagnostics.map(({ hint }) => hint)).to.deep.equal([
      'Hall, heated may mean 2 things: write "Hall", "heated", or write "Hall, heated".',
    ]);
  });
});
