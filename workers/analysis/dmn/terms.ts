import {
  Big,
  durationFrom,
  isNumber,
  dateFrom,
  numberFrom,
  numberText,
  simplest,
  type Feel,
  type FeelType,
} from '../../engine/feel/index.js';
import { DaysDuration, FeelDate, MonthsDuration } from '../../engine/feel/values/temporal.js';
import type { Value } from '../../engine/values.js';
import { isObject } from '../../engine/zen/values/kinds.js';
import { Decimal } from '../../engine/zen/values/decimal.js';
import { isNumeric, numberText as zenText, parseNumber, type Numeric } from '../../engine/zen/values/numbers.js';
import { numberOrder, wholeOrder } from '../atoms.js';
import type { Terms } from '../terms.js';

/** How values of one kind of FEEL stand in the analysis. */
export interface FeelTerms {
  readonly terms: Terms;
  /** What stands for a value; undefined for one of another kind, and for one of too many digits. */
  readonly termOf: (value: Feel) => Value | undefined;
  readonly feelOf: (term: Value) => Feel;
}

/** Digits of a number beyond which two may have nothing between them for ZEN, and something for FEEL. */
const mostDigits = 20;

const quoted = (text: string): string => JSON.stringify(text);

/** Numbers, texts and truth values stand for themselves. */
export const plainTerms: FeelTerms = {
  terms: {
    numbers: numberOrder,
    hasDates: false,
    read: (value) => value,
    written: (value) => value,
    numberText: zenText,
    quoted,
  },
  termOf(value) {
    if (!isNumber(value)) return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
    if (typeof value === 'number') return value;
    return value.precision() > mostDigits || Math.abs(value.e) > mostDigits
      ? undefined
      : parseNumber(numberText(value));
  },
  feelOf: (term) => (isNumeric(term) ? numberOf(term) : other(term)),
};

const numberOf = (term: Numeric): Feel =>
  term instanceof Decimal ? (simplest(new Big(term.toJsonText())) ?? null) : (numberFrom(String(term)) ?? null);

/** A value that no constant of the kind can be compared with stands for all others. */
const other = (term: Value): Feel => {
  if (term === null || typeof term === 'string' || typeof term === 'boolean') return term;
  return isObject(term) ? new Map() : [];
};

interface Counted<T> {
  readonly read: (text: string) => Feel | undefined;
  readonly isOne: (value: Feel) => value is T & Feel;
  readonly countOf: (value: T) => Numeric | undefined;
  readonly ofCount: (count: Numeric) => (T & Feel) | undefined;
  /** As FEEL writes it. */
  readonly source: (text: string) => string;
}

/** What is counted in days, months or nanoseconds. */
function countedTerms<T extends { toString(): string }>({
  read,
  isOne,
  countOf,
  ofCount,
  source,
}: Counted<T>): FeelTerms {
  const feelOf = (term: Value): Feel => (isNumeric(term) ? (ofCount(term) ?? null) : other(term));
  const termOf = (value: Feel): Value | undefined => (isOne(value) ? countOf(value) : undefined);
  const textOf = (term: Numeric): string => ofCount(term)?.toString() ?? '';
  return {
    terms: {
      numbers: wholeOrder,
      hasDates: false,
      // What is no such text is one of the others.
      read: (value) => (value === null ? null : typeof value === 'string' ? (termOf(read(value) ?? null) ?? []) : []),
      written: (value) => (isNumeric(value) ? textOf(value) : value),
      numberText: (value) => source(textOf(value)),
      quoted,
    },
    termOf,
    feelOf,
  };
}

const wholeOf = (count: Numeric): number => Number(zenText(count));

const byKind: Partial<Record<FeelType['kind'], FeelTerms>> = {
  number: plainTerms,
  string: plainTerms,
  boolean: plainTerms,
  date: countedTerms<FeelDate>({
    read: dateFrom,
    isOne: (value) => value instanceof FeelDate,
    countOf: ({ days }) => days,
    ofCount: (count) => FeelDate.ofDays(wholeOf(count)),
    source: (text) => `date("${text}")`,
  }),
  'years and months duration': countedTerms<MonthsDuration>({
    read: durationFrom,
    isOne: (value) => value instanceof MonthsDuration,
    countOf: ({ months }) => months,
    ofCount: (count) => new MonthsDuration(wholeOf(count)),
    source: (text) => `duration("${text}")`,
  }),
  'days and time duration': countedTerms<DaysDuration>({
    read: durationFrom,
    isOne: (value) => value instanceof DaysDuration,
    countOf: ({ nanos }) => parseNumber(String(nanos)),
    ofCount: (count) => new DaysDuration(BigInt(zenText(count))),
    source: (text) => `duration("${text}")`,
  }),
};

/** How values of a kind stand; undefined for kinds whose values cannot be put in order here. */
export const termsOf = (kind: FeelType['kind']): FeelTerms | undefined => byKind[kind];
