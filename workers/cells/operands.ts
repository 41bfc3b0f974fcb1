import { readDay, readPeriod, readTime } from './dates.js';
import type { FormName } from './forms.js';
import { readNumber } from './numbers.js';
import type { Style } from './style.js';

// Numbers, days and times that people compare with.

/** A value of a column's kind, ready to be compared. */
export interface Operand {
  /** As a test for it alone. */
  readonly equal: string;
  /** As one side of a comparison. */
  readonly compared: string;
  readonly order: number | string;
  readonly form: FormName;
  readonly unit?: string | undefined;
  /** A period begins and ends. */
  readonly period?: readonly [string, string];
}

export type OrderedKind = 'number' | 'date' | 'time';

const forms = { percent: 'percent', currency: 'currency', scale: 'scale', unit: 'unit', otherUnit: 'unit' } as const;

/** Reads values of a kind. */
export const operandsOf: Readonly<Record<OrderedKind, (text: string, style: Style) => readonly Operand[]>> = {
  number: (text, style) =>
    readNumber(text, style).map(({ text: number, mark, unit }) => ({
      equal: number,
      compared: number,
      order: Number(number),
      form: mark === undefined ? 'number' : forms[mark],
      unit,
    })),
  date(text, style) {
    const bare = text.replace(/^(["'])(.*)\1$/, '$2');
    const day = readDay(bare, style);
    if (day !== undefined)
      return [{ equal: `"${day}"`, compared: `d("${day}")`, order: day, form: text === bare ? 'date' : 'order' }];
    const period = readPeriod(bare, style.hasYears);
    if (period === undefined) return [];
    return [{ equal: between('date', period), compared: '', order: period[0], form: 'date', period }];
  },
  time(text, { hasHours }) {
    const bare = text.replace(/^(["'])(.*)\1$/, '$2');
    const time = readTime(bare, hasHours);
    if (time === undefined) return [];
    return [{ equal: `"${time}"`, compared: `time("${time}")`, order: time, form: text === bare ? 'time' : 'order' }];
  },
};

export const side = (kind: OrderedKind): string => (kind === 'time' ? 'time($) ' : '');

function between(kind: 'date' | 'time', [low, high]: readonly [string, string]): string {
  const of = (text: string): string => `${kind === 'date' ? 'd' : 'time'}("${text}")`;
  return `${side(kind)}>= ${of(low)} and ${side(kind)}<= ${of(high)}`;
}
