import { endOfString } from './tokens.js';

/** Where the reader is. */
export interface Place {
  /** The names and indices that lead to what is being read. */
  readonly path: readonly (string | number)[];
  /** The offset in the text. */
  readonly at: number;
}

/** What a reader makes of a text, and what it is told on the way. */
interface Reading {
  /** The value of a number. @param token as it is written */
  readonly number: (token: string, place: Place) => unknown;
  /** A value begins, at that many levels below the outermost one. May throw, so as to refuse it. */
  readonly value?: (level: number) => void;
  /** A list or an object begins; the outermost one is on level 1. May throw, so as to refuse it. */
  readonly container?: (level: number, place: Place) => void;
  /** A text was read, or the name of a member, which is the last step of the path then. */
  readonly text?: (text: string, place: Place, isName: boolean) => void;
}

/** A text is no JSON. The message is that of `JSON.parse`. */
export class NotJson extends SyntaxError {
  /** The first character that no JSON goes on with, or the length of a text that ends too early. */
  readonly at: number;
  /** Where the word, number or string that `at` lies in begins. */
  readonly tokenAt: number;

  constructor(text: string, at: number, tokenAt: number) {
    super(messageOf(text));
    this.at = at;
    this.tokenAt = tokenAt;
  }
}

function messageOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
  }
  return 'The text is not JSON.';
}

/**
 * Reads JSON as `JSON.parse` does, with numbers made of their text.
 * @throws NotJson, and what `reading` throws
 */
export function readWith(text: string, reading: Reading): unknown {
  return new Reader(text, reading).whole();
}

/** Sets an own property whatever its name, `__proto__` included. `target` must be the caller's own. */
export function setKey<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** The only code that reads a text of JSON value by value. */
class Reader implements Place {
  at = 0;
  readonly #text: string;
  readonly #reading: Reading;
  /** The next backslash: strings before it are slices of the text. */
  #backslash = -1;
  /** One step for each level; those beyond the present level are of values that were read before. */
  readonly #steps: (string | number)[] = [];
  #level = 0;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
  }

  get path(): readonly (string | number)[] {
    return this.#steps.slice(0, this.#level);
  }

  whole(): unknown {
    this.#skip();
    const value = this.#value(0);
    this.#skip();
    return this.at === this.#text.length ? value : this.#fail(this.at);
  }

  #fail(at: number): never {
    throw new NotJson(this.#text, at, this.at);
  }

  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  #value(level: number): unknown {
    this.#level = level;
    this.#reading.value?.(level);
    switch (this.#text[this.at]) {
      case '{':
        return this.#object(level + 1);
      case '[':
        return this.#list(level + 1);
      case '"': {
        const text = this.#string();
        this.#reading.text?.(text, this, false);
        return text;
      }
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

  #word<T>(word: string, value: T): T {
    for (let offset = 1; offset < word.length; offset++) {
      if (this.#text[this.at + offset] !== word[offset]) this.#fail(this.at + offset);
    }
    this.at += word.length;
    return value;
  }

  /** Steps over the character, and what is blank after it; false where another one stands. */
  #accept(character: string): boolean {
    this.#skip();
    if (this.#text[this.at] !== character) return false;
    this.at++;
    this.#skip();
    return true;
  }

  #object(level: number): Record<string, unknown> {
    this.#reading.container?.(level, this);
    const object: Record<string, unknown> = {};
    this.#accept('{');
    if (this.#ends('}')) return object;
    do {
      if (this.#text[this.at] !== '"') this.#fail(this.at);
      const key = this.#string();
      this.#steps[level - 1] = key;
      this.#level = level;
      this.#reading.text?.(key, this, true);
      if (!this.#accept(':')) this.#fail(this.at);
      setKey(object, key, this.#value(level));
    } while (this.#accept(','));
    return this.#ends('}') ? object : this.#fail(this.at);
  }

  #list(level: number): unknown[] {
    this.#reading.container?.(level, this);
    const list: unknown[] = [];
    this.#accept('[');
    if (this.#ends(']')) return list;
    do {
      this.#steps[level - 1] = list.length;
      list.push(this.#value(level));
    } while (this.#accept(','));
    return this.#ends(']') ? list : this.#fail(this.at);
  }

  #ends(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #string(): string {
    const start = this.at;
    let end = this.#text.indexOf('"', start + 1);
    if (this.#backslash < start && this.#backslash !== Infinity) {
      const next = this.#text.indexOf('\\', start);
      this.#backslash = next < 0 ? Infinity : next;
    }
    if (end > this.#backslash) end = endOfString(this.#text, start) - 1;
    // Without its last quote, too.
    if (end < 0 || end >= this.#text.length) return this.#failInString(start);
    const text = end < this.#backslash ? this.#text.slice(start + 1, end) : this.#unescaped(start, end + 1);
    if (end < this.#backslash && control.test(text)) return this.#failInString(start);
    this.at = end + 1;
    return text;
  }

  #unescaped(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      return this.#failInString(start);
    }
  }

  #failInString(start: number): never {
    for (let at = start + 1; ;) {
      special.lastIndex = at;
      const found = special.exec(this.#text);
      if (found === null) return this.#fail(this.#text.length);
      at = found.index;
      escape.lastIndex = at;
      if (escape.test(this.#text)) at = escape.lastIndex;
      else if (found[0] !== '\\') return this.#fail(at);
      // The letter after the backslash, or what is to be the four digits of an escape.
      else return this.#fail(Math.min(this.#text.length, this.#text[at + 1] === 'u' ? at + 2 : at + 1));
    }
  }

  #number(): unknown {
    const start = this.at;
    const first = this.#text[start] === '-' ? start + 1 : start;
    // After a leading zero there are no further digits.
    let end = this.#text[first] === '0' ? first + 1 : this.#digits(first);
    if (this.#text[end] === '.') end = this.#digits(end + 1);
    if (this.#text[end] === 'e' || this.#text[end] === 'E') {
      const sign = this.#text[end + 1];
      end = this.#digits(sign === '+' || sign === '-' ? end + 2 : end + 1);
    }
    if (isDigit(this.#text.charCodeAt(end))) this.#fail(end);
    const value = this.#reading.number(this.#text.slice(start, end), this);
    this.at = end;
    return value;
  }

  /** @returns where they end; at least one is required */
  #digits(start: number): number {
    let end = start;
    while (isDigit(this.#text.charCodeAt(end))) end++;
    return end === start ? this.#fail(start) : end;
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** No character below a blank stands in a string as it is. */
const control = /[\u0000-\u001f]/;
const special = /[\\\u0000-\u001f]/g;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
