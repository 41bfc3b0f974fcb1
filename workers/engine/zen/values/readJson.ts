import { EngineError } from '../../errors.js';
import type { Value, ValueObject } from '../../values.js';
import { Decimal, fits, maxScale } from './decimal.js';
import { mayLoseDigits, normalized } from './digits.js';
import { parseNumber } from './numbers.js';
import { checkNesting, setKey } from './objects.js';

/** Parsed JSON, and whether `JSON.parse` alone made it, so that there is no `Decimal` in it. */
export interface ReadJson {
  readonly value: Value;
  readonly plain: boolean;
}

/**
 * As `JSON.parse`, with every number as it is written, zeros at its end included.
 * @throws EngineError `type_error` for a number that the language does not have; the message names its location
 * @throws SyntaxError for a text that is no JSON
 */
export function readJson(text: string): ReadJson {
  if (!mayLoseDigits(text) && !isNumber.test(text)) return { value: JSON.parse(text) as Value, plain: true };
  return { value: new Reader(text, numberOf).whole(), plain: false };
}

/** The text is a number and nothing else. */
const isNumber = /^[-\d]/;

/**
 * The offset at which a text that `JSON.parse` refuses stops being JSON; V8 names it in some of its messages only. The
 * text's length where it ends too early.
 */
export function offsetOfSyntaxError(text: string): number {
  const reader = new Reader(text, () => 0);
  try {
    reader.whole();
  } catch {
    // What remains to be told is the location.
  }
  return reader.at;
}

const number = /-?(?:0(?!\d)|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;

/** Where a number stands that cannot be read, from the inside outwards. */
class Unreadable extends Error {
  readonly keys: (string | number)[] = [];
}

/** Reads JSON that is sound; of other JSON it gives `JSON.parse`'s error. */
class Reader {
  readonly #text: string;
  readonly #numberOf: (token: string) => Value;
  #at = 0;
  /** The next backslash: strings before it are slices of the text. */
  #backslash = -1;

  constructor(text: string, numberOf: (token: string) => Value) {
    this.#text = text;
    this.#numberOf = numberOf;
  }

  /** The offset after what has been read. */
  get at(): number {
    return this.#at;
  }

  whole(): Value {
    try {
      this.#skip();
      const value = this.#value(0);
      this.#skip();
      return this.#at === this.#text.length ? value : this.#fail();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const pointer = error.keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      throw new EngineError('type_error', `The number at \`${pointer}\` ${error.message}.`);
    }
  }

  /** @throws SyntaxError */
  #fail(): never {
    JSON.parse(this.#text);
    throw new SyntaxError('The text is not JSON.');
  }

  #skip(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > 32) return;
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
  }

  #value(depth: number): Value {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #word<T extends Value>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  /** Steps over the character, and what is blank after it; false where another one stands. */
  #accept(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#skip();
    return true;
  }

  #object(depth: number): ValueObject {
    checkNesting(depth);
    const object: ValueObject = {};
    this.#accept('{');
    if (this.#accept('}')) return object;
    do {
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      if (!this.#accept(':')) this.#fail();
      setKey(object, key, this.#member(key, depth));
    } while (this.#accept(','));
    return this.#end('}', object);
  }

  #list(depth: number): Value[] {
    checkNesting(depth);
    const list: Value[] = [];
    this.#accept('[');
    if (this.#accept(']')) return list;
    do list.push(this.#member(list.length, depth));
    while (this.#accept(','));
    return this.#end(']', list);
  }

  #end<T>(character: string, container: T): T {
    if (this.#text[this.#at] !== character) this.#fail();
    this.#at++;
    return container;
  }

  #member(key: string | number, depth: number): Value {
    try {
      return this.#value(depth + 1);
    } catch (error) {
      if (error instanceof Unreadable) error.keys.unshift(key);
      throw error;
    }
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    if (this.#backslash < start && this.#backslash !== Infinity) {
      const next = this.#text.indexOf('\\', start);
      this.#backslash = next < 0 ? Infinity : next;
    }
    if (end < 0) this.#fail();
    if (end < this.#backslash) {
      const text = this.#text.slice(start + 1, end);
      // A bare control character is no JSON.
      if (/[\u0000-\u001f]/.test(text)) this.#fail();
      this.#at = end + 1;
      return text;
    }
    for (let slashes = this.#slashesBefore(end); slashes % 2 === 1; slashes = this.#slashesBefore(end)) {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) this.#fail();
    }
    const text = JSON.parse(this.#text.slice(start, end + 1)) as string;
    this.#at = end + 1;
    return text;
  }

  #slashesBefore(at: number): number {
    let count = 0;
    while (this.#text[at - 1 - count] === '\\') count++;
    return count;
  }

  #number(): Value {
    const start = this.#at;
    number.lastIndex = start;
    if (!number.test(this.#text)) return this.#fail();
    this.#at = number.lastIndex;
    return this.#numberOf(this.#text.slice(start, this.#at));
  }
}

/** The cheapest exact form of a number; a double where it is what JSON has of it. */
function numberOf(token: string): Value {
  const double = Number(token);
  const point = token.indexOf('.');
  const isPlain = /^[-\d.]*$/.test(token);
  if (isPlain && (point < 0 || !token.endsWith('0')) && String(double) === token) return double;
  const exact = isPlain ? plainDecimal(token, point) : undefined;
  if (exact !== undefined) return exact;
  // A sum of `+ 0` turns a negative zero into zero.
  if (isInRange(double) && normalized(String(double)) === normalized(token)) return double + 0;
  const long = parseNumber(token);
  if (long !== undefined) return long;
  throw new Unreadable(`does not fit 28 digits: ${token.length > 60 ? `${token.slice(0, 60)}…` : token}`);
}

/** A number without exponent, where its digits fit. */
function plainDecimal(token: string, point: number): Value | undefined {
  const scale = point < 0 ? 0 : token.length - point - 1;
  const digits = point < 0 ? token : token.slice(0, point) + token.slice(point + 1);
  if (scale > maxScale || digits.length > longest) return undefined;
  // A sum of `+ 0` turns a negative zero into zero.
  if (digits.length < 16) return scale === 0 ? Number(digits) + 0 : new Decimal(Number(digits) + 0, scale);
  const units = BigInt(digits);
  return fits(units) ? new Decimal(units, scale) : undefined;
}

/** Characters of a sign and the digits of 96 bits, and of zeros before them. */
const longest = 40;

/** Whether a double may stand for a number: neither too large for 28 digits, nor so small that none are left. */
const isInRange = (double: number): boolean =>
  double === 0 || (Math.abs(double) >= 1e-28 && Math.abs(double) < 2 ** 96);
