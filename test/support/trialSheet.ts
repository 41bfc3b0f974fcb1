/** A row of a rate sheet as an analyst writes it, with a fact that it is for. */
interface TrialRow {
  readonly cells: readonly string[];
  readonly fact: Readonly<Record<string, unknown>>;
  readonly rate: number;
}

type Written = readonly [cell: string, value: unknown];

const types: readonly Written[] = [
  ['Personal', 'Personal'],
  ['not Personal', 'Car'],
  ['Personal or Car', 'Car'],
  ['self-employed', 'self-employed'],
  ['FI;SE', 'SE'],
  ['“Car”', 'Car'],
  ['any', 'Boat'],
  ['DE, FR', 'FR'],
];
const ages: readonly Written[] = [
  ['under 18', 17],
  ['over 24', 25],
  ['18 to 24', 20],
  ['from 5', 5],
  ['18+', 18],
  ['≥ 24', 24],
  ['<>5', 6],
  ['-', 50],
  ['*', 50],
  ['until 10', 9],
  ['> 20', 21],
];
const amounts: readonly Written[] = [
  ['10,000-50,000', 20_000],
  ['$1,000', 1000],
  ['$ 500', 500],
  ['1,234,567', 1_234_567],
  ['1k-5k', 3000],
  ['> 5,000', 6000],
  ['20000', 20_000],
];
const days: readonly Written[] = [
  ['>= 2025-01-01', '2025-01-01'],
  ['[2025-01-01..2025-12-31]', '2025-12-31'],
  ['01/31/2026', '2026-01-31'],
  ['since 2025-06-01', '2025-07-01'],
  ['Q1 2026', '2026-03-31'],
  ['01.01.2026', '2026-01-01'],
];
const rates: readonly (readonly [cell: string, rate: number])[] = [
  ['2.10%', 0.021],
  ['2,5 %', 0.025],
  ['0.039', 0.039],
  ['4%', 0.04],
];
const scoreForms: readonly ((low: number, high: number) => string)[] = [
  (low, high) => `${low}-${high}`,
  (low, high) => `${low} – ${high}`,
  (low, high) => `[${low}..${high}]`,
  (low, high) => `${low} to ${high}`,
];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

export const trialHead = ['Loan type', 'Credit score', 'Age', 'Loan amount', 'Valid on', 'Rate'] as const;

/** Sixty rows of six columns, each row for scores of its own; the last one takes everything else. */
export const trialRows: readonly TrialRow[] = Array.from({ length: 60 }, (_, row): TrialRow => {
  const [rateCell, rate] = at(rates, row);
  const low = 300 + row * 9;
  const score = at(scoreForms, row)(low, low + 8);
  const [type, age, amount, day] = [at(types, row), at(ages, row), at(amounts, row), at(days, row)];
  const fact = {
    'Loan type': type[1],
    'Credit score': low + 4,
    Age: age[1],
    'Loan amount': amount[1],
    'Valid on': day[1],
  };
  if (row < 59) return { cells: [type[0], score, age[0], amount[0], day[0], rateCell], fact, rate };
  return { cells: ['otherwise', 'otherwise', '*', 'any', '-', rateCell], fact: { ...fact, 'Credit score': 1 }, rate };
});

/** As a file with the cells as they are written. */
export const trialFile = (rows: readonly TrialRow[] = trialRows): string =>
  [trialHead, ...rows.map(({ cells }) => cells)]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\n');
