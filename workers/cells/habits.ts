import { hasPadded } from './codes.js';
import { currenciesIn } from './currencies.js';
import { longestCell, readCondition, readResult, stylesOf } from './conditions.js';
import { readPlain, type ValueKind } from './literals.js';
import { pointsOf } from './points.js';
import { hourStyle, withPlainSigns } from './style.js';
import { isEverything, maybeEverything, readTruth } from './words.js';

/** What a cell tells of its column. */
export interface Habits {
  readonly kind?: ValueKind | undefined;
  /** The same, where it compares or is a range. */
  readonly ordered?: ValueKind | undefined;
  readonly units: readonly string[];
  /** A number, or several, with a currency. */
  readonly isMoney?: boolean;
  readonly isComma?: boolean;
  /** Its decimals have a point for certain. */
  readonly isPoint?: boolean;
  /** It has zeros behind a point, which decimals need not and thousands do. */
  readonly isIdle?: boolean;
  /** It has a number of thousands without anything between them. */
  readonly isLarge?: boolean;
  /** Words without quotes. */
  readonly isName?: boolean;
  /** A text of digits. */
  readonly isCode?: boolean;
  /** A number with zeros before it. */
  readonly isPadded?: boolean;
  /** Times with their seconds. */
  readonly hasSeconds?: boolean | undefined;
  /** Times from an evening to a morning, which numbers in an order never are. */
  readonly isNight?: boolean;
  /** A word that may be a truth. */
  readonly isDoubtful?: boolean;
}

const nothing: Habits = { units: [] };

/** Of a test in ZEN. */
const inOrder = /[<>]|\.\./;

const habitsOfNumbers = (cell: string): Pick<Habits, 'isPoint' | 'isIdle' | 'isLarge'> => {
  const { isDecimal, isIdle } = pointsOf(cell);
  return { isPoint: isDecimal, isIdle, isLarge: /(?<!\d|\d\.)\d{4,}(?!\d|\.\d)/.test(cell) };
};

/** Whether a number or a range of numbers is a time among times: `06.00`, `8-16`, `< 18`; a whole number alone is none. */
export const isOfHours = (source: string, isTest: boolean): boolean =>
  /\D/.test(source.trim()) &&
  (isTest ? readCondition : readResult)(withPlainSigns(source), 'time', hourStyle).length > 0;

/** Of which kind somebody who wrote the cell thinks, whatever ZEN makes of it. */
export function habitsOf(source: string, isTest: boolean): Habits {
  const plain = readPlain(source.trim());
  const cell = plain === undefined ? withPlainSigns(source) : source;
  if (cell === '') return nothing;
  if (plain !== undefined) {
    const kind = plain.kind === 'mixed' ? undefined : plain.kind;
    const habits = kind === 'number' ? habitsOfNumbers(cell) : {};
    const isCode = kind === 'text' && plain.texts.every((text) => /^\d+$/.test(text));
    const isPadded = isCode && plain.texts.some(hasPadded);
    const ordered = isTest && inOrder.test(cell) ? kind : undefined;
    const hasSeconds =
      kind === 'time' && plain.texts.length > 0 ? plain.texts.every((text) => /:\d\d:/.test(text)) : undefined;
    return { ...nothing, kind, isCode, isPadded, ordered, hasSeconds, ...habits };
  }
  if (cell.length > longestCell) return { ...nothing, isName: isWords(cell) };
  if (isEverything(cell) || maybeEverything(cell)) return nothing;
  const read = isTest ? readCondition : readResult;
  for (const kind of ['time', 'date', 'number'] as const) {
    // `2026-Q1` is a name for a period as often as a period.
    if (kind === 'date' && !/\d[-/. ]|[a-z]{3}/i.test(cell)) continue;
    const found = stylesOf[kind].map((style) => ({ style, written: read(cell, kind, style) }));
    const all = found.flatMap(({ written }) => written);
    if (all.length === 0) continue;
    const isComma =
      kind === 'number' && found.every(({ style, written }) => style.decimal === ',' || written.length === 0);
    const habits = kind === 'number' ? habitsOfNumbers(cell) : {};
    const ordered = all.some(({ text }) => inOrder.test(text)) ? kind : undefined;
    return {
      ...nothing,
      ...habits,
      kind,
      ordered,
      units: all.flatMap(({ units }) => units),
      isMoney: kind === 'number' && currenciesIn([cell]).length > 0,
      isComma,
      isNight: kind === 'time' && all.some(({ text }) => text.includes(' or ')),
      isPadded: kind === 'number' && hasPadded(cell),
    };
  }
  const truth = readTruth(cell);
  if (truth !== undefined) return { ...nothing, kind: 'boolean', isDoubtful: !truth.isSure };
  return { ...nothing, isName: isWords(cell.replace(/ \(([^()]+)\)/g, ' $1')) };
}

/** Words and signs that stand between them, so that no expression is meant; names of fields are to be asked for. */
export const isWords = (cell: string): boolean =>
  /^[\p{L}\p{N} .,;:&'’|/#%_–—“”„«»‘‚-]+$/u.test(cell) && /[\p{L}\p{N}]/u.test(cell);
