import { dateCells, timeCells } from './meantDates.js';

/** What somebody may have meant by a cell of a condition. */
export interface Meaning {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
}

/** A cell as people write it, among others of its column. */
export interface MeantCell {
  readonly cell: string;
  readonly column: 'number' | 'text' | 'date' | 'time' | 'boolean';
  /** More than one where nobody but its author can say. */
  readonly means: readonly Meaning[];
}

/** Numbers, texts, days, times and truths: some on each side of every bound that the cells below have. */
export const probes: Readonly<Record<MeantCell['column'], readonly unknown[]>> = {
  number: [
    ...[
      -1000, -500, -10, -5, -4, -1, 0, 0.005, 0.02, 0.049, 0.05, 0.051, 0.07, 0.075, 0.1, 0.11, 0.5, 1, 1.234, 1.2345,
    ],
    ...[
      1.23, 1.5, 1.51, 2, 2.49, 2.5, 2.51, 4, 4.99, 5, 5.01, 6, 7.5, 8, 9, 10, 10.01, 12, 12.5, 15, 17, 17.99, 18, 18.5,
    ],
    ...[
      20, 23.99, 24, 24.01, 25, 30, 40, 49, 50, 51, 72, 100, 234, 250, 499, 500, 501, 567, 749, 750, 800, 850, 851, 900,
    ],
    ...[
      920, 950, 951, 999, 1000, 1001, 1234, 1234.49, 1234.5, 1234.51, 1500, 1500.5, 2000, 2000.5, 2500, 4999, 5000,
      5001,
    ],
    ...[
      9999, 10_000, 10_001, 20_000, 49_999, 50_000, 50_001, 123_450, 1_000_000, 1_000_001, 1_234_567, 1_500_000,
      2_000_000,
    ],
  ],
  text: [
    ...[
      'Personal',
      'Car',
      'Boat',
      'FI',
      'SE',
      'NO',
      'DE',
      'FR',
      'Gold',
      'Silver',
      'PRUEFKEIN',
      'PRUEFGL',
      'self-employed',
    ],
    ...[
      'New York',
      'n/a',
      'N/A',
      'other',
      'Other',
      'any',
      'otherwise',
      '“Gold”',
      'R&D',
      'DE/FR',
      'Personal or Car',
      'yes',
      'no',
    ],
    ...[
      'DE, FR',
      'not Personal',
      'Côte d’Ivoire',
      'TRUE',
      'true',
      true,
      false,
      '2026-Q1',
      'Q1',
      '24h',
      'A+',
      'C++',
      '1st',
      '',
    ],
    ...[
      'Terms & Conditions',
      'FI;SE',
      'Small',
      'Small and medium',
      'medium',
      'Café',
      'N/A/N',
      '3-star',
      'B2B',
      '-',
      '*',
      'all',
    ],
  ],
  date: [
    ...['2024-12-31', '2025-01-01', '2025-01-02', '2025-06-15', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-30'],
    ...['2026-01-31', '2026-02-01', '2026-02-02', '2026-03-30', '2026-03-31', '2026-04-01', '2026-06-30', '2026-07-01'],
    ...['2026-12-31', '2027-01-01', '2026-Q1', '2026', 2026, '2026-01'],
  ],
  time: [
    '00:00',
    '05:00',
    '08:59',
    '09:00',
    '09:01',
    '12:00',
    '16:59',
    '17:00',
    '17:01',
    '17:59',
    '18:00',
    '18:01',
    '23:59',
  ],
  boolean: [true, false, 'TRUE', 'FALSE', 'true', 'false', 'yes', 'no', 'Yes', 'No', 'y', 'n', 'ja', 'nein', 'x', 1, 0],
};

const number = (name: string, is: (value: number) => boolean): Meaning => ({
  name,
  accepts: (value) => typeof value === 'number' && is(value),
});
const all: Meaning = { name: 'any', accepts: () => true };
const texts = (...wanted: readonly unknown[]): Meaning => ({
  name: wanted.join(' or '),
  accepts: (value) => wanted.includes(value),
});
const textsBut = (...refused: readonly unknown[]): Meaning => ({
  name: `not ${refused.join(' or ')}`,
  accepts: (value) => !refused.includes(value),
});

/** An amount as it is written, and the numbers that it may be. */
type Amount = readonly [written: string, ...values: number[]];

const amounts: readonly Amount[] = [
  ...([
    ['1000', 1000],
    ['1234.5', 1234.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,234,567', 1_234_567],
  ] as const),
  ...([
    ['1.000.000', 1_000_000],
    ['1 000', 1000],
    ['1\u00A0000', 1000],
    ['1\u202F000', 1000],
    ["1'000", 1000],
  ] as const),
  ...([
    ['1’000.50', 1000.5],
    ['10,000', 10_000, 10],
    ['1,234', 1234, 1.234],
    ['$1,000', 1000, 1],
    ['$500', 500],
  ] as const),
  ...([
    ['€ 500', 500],
    ['500 €', 500],
    ['500€', 500],
    ['EUR 500', 500],
    ['500 EUR', 500],
    ['£ 500', 500],
  ] as const),
  ...([
    ['500 kr', 500],
    ['CHF 500', 500],
    ['€ 1.234,50', 1234.5],
    ['USD 1,234.50', 1234.5],
    ['500,- €', 500],
  ] as const),
  ...([
    ['1,5', 1.5],
    ['12,50', 12.5],
    ['0,07', 0.07],
    ['5%', 0.05],
    ['5 %', 0.05],
    ['7,5 %', 0.075],
    ['7.5%', 0.075],
  ] as const),
  ...([
    ['1k', 1000],
    ['5K', 5000],
    ['2M', 2_000_000],
    ['1.5M', 1_500_000],
    ['50k', 50_000],
    ['1,5 Mio', 1_500_000],
  ] as const),
  ...([
    ['24 months', 24],
    ['30 days', 30],
    ['18 years', 18],
    ['5 km', 5],
    ['24 kk', 24],
    ['18 Jahre', 18],
    ['12 mos.', 12],
  ] as const),
  ...([
    ['\u22125', -5],
    ['(500)', -500],
    ['5-', -5],
    ['-5', -5],
    ['+5', 5],
    ['.5', 0.5],
    ['1e3', 1000],
  ] as const),
];

type Compare = (value: number, bound: number) => boolean;
const [more, least, less, most]: readonly [Compare, Compare, Compare, Compare] = [
  (value, bound) => value > bound,
  (value, bound) => value >= bound,
  (value, bound) => value < bound,
  (value, bound) => value <= bound,
];
const is: Compare = (value, bound) => value === bound;
const isNot: Compare = (value, bound) => value !== bound;

const before: readonly (readonly [string, ...Compare[]])[] = [
  ...([
    ['> ', more],
    ['>', more],
    ['>= ', least],
    ['≥ ', least],
    ['≥', least],
    ['=> ', least],
    ['< ', less],
    ['<= ', most],
  ] as const),
  ...([
    ['≤ ', most],
    ['=< ', most],
    ['= ', is],
    ['=', is],
    ['== ', is],
    ['<>', isNot],
    ['<> ', isNot],
    ['!= ', isNot],
  ] as const),
  ...([
    ['≠ ', isNot],
    ['not ', isNot],
    ['under ', less],
    ['Under ', less],
    ['over ', more],
    ['below ', less],
    ['above ', more],
  ] as const),
  ...([
    ['at least ', least],
    ['at most ', most],
    ['more than ', more],
    ['less than ', less],
    ['up to ', most],
  ] as const),
  ...([
    ['from ', least],
    ['until ', most, less],
    ['min ', least],
    ['max. ', most],
    ['ab ', least],
    ['über ', more],
  ] as const),
  ...([
    ['unter ', less],
    ['mindestens ', least],
    ['bis ', most, less],
    ['vähintään ', least],
    ['alle ', less],
    ['minst ', least],
  ] as const),
  ...([
    ['no more than ', most],
    ['not over ', most],
    ['greater than ', more],
    ['maximum ', most],
  ] as const),
];
const after: readonly (readonly [string, ...Compare[]])[] = [
  ...([
    ['+', least],
    [' +', least],
    [' or more', least],
    [' and over', least],
    [' and above', least],
    [' or less', most],
  ] as const),
  ...([
    [' and under', most, less],
    [' or older', least],
    [' plus', least],
    ['-', is, least],
  ] as const),
];
const bounds: readonly Amount[] = [
  ['24', 24],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['$500', 500],
  ['5%', 0.05],
  ['10,000', 10_000, 10],
];

const compared = (bound: number, compare: Compare): Meaning => number(String(bound), (value) => compare(value, bound));

const comparisons: readonly MeantCell[] = bounds.flatMap(([written, ...values]) =>
  [
    ...before.map(([word, ...ways]) => ({ cell: word + written, ways })),
    // Five percent and more is written, but `$500-` is not.
    ...after
      .filter(([word]) => word !== '-' || written === '24')
      .map(([word, ...ways]) => ({ cell: written + word, ways })),
  ].map(({ cell, ways }): MeantCell => ({
    cell,
    column: 'number',
    // `24-` is 24 and more for some, and a debt for others.
    means: [
      ...values.flatMap((bound) => ways.map((way) => compared(bound, way))),
      ...(cell === '24-' ? [compared(-24, is)] : []),
    ],
  })),
);

type Pair = readonly [low: string, high: string, ...bounds: (readonly [number, number])[]];
const pairs: readonly Pair[] = [
  ['18', '24', [18, 24]],
  ['10,000', '50,000', [10_000, 50_000], [10, 50]],
  ['$500', '$1000', [500, 1000]],
  ['5%', '10%', [0.05, 0.1]],
  ['1k', '5k', [1000, 5000]],
  ['1.234,50', '2.000,50', [1234.5, 2000.5]],
  ['1,234.50', '2,000.50', [1234.5, 2000.5]],
  ['0', '2.5', [0, 2.5]],
  ['18', '24 months', [18, 24]],
];
const between: readonly ((low: string, high: string) => string)[] = [
  (a, b) => `${a}-${b}`,
  (a, b) => `${a} - ${b}`,
  (a, b) => `${a}–${b}`,
  (a, b) => `${a} — ${b}`,
  (a, b) => `${a} to ${b}`,
  (a, b) => `${a}..${b}`,
  (a, b) => `[${a}..${b}]`,
  (a, b) => `between ${a} and ${b}`,
  (a, b) => `from ${a} to ${b}`,
  (a, b) => `${a}...${b}`,
  (a, b) => `${a}…${b}`,
  (a, b) => `${a} bis ${b}`,
  (a, b) => `${a} through ${b}`,
  (a, b) => `[${a}-${b}]`,
  (a, b) => `${a} ~ ${b}`,
  (a, b) => `>= ${a} and <= ${b}`,
  (a, b) => `${a} TO ${b}`,
];

const within = ([low, high]: readonly [number, number]): Meaning =>
  number(`${low} to ${high}`, (value) => low <= value && value <= high);
const ranges: readonly MeantCell[] = pairs.flatMap(([low, high, ...meant]) =>
  between.map((write): MeantCell => ({ cell: write(low, high), column: 'number', means: meant.map(within) })),
);

const either = (...parts: readonly (readonly [number, number])[]): Meaning =>
  number(parts.join(' or '), (value) => parts.some(([low, high]) => low <= value && value <= high));
const numbers: readonly MeantCell[] = [
  ...amounts.map(([written, ...values]): MeantCell => ({
    cell: written,
    column: 'number',
    // `1,5` and `12,50` are also two numbers for somebody who lists them.
    means: [
      ...values.map((each) => compared(each, is)),
      ...(/^\d+,\d{1,2}$/.test(written)
        ? [either(...written.split(',').map((part) => [Number(part), Number(part)] as const))]
        : []),
      ...(written === '5-' ? [compared(5, least)] : []),
    ],
  })),
  ...(
    [
      ['750-850, 900-950', either([750, 850], [900, 950])],
      ['750-850; 900-950', either([750, 850], [900, 950])],
      ['750-850 or 900-950', either([750, 850], [900, 950])],
      ['5; 10', either([5, 5], [10, 10])],
      ['5, 10', either([5, 5], [10, 10])],
      ['5 or 10', either([5, 5], [10, 10])],
      ['5 / 10', either([5, 5], [10, 10]), compared(0.5, is)],
      ['1-5; 10', either([1, 5], [10, 10])],
      ['5, 10 or 12', either([5, 5], [10, 10], [12, 12])],
      ['< 5 or > 10', number('beyond', (value) => value < 5 || value > 10)],
      ['>= 5 and < 10', number('within', (value) => value >= 5 && value < 10)],
      ['>=5 <10', number('within', (value) => value >= 5 && value < 10)],
      ['> 5 & < 10', number('within', (value) => value > 5 && value < 10)],
      ['5 < x < 10', number('within', (value) => value > 5 && value < 10)],
      ['not 5-10', number('without', (value) => value < 5 || value > 10)],
      ['850-750', either([750, 850])],
      ['[850..750]', either([750, 850]), number('none', () => false)],
      ['> 1.000.000', compared(1_000_000, more)],
      ['> 1,234,567', compared(1_234_567, more)],
    ] as const
  ).map(([cell, ...means]): MeantCell => ({ cell, column: 'number', means })),
];

const words: readonly MeantCell[] = (
  [
    ['Personal', texts('Personal')],
    ['self-employed', texts('self-employed')],
    ['New York', texts('New York')],
    ['Café', texts('Café')],
    ['R&D', texts('R&D')],
    ['Côte d’Ivoire', texts('Côte d’Ivoire')],
    ['B2B', texts('B2B')],
    ['3-star', texts('3-star')],
    ['24h', texts('24h')],
    ['A+', texts('A+')],
    ['C++', texts('C++')],
    ['1st', texts('1st')],
    ['not Personal', textsBut('Personal')],
    ['<> Personal', textsBut('Personal')],
    ['!= Personal', textsBut('Personal')],
    ['≠ Personal', textsBut('Personal')],
    ['not "Personal"', textsBut('Personal')],
    ['<>"Personal"', textsBut('Personal')],
    ['= Personal', texts('Personal')],
    ['="Personal"', texts('Personal')],
    ['all except FI', textsBut('FI')],
    ['not FI, SE', textsBut('FI', 'SE')],
    ['Personal or Car', texts('Personal', 'Car'), texts('Personal or Car')],
    ['FI;SE', texts('FI', 'SE'), texts('FI;SE')],
    ['FI; SE', texts('FI', 'SE')],
    ['DE, FR', texts('DE', 'FR')],
    ['DE,FR', texts('DE', 'FR')],
    ['"DE";"FR"', texts('DE', 'FR')],
    ['"DE" or "FR"', texts('DE', 'FR')],
    ['DE / FR', texts('DE', 'FR'), texts('DE/FR')],
    ['DE/FR', texts('DE', 'FR'), texts('DE/FR')],
    ['DE | FR', texts('DE', 'FR')],
    ['FI, SE or NO', texts('FI', 'SE', 'NO')],
    ['PRUEFKEIN, PRUEFGL', texts('PRUEFKEIN', 'PRUEFGL')],
    ['Terms & Conditions', texts('Terms & Conditions')],
    ['Small and medium', texts('Small and medium'), texts('Small', 'medium')],
    ['n/a', texts('n/a'), all],
    ['N/A', texts('N/A'), all],
    ['other', texts('other'), all],
    ['Other', texts('Other'), all],
    ['all', texts('all'), all],
    ['“Gold”', texts('Gold')],
    ['‘Gold’', texts('Gold')],
    ['„Gold“', texts('Gold')],
    ['«Gold»', texts('Gold')],
    ['“DE”, “FR”', texts('DE', 'FR')],
    ['"Gold”', texts('Gold')],
    ['"Gold"', texts('Gold')],
    ["'Gold'", texts('Gold')],
    ['TRUE', texts('TRUE'), texts('true'), texts(true)],
    ['2026-Q1', texts('2026-Q1')],
    ['Q1', texts('Q1')],
    ['yes', texts('yes'), texts(true)],
    ['> "M"', { name: 'after M', accepts: (value) => typeof value === 'string' && value > 'M' }],
    ['["A".."M"]', { name: 'A to M', accepts: (value) => typeof value === 'string' && value >= 'A' && value <= 'M' }],
  ] as const
).map(([cell, ...means]): MeantCell => ({ cell, column: 'text', means }));

const anything: readonly MeantCell[] = [
  'any',
  'Any',
  'ANY',
  'otherwise',
  '-',
  '–',
  '—',
  '*',
  'any value',
  'else',
].flatMap((cell) =>
  (['number', 'text', 'date', 'boolean'] as const).map((column): MeantCell => ({
    cell,
    column,
    means: [all, ...(column === 'text' ? [texts(cell)] : [])],
  })),
);

const foreign: readonly MeantCell[] = (
  [
    ['number', ['n/a', 'Personal', '"18"', 'true', '2026-01-31', 'tbd', '?', 'see below', 'none']],
    ['date', ['Personal', '5', 'true', 'n/a', 'soon']],
    ['boolean', ['Personal', '5', 'maybe', 'n/a']],
    ['text', ['5', '> 5', 'true', '[1..5]']],
  ] as const
).flatMap(([column, cells]) => cells.map((cell): MeantCell => ({ cell, column, means: [] })));

const truths: readonly MeantCell[] = (
  [
    ['TRUE', true],
    ['True', true],
    ['true', true],
    ['FALSE', false],
    ['False', false],
    ['false', false],
    ['yes', true, 'yes'],
    ['no', false, 'no'],
    ['Yes', true, 'Yes'],
    ['No', false, 'No'],
    ['y', true, 'y'],
    ['n', false, 'n'],
    ['ja', true, 'ja'],
    ['nein', false, 'nein'],
    ['x', true, 'x'],
  ] as const
).map(([cell, ...values]): MeantCell => ({ cell, column: 'boolean', means: values.map((value) => texts(value)) }));

/** Some hundreds of cells with what their authors mean; written before the code that reads them. */
export const meantCells: readonly MeantCell[] = [
  ...numbers,
  ...comparisons,
  ...ranges,
  ...words,
  ...anything,
  ...foreign,
  ...truths,
  ...dateCells,
  ...timeCells,
];
