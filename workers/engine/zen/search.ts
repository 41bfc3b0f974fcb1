import type { RunState, Value } from '../values.js';
import { charge, chargeText } from './budget.js';
import { ZenDate } from './values/date.js';
import { equalScalars } from './values/equals.js';

/**
 * Length times length up to which the platform's search is used. It is the quickest for what texts usually hold, but takes
 * up to that many steps for others, and nothing can stop it meanwhile: this many are about 10 ms.
 */
const maxNative = 16_000_000;

function isQuick(text: string, part: string): boolean {
  return part.length * text.length <= maxNative;
}

/**
 * Is `part` in `text`? Linear time, whatever the texts are.
 * @throws EngineError as `charge` does
 */
export const includes = (run: RunState, text: string, part: string): boolean => indexIn(run, text, part) !== -1;

/**
 * As `text.indexOf(part)`, in linear time.
 * @throws EngineError as `charge` does
 */
export function indexIn(run: RunState, text: string, part: string): number {
  chargeText(run, text);
  chargeText(run, part);
  if (isQuick(text, part)) return text.indexOf(part);
  const end = part.length <= text.length ? new Search(part).next(text, 0) : -1;
  return end === -1 ? -1 : end - part.length;
}

/**
 * As `text.split(separator, most)` of a separator that is not empty, in linear time.
 * @throws EngineError as `charge` does
 */
export function splitAt(run: RunState, text: string, separator: string, most: number): string[] {
  chargeText(run, text);
  chargeText(run, separator);
  if (isQuick(text, separator)) return text.split(separator, most);
  const search = new Search(separator);
  const pieces: string[] = [];
  let from = 0;
  for (let end = search.next(text, 0); end >= 0 && pieces.length < most; end = search.next(text, from)) {
    pieces.push(text.slice(from, end - separator.length));
    from = end;
  }
  if (pieces.length < most) pieces.push(text.slice(from));
  return pieces;
}

/** Steps of a comparison with a date, for which a text has to be read. */
const stepsPerDate = 20;

/**
 * Is a scalar or a date among the items? Texts of the same length are compared unit by unit, and charged for that.
 * @throws EngineError as `charge` does
 */
export function isAmong(run: RunState, items: readonly Value[], value: Value): boolean {
  charge(run, items.length);
  for (const item of items) {
    if (typeof value === 'string' && typeof item === 'string') {
      if (item.length === value.length) chargeText(run, item);
    } else if (value instanceof ZenDate || item instanceof ZenDate) {
      charge(run, stepsPerDate);
    }
    if (equalScalars(value, item)) return true;
  }
  return false;
}

/** Knuth, Morris and Pratt's search for a text that is not empty. */
class Search {
  readonly #part: string;
  /** By length of a prefix: the length of its longest proper prefix that is also its suffix. */
  readonly #borders: Int32Array;

  constructor(part: string) {
    const borders = new Int32Array(part.length + 1);
    let length = 0;
    for (let at = 1; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length] ?? 0;
      if (part.charCodeAt(length) === unit) length++;
      borders[at + 1] = length;
    }
    this.#part = part;
    this.#borders = borders;
  }

  /** Where the first match that begins at `from` or after it ends; -1 where there is none. */
  next(text: string, from: number): number {
    const part = this.#part;
    const borders = this.#borders;
    let length = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length] ?? 0;
      if (part.charCodeAt(length) === unit) length++;
      if (length === part.length) return at + 1;
    }
    return -1;
  }
}
