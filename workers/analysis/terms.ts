import type { Value } from '../engine/values.js';
import { ZenDate } from '../engine/zen/values/date.js';
import { numberText, type Numeric } from '../engine/zen/values/numbers.js';
import { numberOrder, wholeFirst, wholeOrder } from './atoms.js';
import type { Order } from './numberLine.js';

/**
 * How the values of a field stand here. ZEN's stand for themselves. FEEL's dates and durations stand as numbers: so many
 * days, months or nanoseconds.
 */
export interface Terms {
  readonly numbers: Order<Numeric>;
  /** Whether a text may name a date, which is compared as one then. */
  readonly hasDates: boolean;
  /** What stands for a value as traces and facts have it. */
  readonly read: (value: Value) => Value;
  /** The value of a fact. */
  readonly written: (value: Value) => Value;
  readonly numberText: (value: Numeric) => string;
  readonly quoted: (text: string) => string;
}

export const zenTerms: Terms = {
  numbers: numberOrder,
  hasDates: true,
  read: (value) => value,
  // Facts have texts for dates.
  written: (value) => (value instanceof ZenDate ? value.toJSON() : value),
  numberText,
  quoted: (text) => (text.includes("'") ? `"${text}"` : `'${text}'`),
};

/** The same of a field without fractions. */
export const wholeTerms: Terms = { ...zenTerms, numbers: wholeOrder };

/** The same of a field of which fractions may come, and are not expected. */
export const wholeFirstTerms: Terms = { ...zenTerms, numbers: wholeFirst };
