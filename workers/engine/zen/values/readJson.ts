import { EngineError } from '../../errors.js';
import type { Value, ValueObject } from '../../values.js';
import { Decimal, fits, maxScale } from './decimal.js';
import { normalized } from './digits.js';
import { parseNumber } from './numbers.js';
import { checkNesting, setKey } from './objects.js';

/** Characters, the point counted too, from which on a number may have more digits than a double holds. */
const manyDigits = 16;
/** Few places of a text pass what stands before the look back. */
const exponent = /\d[eE][-+\d]\d(?<=[:[,\s]-?[\d.]+[eE]..)/;

/**
 * Whether there may be a number that `JSON.parse` does not keep as it is written: of many digits, with zeros at the end of
 * its fraction, with an exponent of two digits. Words of a text may look like one too; reading them is only slower.
 */
function mayLoseDigits(json: string): boolean {
  // A number of so many characters covers at least one of the places that are looked at.
  for (let at = manyDigits - 1; at < json.length; at += manyDigits) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    const end = endOfDigits(json, at);
    const start = startOfDigits(json, at);
    if (end - start >= manyDigits && mayBeginNumber(json, start)) return true;
    at = Math.max(at, end - manyDigits);
  }
  for (let end, point = json.indexOf('.'); point >= 0; point = json.indexOf('.', end)) {
    end = endOfDigits(json, point);
    if (json[end - 1] === '0' && mayBeginNumber(json, startOfDigits(json, point))) return true;
  }
  return exponent.test(json);
}

const isDigitOrPoint = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2e;

function startOfDigits(json: string, at: number): number {
  let start = at;
  while (isDigitOrPoint(json.charCodeAt(start - 1))) start--;
  return start;
}

function endOfDigits(json: string, at: number): number {
  let end = at + 1;
  while (isDigitOrPoint(json.charCodeAt(end))) end++;
  return end;
}

const mayBeginNumber = (json: string, start: number): boolean =>
  /[:[,\s]/.test(json[json[start - 1] === '-' ? start - 2 : start - 1] ?? '');

/** Parsed JSON, and whether `JSON.parse` alone made it, so that there is no `Decimal` in it. */
export interface ReadJson {
  readonly value: Value;
  readonly plain: boolean;
}

/**
 * As `JSON.parse`, with every number as it is written, zeros at its end included.
 * @throws EngineError `type_error` for a number that the language does not have; the message names its place
 * @throws SyntaxError for a text that is no JSON
 */
export function readJson(text: string): ReadJson {
  if (!mayLoseDigits(text) && !isNumber.test(text)) return { value: JSON.parse(text) as Value, plain: true };
  return { value: new Reader(text).whole(), plain: false };
}

/** The text is a number and nothing else. */
const isNumber = /^[-\d]/;

const number = /-?(?:0(?!\d)|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;

/** Where a number stands that cannot be read, from the inside outwards. */
class Unreadable extends Error {
  readonly keys: (string | number)[] = [];
}

/** Reads JSON that is sound; of other JSON it gives `JSON.parse`'s error. */
class Reader {
  readonly #text: string;
  #at = 0;
  /** The next backslash: strings before it are slices of the text. */
  #backslash = -1;

  constructor(text: string) {
    this.#text = text;
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
    this.#at = end + 1;
    if (end < this.#backslash) {
      const text = this.#text.slice(start + 1, end);
      // A bare control character is no JSON.
      return /[\u0000-\u001f]/.test(text) ? this.#fail() : text;
    }
    for (let slashes = this.#slashesBefore(end); slashes % 2 === 1; slashes = this.#slashesBefore(end)) {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) this.#fail();
    }
    this.#at = end + 1;
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
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
    return numberOf(this.#text.slice(start, this.#at));
  }
}

/** The cheapest exact form of a number; a double where it is what JSON has of it. */
function numberOf(token: string): Value {
  const double = Number(token);
  const point = token.indexOf('.');
  const inPlaces = /^[-\d.]*$/.test(token);
  if (inPlaces && (point < 0 || !token.endsWith('0')) && String(double) === token) return double;
  const exact = inPlaces ? decimalInPlaces(token, point) : undefined;
  if (exact !== undefined) return exact;
  // A sum of `+ 0` turns a negative zero into zero.
  if (isInRange(double) && normalized(String(double)) === normalized(token)) return double + 0;
  const long = parseNumber(token);
  if (long !== undefined) return long;
  throw new Unreadable(`does not fit 28 digits: ${token.length > 60 ? `${token.slice(0, 60)}…` : token}`);
}

/** A number without exponent, where its digits fit. */
function decimalInPlaces(token: string, point: number): Value | undefined {
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
