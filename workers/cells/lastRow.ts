import { isFilled } from './filled.js';
import { isWords } from './habits.js';
import { readPlain } from './literals.js';
import { takesAllOf } from './words.js';

// The last row of a table, where it asks one thing alone: its words may take all that is left, as `everyone else` does.

/** What rows ask and give. */
interface LastRows {
  readonly asked: (row: number) => readonly (string | undefined)[];
  readonly given: (row: number) => readonly (string | undefined)[];
  readonly count: number;
}

/** A cell that is alone, and its column's place among the conditions. */
interface Alone {
  readonly at: number;
  readonly cell: string;
}

/** What the last row asks alone, where others ask more. Below it rows that ask nothing, and notes without a result, are passed over. */
export function aloneAtLast({ asked, given, count }: LastRows): Alone | undefined {
  const rows = Array.from({ length: count }, (_none, row) => row);
  const last = asked(rows.findLast((row) => asked(row).some(isFilled) && given(row).some(isFilled)) ?? -1);
  const [at, ...others] = [...last.keys()].filter((each) => isFilled(last[each]));
  if (at === undefined || others.length > 0) return undefined;
  const asksMore = rows.some((row) => asked(row).some((cell, each) => each !== at && isFilled(cell)));
  return asksMore ? { at, cell: last[at]?.trim() ?? '' } : undefined;
}

/** The cell that is alone in the last row, where it has words that look like none of its column's others. */
export function restOf(last: string, cells: readonly string[]): string | undefined {
  const all = cells.map((cell) => cell.trim());
  const others = all
    .toSpliced(all.lastIndexOf(last), 1)
    .filter(isFilled)
    .flatMap((cell) => readPlain(cell)?.texts ?? cell.split(/ ?[,;|/] ?/));
  if (!isWords(last.replace(/^\((.+)\)$/, '$1')) || !/\p{L}{2}/u.test(last) || others.includes(last)) return undefined;
  return takesAllOf(last) || !others.some((text) => lookOf(text) === lookOf(last)) ? last : undefined;
}

/** As far as names of one kind are alike: whether their words begin with capitals, are of capitals, and have digits. */
function lookOf(text: string): string {
  const words = text.split(' ').map((word) =>
    word
      .replace(/\p{Lu}{2,}/gu, 'AA')
      .replace(/\p{Lu}/gu, 'A')
      .replace(/\p{Ll}+/gu, 'a')
      .replace(/\p{N}+/gu, '0'),
  );
  // `New York` is a name as `Oslo` is, and `everyone else` is none.
  return [...new Set(words)].join(' ');
}
