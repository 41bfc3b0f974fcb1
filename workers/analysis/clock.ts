import { parseClock } from '../engine/zen/dates/parse.js';
import type { Value } from '../engine/values.js';
import { compareNumbers, isNumeric, numberText, type Numeric } from '../engine/zen/values/numbers.js';
import { constantValue, unaryOn } from './evaluate.js';
import type { Order } from './numberLine.js';
import type { Predicate } from './predicate.js';
import { zenTerms, type Terms } from './terms.js';

// Times of the day that `time` makes of a field. They stand as so many seconds since midnight, which `time` takes as well.

const [lastSecond, day] = [86_399, 86_400];

const one = String.raw`time\(\s*\$\s*\)\s*(?:[<>]=?|==|!=)\s*time\((?:"[^"]*"|'[^']*')\)`;
const comparisons = new RegExp(String.raw`^${one}(?:\s*(?:,|\band\b|\bor\b)\s*${one})*$`);
const constant = /time\(("[^"]*"|'[^']*')\)/g;

/** A cell that does nothing but compare the time of its field with times, as repairs write it; undefined for any other. */
export function clockPredicate(source: string): Predicate | undefined {
  const cell = source.trim();
  if (!comparisons.test(cell)) return undefined;
  const constants = [...cell.matchAll(constant)].map(([call, text = '']) =>
    text.slice(1, -1) === 'now' ? undefined : constantValue(call),
  );
  return constants.every((value) => isNumeric(value))
    ? { path: null, constants, within: [[0, lastSecond]], holds: unaryOn(source) }
    : undefined;
}

const secondsOf = (value: Numeric): number => Number(numberText(value));

/** The next full hour, else the next minute, else the next second. */
const clockOrder: Order<Numeric> = {
  compare: compareNumbers,
  between: (low, high) => {
    const [from, to] = [low === null ? 0 : secondsOf(low), high === null ? day : secondsOf(high)];
    const steps = [3600, 60, 1];
    const found =
      low === null && high !== null
        ? steps.map((step) => (Math.ceil(to / step) - 1) * step).find((value) => value >= 0)
        : steps.map((step) => (Math.floor(from / step) + 1) * step).find((value) => value < to);
    // After the last time there are numbers of seconds, before the first one there is nothing.
    return found ?? (low !== null && high === null ? from + 1 : undefined);
  },
};

const isTime = (value: Value): value is Numeric =>
  isNumeric(value) && secondsOf(value) >= 0 && secondsOf(value) <= lastSecond;

function clockText(value: Numeric): string {
  const text = new Date(secondsOf(value) * 1000).toISOString().slice(11, 19);
  return text.endsWith(':00') ? text.slice(0, -3) : text;
}

/** Of a field whose time alone is compared: what names no time is one of the other texts. */
export const clockTerms: Terms = {
  ...zenTerms,
  numbers: clockOrder,
  hasDates: false,
  read(value) {
    if (typeof value === 'string') return parseClock(value) ?? value;
    if (!isNumeric(value)) return value;
    const seconds = Math.floor(secondsOf(value));
    return seconds < 0 ? '' : seconds;
  },
  written: (value) => (isTime(value) ? clockText(value) : zenTerms.written(value)),
  numberText: (value) => (isTime(value) ? `time("${clockText(value)}")` : numberText(value)),
};
