import { currencyOf } from './currencies.js';
import { unitOf } from './numbers.js';

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

const wordBesideNumber = /(?<=\d) ?(\p{L}+[²2]?)\.?(?![\p{L}\d])/gu;

/** A cell without the unit that its heading names anyhow; null where it names another one, which nobody can take away. */
export function withoutUnit(cell: string, heading: string): string | null {
  const isMoney = currencyOf(heading) === heading;
  const money = currencyOf(cell);
  if (isMoney) return money === undefined || money === heading ? cell : null;
  const unitsIn = Array.from(cell.matchAll(wordBesideNumber), ([, word = '']) => unitOf(word, heading));
  if (unitsIn.some((unit) => unit !== undefined && unit !== heading)) return null;
  return cell.replace(wordBesideNumber, (found, word: string) => (unitOf(word, heading) === heading ? '' : found));
}
