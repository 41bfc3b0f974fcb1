import { partsOfRange } from './bands.js';
import { codesBetween } from './codes.js';

// Ranges in an order that everybody knows, such as `Mon-Fri`, `Jan–Mar`, `A-C` and `AB10-AB19`: a person means each word between, or
// one word.

/** A language's spellings of one order; `isRound` where the first follows the last again. */
interface Order {
  readonly spellings: readonly (readonly string[])[];
  readonly isRound: boolean;
  /** One end of a range of it has more than one letter: others are of the alphabet. */
  readonly isOfWords?: true;
}

/** Those of lenders, with and without their notches. */
const ratings = [
  'aaa aa a bbb bb b ccc cc c d',
  'aaa aa+ aa aa- a+ a a- bbb+ bbb bbb- bb+ bb bb- b+ b b- ccc+ ccc ccc- cc c d',
];

/** Those of the words for comparisons; the platform knows what their days and months are called. */
const languages = 'en de fi sv da nb fr it es pt pl nl'.split(' ');

/** What is longer is no such word or range. */
const longest = 60;

const bare = (word: string): string => word.toLowerCase().replace(/\.$|-feira$/, '');

/** 2024 begins with a Monday. */
const namesOf = (part: 'weekday' | 'month', language: string, length: 'long' | 'short'): readonly string[] => {
  const format = new Intl.DateTimeFormat(language, { [part]: length, timeZone: 'UTC' });
  const [count, at] =
    part === 'month'
      ? [12, (each: number) => Date.UTC(2024, each)]
      : [7, (each: number) => Date.UTC(2024, 0, each + 1)];
  return Array.from({ length: count }, (_none, each) => bare(format.format(at(each))));
};

function orderOf(part: 'weekday' | 'month', language: string): Order {
  const names = namesOf(part, language, 'long');
  // Two letters tell days apart, and no months.
  const short = (part === 'month' ? [3] : [3, 2]).map((length) => names.map((name) => name.slice(0, length)));
  const spellings = [names, namesOf(part, language, 'short'), ...short];
  return { spellings: spellings.filter((words) => new Set(words).size === words.length), isRound: true };
}

let known: { readonly orders: readonly Order[]; readonly words: ReadonlySet<string> } | undefined;

/** Made with the first cell that may be such a range. */
function knownOrders(): NonNullable<typeof known> {
  if (known === undefined) {
    const orders = [
      ...languages.flatMap((language) => [orderOf('weekday', language), orderOf('month', language)]),
      ...ratings.map((words): Order => ({ spellings: [words.split(' ')], isRound: false, isOfWords: true })),
      { spellings: ['a b c d e f g h i j k l m n o p q r s t u v w x y z'.split(' ')], isRound: false },
    ];
    known = { orders, words: new Set(orders.flatMap(({ spellings }) => spellings.flat())) };
  }
  return known;
}

const isKnown = (word: string): boolean => knownOrders().words.has(bare(word));

/** Whether a word names a day, a month or a letter. */
export const isOfOrder = (word: string): boolean => word.length <= longest && isKnown(word.trim());
const mayBe = /^\p{L}[\p{L}’']*[.+]?(?: ?[-–—~…] ?\p{L}| \p{L}|,)/u;
const mayBeCodes = /^(?:\p{L}{1,4}[ -]?\d+|\p{L}\*|(?:19|20)\d\d\/\d\d) ?(?:[-–—~…,;|/ ]|\.{2})/u;
const exception = /^(.+?),? (?:except|but not|without|außer|ohne|sauf) (.+)$/iu;
/** What names of goods are: `A-1`, `E-bike`, `T-Mobile`. */
const code = /^\p{L}-[\p{L}\d]/u;

const mayBeWordRange = (cell: string): boolean => cell.length <= longest && (mayBe.test(cell) || mayBeCodes.test(cell));

const hasRange = (cell: string): boolean =>
  mayBeWordRange(cell) &&
  cell.split(/[,;|]/).some((part) => {
    const [first = '', last = ''] = partsOfRange(part.trim()) ?? [];
    return (isKnown(unstarred(first)) && isKnown(last)) || codesIn(part.trim()).length > 0;
  });

/** `B737-800` is an aircraft: without its letters the last of two codes stands behind another sign. */
function codesIn(cell: string): readonly string[] {
  const [first = '', last = ''] = partsOfRange(cell) ?? [];
  return /^\d+$/.test(last) && !/[–—]/.test(cell) ? [] : codesBetween(first, last);
}

/** What a column tells of its ranges of words. */
export interface Beside {
  /** The days, months and letters that stand in it alone, by which the spelling of a range is known. */
  readonly words: ReadonlySet<string>;
  /** Whether it has codes such as `A-1` and `X-B`. */
  readonly hasCodes: boolean;
  /** All that stands in it alone. */
  readonly alone: ReadonlySet<string>;
  /** A day, a month or a letter as the column writes it; undefined where it has none. */
  readonly sample: string | undefined;
  /** Those that its ranges begin and end with. */
  readonly ends: ReadonlySet<string>;
}

/** What people call some days of a week, from the first to the last, Monday being 0. */
const spans: readonly (readonly [words: RegExp, from: number, to: number])[] = [
  [
    /^(?:week ?days?|working days?|werktags?|werktage|wochentags?|jours ouvrables|vardagar|arkipäivät|hverdage)$/iu,
    0,
    4,
  ],
  [/^(?:week-?ends?|wochenenden?|viikonloppu|helger)$/iu, 5, 6],
];

/** The first of some spellings that has most of what the column writes; none of them where it has nothing of any. */
function usualOf(
  spellings: readonly (readonly string[])[],
  { words, ends }: Pick<Beside, 'words' | 'ends'>,
): readonly string[] | undefined {
  const hits = (spelling: readonly string[]): number =>
    spelling.filter((each) => words.has(each) || ends.has(each)).length;
  const [most] = spellings.toSorted((one, other) => hits(other) - hits(one));
  return most === undefined || hits(most) === 0 ? undefined : most;
}

/** `weekdays` beside days, as each of them is written there. */
function daysOf(cell: string, beside: Beside): readonly string[] {
  const [, from = 0, to = 0] = spans.find(([pattern]) => pattern.test(cell)) ?? [];
  if (to === 0) return [];
  const weeks = knownOrders().orders.flatMap(({ spellings }) => spellings.filter(({ length }) => length === 7));
  return (usualOf(weeks, beside) ?? []).slice(from, to + 1).map((day) => likeIt(day, beside.sample ?? ''));
}

/** A day or a month as its column writes it, where that is otherwise: `Sunday` beside `Sun`. */
export function spelledBeside(word: string, beside: Beside): string | undefined {
  for (const { spellings, isRound } of isKnown(word) ? knownOrders().orders : []) {
    const own = spellings.find((each) => each.includes(bare(word)));
    const usual = own && isRound ? usualOf([own, ...spellings], beside) : undefined;
    const text = usual?.[own?.indexOf(bare(word)) ?? 0];
    if (text !== undefined && text !== bare(word)) return likeIt(text, beside.sample ?? '');
  }
  return undefined;
}

const mayBeBetween = /^\p{L}[^,;|/\d]*?(?: ?[–—] ?| (?:-|to|bis) )\p{L}/u;

/** Whether a cell says that it goes from one word of its column to another: nobody else knows what is between them. */
export function isBetweenWords(cell: string, { alone }: Beside): boolean {
  const [first = '', last = ''] = cell.length <= longest && mayBeBetween.test(cell) ? (partsOfRange(cell) ?? []) : [];
  return alone.has(first.toLowerCase()) && alone.has(last.toLowerCase());
}

/** Undefined where no cell has such a range. @param cells each once */
export function besideIn(cells: readonly string[]): Beside | undefined {
  if (!cells.some((cell) => hasRange(cell) || mayBeBetween.test(cell))) return undefined;
  const words = cells.flatMap((cell) => (cell.length > longest ? [] : cell.split(/[,;|/]/)));
  const all = words.map((word) => word.trim().replace(/^["']|["']$/g, ''));
  const ends = all.flatMap((word) => partsOfRange(word)?.filter(isKnown) ?? []);
  const singles = all.filter(isKnown);
  return {
    words: new Set(singles.map(bare)),
    ends: new Set(ends.map(bare)),
    sample: [...singles, ...ends][0],
    alone: new Set(all.map((word) => word.toLowerCase())),
    hasCodes: all.some((word) => code.test(word) && !isRangeOfLetters(word)),
  };
}

/** The words that a cell of ranges and words names, in each way that it can be read; empty where it has no range. */
export function wordRangesIn(cell: string, beside: Beside): readonly (readonly string[])[] {
  const days = daysOf(cell, beside);
  if (days.length > 0) return [days];
  const [, most, except = ''] = exception.exec(cell) ?? [];
  if (most !== undefined) {
    const left = new Set(
      except.split(/ ?[,;&] ?| and | und | et /).map((word) => bare(spelledBeside(word, beside) ?? word)),
    );
    return wordRangesIn(most, beside).flatMap((words) => {
      const kept = words.filter((word) => !left.has(bare(word)));
      return kept.length === words.length - left.size && kept.length > 0 ? [kept] : [];
    });
  }
  if (!mayBeWordRange(cell)) return [];
  const parts = cell.split(/ ?[,;|] ?/);
  const ranges = parts.map((part) => wordsOf(part, beside));
  if (!ranges.some((found) => found.length > 0)) return [];
  if (parts.length === 1) return ranges[0] ?? [];
  const words = parts.map(
    (part, at) => ranges[at]?.[0] ?? (/^\p{L}+(?:\.|[ -]?\d+)?$/u.test(part) ? [part] : undefined),
  );
  return words.includes(undefined) ? [] : [words.flatMap((each) => each ?? [])];
}

/** The mark above `A` is `A*`. */
const unstarred = (word: string): string => word.replace(/^(\p{L})\*$/u, '$1');

function wordsOf(cell: string, around: Beside): readonly (readonly string[])[] {
  const best = /^\p{L}\*(?=[^*]*$)/u.exec(cell)?.[0];
  if (best === undefined) return wordsBetween(cell, around);
  return wordsBetween(cell.replace('*', ''), around).map((words) => [best, ...words]);
}

function wordsBetween(cell: string, { words: beside, hasCodes }: Beside): readonly (readonly string[])[] {
  const [first, last] = partsOfRange(cell) ?? [];
  const codes = codesIn(cell);
  if (codes.length > 0) return [codes];
  if (first === undefined || last === undefined || !isKnown(first) || !isKnown(last)) return [];
  const isLetters = first.length === 1 && last.length === 1;
  const isAlike = (first === first.toUpperCase()) === (last === last.toUpperCase());
  // Among codes a letter and a letter is one as well.
  if (isLetters && (!isAlike || hasCodes)) return [];
  const found = knownOrders().orders.flatMap(({ spellings, isRound, isOfWords }) => {
    if (isLetters && isOfWords) return [];
    const own = spellings.find((words) => words.includes(bare(first)) && words.includes(bare(last)));
    if (own === undefined) return [];
    const [from, to] = [own.indexOf(bare(first)), own.indexOf(bare(last))];
    if (from === to || (from > to && !isRound)) return [];
    const hits = (words: readonly string[]): number => words.filter((word) => beside.has(word)).length;
    const spelling = spellings.reduce((best, words) => (hits(words) > hits(best) ? words : best), own);
    const ways = Array.from(
      { length: ((to - from + own.length) % own.length) + 1 },
      (_none, at) => (from + at) % own.length,
    );
    return { words: ways.map((at) => likeIt(spelling[at] ?? '', first)), hits: hits(spelling) };
  });
  const most = Math.max(...found.map(({ hits }) => hits));
  const lists = found.filter(({ hits }) => hits === most).map(({ words }) => words);
  return lists.filter((list, at) => lists.findIndex((other) => other.join() === list.join()) === at);
}

function isRangeOfLetters(word: string): boolean {
  const [, first = '', last = ''] = /^(\p{L})-(\p{L})$/u.exec(word) ?? [];
  return first !== '' && first < last;
}

/** With capitals where the range has them. */
function likeIt(word: string, first: string): string {
  if (first === first.toUpperCase()) return word.toUpperCase();
  return first[0] === first[0]?.toUpperCase() ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}
