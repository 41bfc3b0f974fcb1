import { currenciesIn, currencyOf } from './currencies.js';
import { unitOf } from './units.js';

// What a heading says that its numbers are of, and whether a cell says the same.

/** `Length (m)`, `Weight [kg]`; `Price, EUR`, `Fee in USD`; `Weight t`, `Days`, and not `Price per day`. */
const places = [
  /[([] *([^()[\]\s]+) *[)\]]\s*$/u,
  /(?:,| in) +(\p{L}+[²2]?|\p{Sc})\s*$/u,
  /(?:^|(?<! per| pro| je| par| por|\/) )(\p{L}+[²2]?|\p{Sc})\s*$/iu,
];

/** Words that say as often what else a column is about: its lowest value, how many there are, a size. */
const vague = /^(?:min|mins|[dhlsvyg]|an|mes|pt|mo|items?|units?|points?|persons?|people|pi.+)$/i;

/** The unit or the currency that a heading names; undefined where it names none that is known. */
export function unitOfHeading(heading: unknown): string | undefined {
  if (typeof heading !== 'string') return undefined;
  for (const place of places) {
    const [, word = ''] = place.exec(heading) ?? [];
    const unit = currencyOf(word) ?? (vague.test(word) ? undefined : unitOf(word));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** The unit or the currency that a column's own member says; it is written as people write it. Of several currencies none is its own. */
export function unitOfMember(member: unknown): string | undefined {
  if (typeof member !== 'string' || member.includes('%') || currenciesIn([member]).length > 1) return undefined;
  return member === 'kr' ? member : (currencyOf(member) ?? unitOf(member));
}

const wordBesideNumber = /(?<=\d ?\+?) ?(°\p{L}?|\p{L}+[²2]?)\.?(?![\p{L}\d])/gu;

/** A cell of a column whose numbers are all of one unit. */
interface InUnit {
  /** Without the units beside its numbers. */
  readonly bare: string;
  /** What its numbers are of, where that is something else: a unit or a currency. */
  readonly other: string | undefined;
  /** Some of its numbers are of this, and others of that. */
  readonly isMixed: boolean;
}

/** What a cell says of its unit. @param unit that of its column, as its heading names it, or as its cells were written */
export function inUnit(cell: string, unit: string): InUnit {
  const money = currenciesIn([cell]);
  const isMoney = unit === 'kr' || currencyOf(unit) === unit;
  const isOne = isMoney && currenciesIn([unit, ...money]).length <= 1;
  // Crowns beside those of a country are its own.
  const currencies = isOne ? [] : money;
  const counted = Array.from(cell.matchAll(wordBesideNumber), ([, word = '']) => unitOf(word, unit) ?? '');
  const found = new Set([...currencies, ...counted.filter((each) => each !== '')]);
  const [other = unit, ...more] = found;
  return {
    bare: cell.replace(wordBesideNumber, (text, word: string) => (unitOf(word, unit) === undefined ? text : '')),
    other: other === unit && more.length === 0 ? undefined : [...found].find((each) => each !== unit),
    isMixed: more.length > 0,
  };
}
