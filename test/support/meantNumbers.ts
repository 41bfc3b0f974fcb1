import type { Meaning, MeantCell } from './meantCells.js';

const compares: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
};

/** `>= 5 & < 10`, and `5..10, 12` for either of both. */
function meaning(name: string): Meaning {
  const either = name.split(', ').map((part) =>
    part.split(' & ').map((one) => {
      const [, low, high] = /^(-?[\d.]+?)\.\.(.+)$/.exec(one) ?? [];
      if (high !== undefined) return (value: number) => Number(low) <= value && value <= Number(high);
      const [, sign = '', bound] = /^([=!<>]+) ?(.+)$/.exec(one) ?? [];
      return (value: number) => compares[sign]!(value, Number(bound));
    }),
  );
  return {
    name,
    accepts: (value) => typeof value === 'number' && either.some((all) => all.every((holds) => holds(value))),
  };
}

type Line = readonly [cell: string, ...means: string[]];

/** A line has a cell as people write it, an arrow, and what they may mean. */
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [cell = '', means = ''] = line.split(' -> ');
      return [cell, ...means.split(' | ')];
    });

const amounts = linesOf(`
1000 -> 1000
1234.5 -> 1234.5
1,234.50 -> 1234.5
1.234,50 -> 1234.5
1,234,567 -> 1234567
1.000.000 -> 1000000
1 000 -> 1000
1\u00A0000 -> 1000
1\u202F000 -> 1000
1'000 -> 1000
1’000.50 -> 1000.5
10,000 -> 10000 | 10
1,234 -> 1234 | 1.234
$1,000 -> 1000 | 1
$500 -> 500
€ 500 -> 500
500 € -> 500
500€ -> 500
EUR 500 -> 500
500 EUR -> 500
£ 500 -> 500
500 kr -> 500
CHF 500 -> 500
€ 1.234,50 -> 1234.5
USD 1,234.50 -> 1234.5
500,- € -> 500
1,5 -> 1.5 | list
12,50 -> 12.5 | list
0,07 -> 0.07 | list
5% -> 0.05
5 % -> 0.05
7,5 % -> 0.075
7.5% -> 0.075
1k -> 1000
5K -> 5000
2M -> 2000000
1.5M -> 1500000
50k -> 50000
1,5 Mio -> 1500000
24 months -> 24
30 days -> 30
18 years -> 18
5 km -> 5
24 kk -> 24
18 Jahre -> 18
12 mos. -> 12
\u22125 -> -5
(500) -> -500
-5 -> -5
+5 -> 5
.5 -> 0.5
1e3 -> 1000`);

/** What `1,5` is for somebody who lists two numbers. */
const asList = (cell: string): string =>
  cell
    .split(',')
    .map((part) => `= ${part}`)
    .join(', ');

const before = `
>= : '>= ', '≥ ', '≥', '=> ', 'at least ', 'from ', 'min ', 'ab ', 'mindestens ', 'vähintään ', 'minst '
> : '> ', '>', 'over ', 'above ', 'more than ', 'greater than ', 'über '
< : '< ', 'under ', 'Under ', 'below ', 'less than ', 'unter ', 'alle '
<= : '<= ', '≤ ', '=< ', 'at most ', 'up to ', 'max. ', 'maximum ', 'no more than ', 'not over '
= : '= ', '=', '== '
!= : '<>', '<> ', '!= ', '≠ ', 'not '
<=|< : 'until ', 'bis '`;
const after = `
>= : '+', ' +', ' or more', ' and over', ' and above', ' or older', ' plus'
<= : ' or less'
<=|< : ' and under'`;

const wordsOf = (text: string): (readonly [word: string, operators: readonly string[]])[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [operators = '', words = ''] = line.split(' : ');
      return Array.from(words.matchAll(/'([^']*)'/g), ([, word = '']) => [word, operators.split('|')] as const);
    });

const bounds = linesOf(`
24 -> 24
1,234.50 -> 1234.5
1.234,50 -> 1234.5
$500 -> 500
5% -> 0.05
10,000 -> 10000 | 10`);

const comparisons = bounds.flatMap(([written, ...values]): Line[] => {
  const means = (operators: readonly string[]): string[] =>
    values.flatMap((bound) => operators.map((operator) => `${operator} ${bound}`));
  return [
    ...wordsOf(before).map(([word, operators]): Line => [word + written, ...means(operators)]),
    ...wordsOf(after).map(([word, operators]): Line => [written + word, ...means(operators)]),
  ];
});

const pairs = linesOf(`
18 24 -> 18..24
10,000 50,000 -> 10000..50000 | 10..50
$500 $1000 -> 500..1000
5% 10% -> 0.05..0.1
1k 5k -> 1000..5000
1.234,50 2.000,50 -> 1234.5..2000.5
1,234.50 2,000.50 -> 1234.5..2000.5
0 2.5 -> 0..2.5
18 24_months -> 18..24`);
const between = [
  ...['a-b', 'a - b', 'a–b', 'a — b', 'a to b', 'a TO b', 'a..b', '[a..b]', 'a...b', 'a…b', '[a-b]', 'a ~ b'],
  ...['between a and b', 'from a to b', 'a bis b', 'a through b', '>= a and <= b'],
];

const ranges = pairs.flatMap(([pair, ...means]) => {
  const [low = '', high = ''] = pair.split(' ').map((part) => part.replace('_', ' '));
  return between.map((form): Line => [form.replace(/\b[ab]\b/g, (letter) => (letter === 'a' ? low : high)), ...means]);
});

const several = linesOf(`
750-850, 900-950 -> 750..850, 900..950
750-850; 900-950 -> 750..850, 900..950
750-850 or 900-950 -> 750..850, 900..950
5; 10 -> = 5, = 10
5, 10 -> = 5, = 10
5 or 10 -> = 5, = 10
5 / 10 -> = 5, = 10 | = 0.5
1-5; 10 -> 1..5, = 10
5, 10 or 12 -> = 5, = 10, = 12
< 5 or > 10 -> < 5, > 10
>= 5 and < 10 -> >= 5 & < 10
>=5 <10 -> >= 5 & < 10
> 5 & < 10 -> > 5 & < 10
5 < x < 10 -> > 5 & < 10
not 5-10 -> < 5, > 10
850-750 -> 750..850
> 1.000.000 -> > 1000000
> 1,234,567 -> > 1234567
5-10% -> 0.05..0.1
1-5k -> 1..5000 | 1000..5000
5- -> = -5 | >= 5
24- -> = -24 | >= 24
[850..750] -> 750..850 | < -1 & > 1`);

/** Amounts, comparisons, ranges and lists of them. */
export const numberCells: readonly MeantCell[] = [
  ...amounts.map(([cell, ...means]): Line => [
    cell,
    ...means.map((mean) => (mean === 'list' ? asList(cell) : `= ${mean}`)),
  ]),
  ...comparisons,
  ...ranges,
  ...several,
].map(([cell, ...means]) => ({ cell, column: 'number', means: means.map(meaning) }));
