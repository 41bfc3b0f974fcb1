import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import type { Diagnostic } from '../../../workers/engine/index.js';
import { faultIn } from '../../../workers/engine/zen/cellFault.js';
import { convertedSheet } from '../../support/sheets.js';

type Model = Parameters<typeof faultIn>[1];

/** `Rules!C2` of what its label says more of. */
const placeOf = ({ label }: Pick<Diagnostic, 'label'>): string | undefined => label?.split(',')[0];

const knowsNothing = (): boolean => false;
const columnWith = (others: readonly string[], cell: string, isTest = true): Model =>
  columnOf({ name: 'A' }, isTest, [...others, cell]);

describe('cells of another kind than their column, which the engine would take for sums and names', () => {
  const columns: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      'numbers',
      ['1', '> 5', '[1..5]'],
      ['>= 2025-01-01', '[2025-01-01..2025-12-31]', '2025-01-01', '>= 2025-01-01 and <= 2025-12-31', '< 18:00'],
    ],
    [
      'texts',
      ['"a"', '"b"', '"c"'],
      ['$1,000', '> 1.234,50', '>= 2025-01-01', '[2025-01-01..2025-12-31]', '< 5%', '[1-5]'],
    ],
    ['dates', ['d("2025-01-01")', '> d("2025-02-01")', 'd("2026-01-01")'], ['$1,000', '> 1.234,50', '> 5%', '$500']],
    ['booleans', ['true', 'false', 'true'], ['$1,000', '> 1.234,50', '>= 2025-01-01', '[2025-01-01..2025-12-31]']],
  ];
  for (const [kind, others, cells] of columns)
    for (const cell of cells)
      it(`are told: ${cell} among ${kind}`, () => {
        expect(faultIn(cell, columnWith(others, cell), knowsNothing)).to.not.equal(undefined);
      });

  it('are told where they are days beside names, which may be the name of one', () => {
    const seasons = ['"High season"', '"Low season"', '"Easter"', '"Fair"'];
    for (const cell of ['01.05.2027 - 30.09.2027', '01.05.2027'])
      expect(faultIn(cell, columnWith(seasons, cell), knowsNothing)?.readings.at(-1), cell).to.equal(`"${cell}"`);
    expect(faultIn('1.2.3', columnWith(seasons, '1.2.3'), knowsNothing)?.readings).to.deep.equal(['"1.2.3"']);
  });

  it('are told where a share and a price are added, which to the engine is what is left of a division', () => {
    for (const cell of ['2.5% + $10', '2.5% + limit', '$10 + 1'])
      expect(
        faultIn(cell, columnWith(['5', '"a"', '12.5'], cell, false), () => true),
        cell,
      ).to.not.equal(undefined);
    for (const cell of ['limit % 3', '$root.a + 1', '7 % 3 + limit'])
      expect(
        faultIn(cell, columnWith(['5', '"a"', '12.5'], cell, false), () => true),
        cell,
      ).to.equal(undefined);
  });

  it('are told where they compare constants, whatever a request has', () => {
    const numbers = ['1', '> 5', '[1..5]'];
    for (const cell of ['10 > 5', '"a" == "b"', 'len("abc") > 2 + 1 and 1 > 2', '1 < 2 and limit > 5', '5 in [1, 2]'])
      expect(
        faultIn(cell, columnWith(numbers, cell), () => true),
        cell,
      ).to.not.equal(undefined);
    expect(faultIn('18<24', columnWith(numbers, '18<24'), knowsNothing)?.readings).to.deep.equal(['[18..24)']);
    for (const cell of ['2 * 3', '$ > 5 and limit < 2', 'limit == 5'])
      expect(
        faultIn(cell, columnWith(numbers, cell), () => true),
        cell,
      ).to.equal(undefined);
  });

  it('are no conditions with fields, and no lists of the values', () => {
    const numbers = ['1', '> 5', '[1..5]'];
    for (const cell of ['$ > 5', '$ - 1 > 5', '> limit', '[low..high]', '> 2 * 3', 'limit - 1', '$ in [1, 2]', '5, 6'])
      expect(
        faultIn(cell, columnWith(numbers, cell), () => true),
        cell,
      ).to.equal(undefined);
  });

  it('are numbers among codes, which are texts, and meant as such', () => {
    const codes = ['"0"', '"1"', '1, 2', '<> 0', '5'];
    const model = columnOf({ name: 'Class' }, true, codes);
    const read = codes.map((cell) => faultIn(cell, model, knowsNothing)?.readings);
    expect(read).to.deep.equal([undefined, undefined, ['"1", "2"'], ['!= "0"'], ['"5"']]);
    const ordered = columnOf({ name: 'Class' }, true, [...codes, '> 5']);
    expect(faultIn('1, 2', ordered, knowsNothing), 'beside a comparison').to.equal(undefined);
  });

  it('are midnights among days, which are meant', () => {
    const days = ['"2026-01-01"', '> d("2026-06-01")', '"2026-12-31"'];
    const fault = faultIn('"2026-03-01T00:00:00"', columnWith(days, '"2026-03-01T00:00:00"'), knowsNothing);
    expect(fault?.readings).to.deep.equal(['"2026-03-01"']);
    for (const [others, cell] of [
      [days, '"2026-03-01T08:00:00"'],
      [['"2026-01-01T08:00:00"', '"2026-01-02T09:30:00"'], '"2026-03-01T00:00:00"'],
    ] as const)
      expect(faultIn(cell, columnWith(others, cell), knowsNothing), cell).to.equal(undefined);
  });

  const range = '[2025-01-01..2025-12-31]';
  it('are ranges as results, whatever they are of', () => {
    for (const others of [[], ['1', '2', '3'], ['"2025-01-01"', '"2025-02-01"'], ['"a"', '"b"', '"c"']])
      for (const cell of [range, '[1..5]', '[low..high]', '(2025-01-01..2025-12-31)'])
        expect(
          faultIn(cell, columnWith(others, cell, false), () => true),
          cell,
        ).to.not.equal(undefined);
    expect(faultIn('[1, 2]', columnWith(['1', '2', '3'], '[1, 2]', false), () => true)).to.equal(undefined);
  });

  it('are told where a file is read', () => {
    const { diagnostics } = convertedSheet(`A,,Valid\n1,,${range}\n2,,[2026-01-01..2026-12-31]\n`);
    expect(diagnostics.map(placeOf)).to.deep.equal(['Rules!C2', 'Rules!C3']);
  });
});

describe('words among a few numbers', () => {
  const told = (cells: readonly string[], isOutput = false): readonly (string | undefined)[] => {
    const rows = cells.map((cell, at) => (isOutput ? `${at},,${cell}` : `${cell},,${at}`));
    return convertedSheet(`Age,,Fee\n${rows.join('\n')}\n`).diagnostics.map(placeOf);
  };

  it('are told beside conditions of numbers, and nobody guesses that they are texts', () => {
    expect(told(['< 18', '>= 18', 'everyone else'])).to.deep.equal(['Rules!A4']);
    expect(told(['< 18', '>= 18', 'unknown'])).to.deep.equal(['Rules!A4']);
    expect(told(['< 18', 'adult', 'senior'])).to.deep.equal(['Rules!A3', 'Rules!A4']);
    expect(told(['< 18', '> 65', 'adult', 'senior'])).to.deep.equal(['Rules!A4', 'Rules!A5']);
    expect(told(['under 18', '18-65', 'retired'])).to.deep.equal(['Rules!A2', 'Rules!A3', 'Rules!A4']);
  });

  it('are told beside plain values, with the text that they may be', () => {
    expect(told(['1', '3', 'Altogether'])).to.deep.equal(['Rules!A4']);
    expect(told(['free', '3', '4'], true)).to.deep.equal(['Rules!C2']);
    expect(told(['true', 'false', 'perhaps'])).to.deep.equal(['Rules!A4']);
    expect(told(['2026-01-31', '2026-02-28', 'soon'])).to.include('Rules!A4');
  });

  it('are as their author wrote them where quotes say that they are texts beside values', () => {
    expect(faultIn('"free"', columnWith(['3', '4'], '"free"', false), knowsNothing)).to.equal(undefined);
    expect(faultIn('"S"', columnWith(['38', '40'], '"S"'), knowsNothing)).to.equal(undefined);
  });

  it('are texts among texts', () => {
    expect(told(['gold', 'silver', 'bronze'])).to.deep.equal([]);
  });
});

describe('a year alone', () => {
  it('is all of its days in a column of days, and a number elsewhere', () => {
    const days = columnWith(['"2025-03-01"', '>= d("2025-06-01")', '< d("2027-01-01")'], '2026');
    expect(readCell('2026', days)?.readings).to.deep.equal(['>= d("2026-01-01") and <= d("2026-12-31")']);
    expect(readCell('since 2026', days)?.readings).to.deep.equal(['>= d("2026-01-01")']);
    expect(readCell('2026', columnWith(['2024', '> 2020', '2019'], '2026'))).to.equal(undefined);
    expect(readCell('since 2026', columnWith(['2024', '> 2020', '2019'], 'since 2026'))?.readings).to.deep.equal([
      '>= 2026',
    ]);
  });
});

describe('a cell that is unlike the others of its column', () => {
  for (const [others, cell] of [
    [['time($) >= time("06:00")', 'time($) < time("18:00")'], '-20'],
    [['"II"', '"III"'], 'd("2027-01-01")'],
    [['"II"', '"III"', '"I"', '"IV"'], '> d("2027-01-01")'],
    [['"2026-01-01"', '"2026-07-01"'], '5'],
  ] as const)
    it(`is told, also of a small table: ${cell} beside ${others.join(' and ')}`, () => {
      const column = columnWith(others, cell);
      expect(readCell(cell, column)?.message).to.match(/^This column has \w+, and this is something else\.$/);
      for (const other of others) expect(readCell(other, column), other).to.equal(undefined);
    });

  it('is none where there is one of each', () => {
    const column = columnWith(['5'], '"x"');
    for (const cell of ['5', '"x"']) expect(readCell(cell, column), cell).to.equal(undefined);
  });
});

describe('a price that is none', () => {
  const readingsOf = (cell: string, isTest: boolean): readonly string[] | undefined =>
    readCell(cell, columnOf({ name: 'Fee' }, isTest, ['9,99 €', '12,99 €', '14,99 €', cell]))?.readings;

  for (const cell of ['free', 'Free of charge', 'gratis', 'kostenlos'])
    it(`is nought or the word ${cell}, which a person is asked`, () =>
      expect(readingsOf(cell, false)).to.deep.equal(['0', JSON.stringify(cell)]));

  it('is a word like others where it is asked for, and among texts', () => {
    expect(readingsOf('free', true)).to.deep.equal([]);
    expect(readCell('free', columnOf({}, false, ['"paid"', '"late"', '"open"', 'free']))?.readings).to.deep.equal([
      '"free"',
    ]);
  });
});
