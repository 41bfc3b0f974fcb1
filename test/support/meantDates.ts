import type { Meaning, MeantCell } from './meantCells.js';

type Compare = (value: string, bound: string) => boolean;
const [is, more, least, less, most]: readonly [Compare, Compare, Compare, Compare, Compare] = [
  (value, bound) => value === bound,
  (value, bound) => value > bound,
  (value, bound) => value >= bound,
  (value, bound) => value < bound,
  (value, bound) => value <= bound,
];

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{2}:\d{2}$/.test(value);
const day = (compare: Compare, bound: string): Meaning => ({
  name: bound,
  accepts: (value) => isDay(value) && compare(value, bound),
});
const days = (first: string, last: string): Meaning => ({
  name: `${first} to ${last}`,
  accepts: (value) => isDay(value) && first <= value && value <= last,
});
const time = (compare: Compare, bound: string): Meaning => ({
  name: bound,
  accepts: (value) => isTime(value) && compare(value, bound),
});
const times = (first: string, last: string): Meaning => ({
  name: `${first} to ${last}`,
  accepts: (value) => isTime(value) && first <= value && value <= last,
});

const written: readonly (readonly [string, ...string[]])[] = [
  ['01/31/2026', '2026-01-31'],
  ['31/01/2026', '2026-01-31'],
  ['31.01.2026', '2026-01-31'],
  ['31.1.2026', '2026-01-31'],
  ['2026-01-31', '2026-01-31'],
  ['2026/01/31', '2026-01-31'],
  ['31-01-2026', '2026-01-31'],
  ['1/31/26', '2026-01-31'],
  ['31 January 2026', '2026-01-31'],
  ['Jan 31, 2026', '2026-01-31'],
  ['31-Jan-2026', '2026-01-31'],
  ['31. Januar 2026', '2026-01-31'],
  ['"2026-01-31"', '2026-01-31'],
  ['01/02/2026', '2026-02-01', '2026-01-02'],
  ['01.02.2026', '2026-02-01'],
];

const before: readonly (readonly [string, ...Compare[]])[] = [
  ['', is],
  ['>= ', least],
  ['> ', more],
  ['< ', less],
  ['≥ ', least],
  ['from ', least],
  ['since ', least],
  ['before ', less],
  ['after ', more],
  ['until ', most, less],
];

const single = written.flatMap(([text, ...bounds]) =>
  before.map(([word, ...ways]): MeantCell => ({
    cell: word + text,
    column: 'date',
    means: bounds.flatMap((bound) => ways.map((way) => day(way, bound))),
  })),
);

const year2025 = days('2025-01-01', '2025-12-31');
const quarter = days('2026-01-01', '2026-03-31');
const january = days('2026-01-01', '2026-01-31');

/** Days, periods and orders of days, as people write them. */
export const dateCells: readonly MeantCell[] = [
  ...single,
  ...(
    [
      ['2025-01-01 - 2025-12-31', year2025],
      ['2025-01-01 to 2025-12-31', year2025],
      ['2025-01-01..2025-12-31', year2025],
      ['[2025-01-01..2025-12-31]', year2025],
      ['01.01.2025-31.12.2025', year2025],
      ['1/1/2025 - 12/31/2025', year2025],
      ['>= "2025-01-01" and <= "2025-12-31"', year2025],
      ['["2025-01-01".."2025-12-31"]', year2025],
      ['between 2025-01-01 and 2025-12-31', year2025],
      ['2026-Q1', quarter],
      ['Q1 2026', quarter],
      ['Q1/2026', quarter],
      ['2026-01', january],
      ['Jan 2026', january],
      [
        '2025-01-01 or 2026-01-31',
        { name: 'either', accepts: (value: unknown) => value === '2025-01-01' || value === '2026-01-31' },
      ],
      ['31/13/2026'],
      ['2026-02-30'],
    ] as const
  ).map(([cell, ...means]): MeantCell => ({ cell, column: 'date', means })),
];

/** Times of the day. */
export const timeCells: readonly MeantCell[] = (
  [
    ['18:00', time(is, '18:00')],
    ['"18:00"', time(is, '18:00')],
    ['< "18:00"', time(less, '18:00')],
    ['< 18:00', time(less, '18:00')],
    ['>= 18:00', time(least, '18:00')],
    ['after 18:00', time(more, '18:00')],
    ['before 9:00', time(less, '09:00')],
    ['9:00-17:00', times('09:00', '17:00')],
    ['09:00 - 17:00', times('09:00', '17:00')],
    ['09:00 to 17:00', times('09:00', '17:00')],
    ['9am-5pm', times('09:00', '17:00')],
    ['9 am - 5 pm', times('09:00', '17:00')],
    ['before 9 am', time(less, '09:00')],
    ['6 pm', time(is, '18:00')],
    ['["09:00".."17:00"]', times('09:00', '17:00')],
    ['until 18:00', time(most, '18:00'), time(less, '18:00')],
    ['18h00', time(is, '18:00')],
    ['25:00'],
    ['5'],
    ['noon', time(is, '12:00')],
  ] as const
).map(([cell, ...means]): MeantCell => ({ cell, column: 'time', means }));
