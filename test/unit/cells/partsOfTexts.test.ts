import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';

const readingsOf = (cell: string, others: readonly string[] = ['"a"', '"b"', '"c"']): readonly string[] | undefined =>
  readCell(cell, columnOf({}, true, [...others, cell]))?.readings;

describe('what people write of the beginnings of texts', () => {
  for (const [cell, asked] of [
    ['9802*', 'startsWith($, "9802")'],
    ['BT*', 'startsWith($, "BT")'],
    ['61*, 62*', 'startsWith($, "61") or startsWith($, "62")'],
    ['IM*, JE* or GY*', 'startsWith($, "IM") or startsWith($, "JE") or startsWith($, "GY")'],
    ['61*/6301', 'startsWith($, "61") or $ == "6301"'],
    ['not 22*', 'not (startsWith($, "22"))'],
    ['except AB*, IV*', 'not (startsWith($, "AB") or startsWith($, "IV"))'],
  ] as const)
    it(`is asked, beside the text that stands there: ${cell}`, () => {
      expect(readingsOf(cell)).to.deep.equal([asked, JSON.stringify(cell)]);
      expect(readingsOf(cell, [cell])).to.deep.equal([asked, JSON.stringify(cell)]);
    });

  it('is a text where nothing stands before the star but one sign, as in marks and stars', () => {
    for (const cell of ['A*', '5*']) expect(readingsOf(cell), cell).to.deep.equal([JSON.stringify(cell)]);
  });
});

describe('words of which an order is asked', () => {
  it('are told, since nobody else knows their order; lists are each thing that they may be', () => {
    for (const cell of ['Gold or higher', 'Silver and below', 'Economy oder höher', '3rd child or more'])
      expect(readingsOf(cell), cell).to.deep.equal([]);
    expect(readingsOf('Wed & Fri')?.[0]).to.equal('"Wed", "Fri"');
    expect(readingsOf('Mon, Wed & Fri')?.[0]).to.equal('"Mon", "Wed", "Fri"');
    expect(readingsOf('Marks & Spencer')).to.deep.equal(['"Marks & Spencer"']);
    expect(readingsOf('except EU/EEA, CH')).to.deep.equal([
      ...['not in ["EU", "EEA", "CH"]', 'not in ["EU/EEA", "CH"]', '"except EU/EEA, CH"'],
    ]);
    expect(readingsOf('EU/EEA, CH')).to.deep.equal(['"EU", "EEA", "CH"', '"EU/EEA", "CH"', '"EU/EEA, CH"']);
    expect(readingsOf('Gold or Silver')).to.deep.equal(['"Gold", "Silver"', '"Gold or Silver"']);
  });
});

describe('days that begin or end something', () => {
  const days = ['before 2026-07-01', '2026-01-01 - 2026-03-31', '2026-04-01 - 2026-06-30', '2026-07-20'];
  for (const [cell, reading] of [
    ...['on or after', 'starting', 'starting from', 'effective', 'effective from', 'with effect from', 'as from'].map(
      (words) => [`${words} 07/13/2026`, '>= d("2026-07-13")'] as const,
    ),
    ['from 07/13/2026', '>= d("2026-07-13")'],
    ['07/13/2026 on', '>= d("2026-07-13")'],
    ['valid from 07/13/2026', '>= d("2026-07-13")'],
    ...['on or before', 'through', 'thru', 'until and including', 'not later than', 'latest', 'valid until'].map(
      (words) => [`${words} 07/13/2026`, '<= d("2026-07-13")'] as const,
    ),
    ['prior to 07/13/2026', '< d("2026-07-13")'],
  ] as const)
    it(`are compared: ${cell}`, () => expect(readingsOf(cell, days)).to.deep.equal([reading]));
});
