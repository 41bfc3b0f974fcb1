import { Problem, type Violation } from '../../errors.js';
import { messages, type Kept, type ScanLimits } from './jsonRules.js';
import { digit, escaped, isPrototypeName, readCodeUnit, refuseJson } from './jsonBytes.js';
import { maxViolations, pointerStep } from './violations.js';

/** What may come next. */
type Expected = 'value' | 'itemOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/** Bytes of a text in the outline, with its quotes and escapes: more than any key has. */
const maxOutlineText = 8192;
/** A number below 10 to this power is within a double's range, whatever its digits. */
const safeMagnitude = 308;

/**
 * Reads JSON (RFC 8259) piece by piece: makes all checks of a body, and keeps only an outline of it. So a large body
 * need not be parsed where only its outermost object matters, and never blocks the event loop.
 *
 * It accepts what `JSON.parse` accepts, within the limits. Where a name is repeated, all its values are checked.
 */
export class JsonScanner {
  /** Objects, lists, texts, numbers and so on, the outermost value included. */
  values = 0;
  /** Members or items of the outermost value. */
  fields = 0;
  /** The outermost value: objects, lists and long texts in it are empty, and members beyond `maxOutline` are left out. */
  outline: unknown = undefined;
  /** Texts, names and numbers that cannot be processed. */
  readonly violations: Violation[] = [];
  /** The start and the end of each item of the list `Kept.list`. */
  readonly items: number[] = [];
  /** How often there is such a list. */
  lists = 0;
  /** Where the texts among the outermost object's members are, with their quotes. */
  readonly texts = new Map<string, { readonly start: number; readonly end: number }>();

  readonly #bytes: Buffer;
  readonly #limits: ScanLimits;
  readonly #kept: Kept;
  #at = 0;
  #expected: Expected = 'value';
  #depth = 0;
  /** For each level: whether it is an object, the position of the present name (with its quotes), the present item. */
  readonly #isObject: Uint8Array;
  readonly #nameStart: Uint32Array;
  readonly #nameEnd: Uint32Array;
  readonly #item: Uint32Array;
  /** The scanner is in the list `Kept.list`. */
  #inList = false;
  /** Start of the text that the scanner is in; -1 outside of one. */
  #textStart = -1;
  #textViolation: string | undefined;

  /** @param bytes valid UTF-8 */
  constructor(bytes: Buffer, limits: ScanLimits, kept: Kept) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#kept = kept;
    this.#isObject = new Uint8Array(limits.maxDepth + 1);
    this.#nameStart = new Uint32Array(limits.maxDepth + 1);
    this.#nameEnd = new Uint32Array(limits.maxDepth + 1);
    this.#item = new Uint32Array(limits.maxDepth + 1);
  }

  /**
   * Reads about so many bytes more. Throws `malformed_json` for what is no JSON, or beyond the limits.
   * @returns true once all of it is read
   */
  scan(length: number): boolean {
    const until = Math.min(this.#bytes.length, this.#at + length);
    while (this.#at < until) {
      if (this.#textStart !== -1) this.#readText(until);
      else this.#readToken(this.#bytes[this.#at] ?? 0);
    }
    if (this.#at < this.#bytes.length) return false;
    if (this.#expected !== 'nothing') refuseJson(this.#bytes, this.#at);
    return true;
  }

  #readToken(code: number): void {
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at++;
      return;
    }
    switch (this.#expected) {
      case 'itemOrEnd':
        if (code === 0x5d) this.#close();
        else this.#beginValue(code);
        return;
      case 'value':
        this.#beginValue(code);
        return;
      case 'nameOrEnd':
      case 'name':
        if (code === 0x22) this.#beginText();
        else if (code === 0x7d && this.#expected === 'nameOrEnd') this.#close();
        else refuseJson(this.#bytes, this.#at);
        return;
      case 'colon':
        if (code !== 0x3a) refuseJson(this.#bytes, this.#at);
        this.#at++;
        this.#expected = 'value';
        return;
      case 'commaOrEnd':
        this.#goOn(code);
        return;
      case 'nothing':
        refuseJson(this.#bytes, this.#at);
    }
  }

  #goOn(code: number): void {
    const inObject = this.#isObject[this.#depth] === 1;
    if (code === (inObject ? 0x7d : 0x5d)) this.#close();
    else {
      if (code !== 0x2c) refuseJson(this.#bytes, this.#at);
      this.#at++;
      this.#item[this.#depth] = (this.#item[this.#depth] ?? 0) + 1;
      this.#expected = inObject ? 'name' : 'value';
    }
  }

  #beginValue(code: number): void {
    if (++this.values > this.#limits.maxValues)
      throw new Problem('malformed_json', `The body may hold at most ${this.#limits.maxValues} values.`);
    if (this.#depth === 1) this.fields++;
    else if (this.#depth === 2 && this.#inList && this.items.length < 2 * (this.#kept.list?.maxItems ?? 0))
      this.items.push(this.#at);
    if (code === 0x22) this.#beginText();
    else if (code === 0x7b) this.#open(true);
    else if (code === 0x5b) this.#open(false);
    else if (code === 0x2d || digit(code)) this.#readNumber();
    else if (code === 0x74) this.#readLiteral('true', true);
    else if (code === 0x66) this.#readLiteral('false', false);
    else if (code === 0x6e) this.#readLiteral('null', null);
    else refuseJson(this.#bytes, this.#at);
  }

  #open(isObject: boolean): void {
    if (this.#depth <= 1) this.#note(isObject ? {} : []);
    if (this.#depth === 1) this.#inList = !isObject && this.#isList();
    if (++this.#depth > this.#limits.maxDepth)
      throw new Problem('malformed_json', `The body may nest at most ${this.#limits.maxDepth} levels.`);
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#item[this.#depth] = 0;
    this.#at++;
    this.#expected = isObject ? 'nameOrEnd' : 'itemOrEnd';
  }

  #close(): void {
    this.#depth--;
    this.#at++;
    this.#valueRead();
  }

  /** Whether the list that begins is `Kept.list`. */
  #isList(): boolean {
    const { list } = this.#kept;
    const isIt = list !== undefined && this.#isObject[1] === 1 && this.#nameAt(1) === list.name;
    if (isIt) this.lists++;
    return isIt;
  }

  #valueRead(): void {
    if (this.#depth === 2 && this.#inList && this.items.length % 2 === 1) this.items.push(this.#at);
    this.#expected = this.#depth === 0 ? 'nothing' : 'commaOrEnd';
  }

  #readLiteral(text: string, value: boolean | null): void {
    for (let offset = 1; offset < text.length; offset++) {
      if (this.#bytes[this.#at + offset] !== text.charCodeAt(offset)) refuseJson(this.#bytes, this.#at + offset);
    }
    if (this.#depth <= 1) this.#note(value);
    this.#at += text.length;
    this.#valueRead();
  }

  #readNumber(): void {
    const bytes = this.#bytes;
    const start = bytes[this.#at] === 0x2d ? this.#at + 1 : this.#at;
    // After a leading zero there are no further digits.
    let end = bytes[start] === 0x30 ? start + 1 : this.#readDigits(start);
    let magnitude = end - start;
    if (bytes[end] === 0x2e) end = this.#readDigits(end + 1);
    if (bytes[end] === 0x65 || bytes[end] === 0x45) {
      const sign = bytes[end + 1];
      const exponent = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
      end = this.#readDigits(exponent);
      if (sign !== 0x2d) magnitude += end - exponent > 4 ? Infinity : Number(bytes.toString('latin1', exponent, end));
    }
    if (magnitude > safeMagnitude || this.#depth <= 1) {
      const value = Number(bytes.toString('latin1', this.#at, end));
      if (!Number.isFinite(value)) this.#blame(messages.range);
      if (this.#depth <= 1) this.#note(value);
    }
    this.#at = end;
    this.#valueRead();
  }

  /** @returns where they end; at least one digit is required */
  #readDigits(start: number): number {
    let end = start;
    while (digit(this.#bytes[end])) end++;
    if (end === start) refuseJson(this.#bytes, start);
    return end;
  }

  #beginText(): void {
    this.#textStart = this.#at++;
    this.#textViolation = undefined;
  }

  #readText(until: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < until) {
      const code = bytes[at] ?? 0;
      if (code === 0x22) {
        this.#at = at + 1;
        this.#textRead();
        return;
      }
      if (code === 0x5c) at = this.#readEscape(at);
      else if (code < 0x20) refuseJson(this.#bytes, at);
      else at++;
    }
    this.#at = at;
  }

  /** @returns where it ends; where it begins a surrogate pair, the end of the pair */
  #readEscape(at: number): number {
    const letter = this.#bytes[at + 1] ?? 0;
    if (letter !== 0x75) {
      if (!escaped.has(letter)) refuseJson(this.#bytes, at + 1);
      return at + 2;
    }
    const unit = this.#codeUnit(at);
    if (unit === 0) this.#textViolation = messages.nul;
    if (unit < 0xd800 || unit > 0xdfff) return at + 6;
    const paired = unit < 0xdc00 && this.#bytes[at + 6] === 0x5c && this.#bytes[at + 7] === 0x75;
    const second = paired ? this.#codeUnit(at + 6) : 0;
    if (second >= 0xdc00 && second <= 0xdfff) return at + 12;
    this.#textViolation ??= messages.surrogate;
    return at + 6;
  }

  /** The code unit of a `\uXXXX`. */
  #codeUnit(at: number): number {
    const unit = readCodeUnit(this.#bytes, at + 2);
    if (unit === undefined) refuseJson(this.#bytes, at + 2);
    return unit;
  }

  #textRead(): void {
    const start = this.#textStart;
    this.#textStart = -1;
    const isName = this.#expected === 'name' || this.#expected === 'nameOrEnd';
    if (isName) {
      this.#nameStart[this.#depth] = start;
      this.#nameEnd[this.#depth] = this.#at;
      this.#expected = 'colon';
      if (isPrototypeName(this.#bytes, start, this.#at)) this.#textViolation = messages.prototype;
    } else {
      if (this.#depth <= 1) this.#note(this.#at - start > maxOutlineText ? '' : this.#textAt(start, this.#at));
      if (this.#depth === 1 && this.#isObject[1] === 1 && this.fields <= this.#kept.maxOutline) {
        this.texts.set(this.#nameAt(1), { start, end: this.#at });
      }
      this.#valueRead();
    }
    if (this.#textViolation !== undefined) this.#blame(this.#textViolation);
  }

  #nameAt(level: number): string {
    return this.#textAt(this.#nameStart[level] ?? 0, this.#nameEnd[level] ?? 0);
  }

  /** @param start of its quotes */
  #textAt(start: number, end: number): string {
    return JSON.parse(this.#bytes.toString('utf8', start, end)) as string;
  }

  /** Keeps a value of the outermost levels. */
  #note(value: unknown): void {
    if (this.#depth === 0) this.outline = value;
    else if (this.fields <= this.#kept.maxOutline) {
      if (this.#isObject[1] !== 1) (this.outline as unknown[]).push(value);
      else (this.outline as Record<string, unknown>)[this.#nameAt(1)] = value;
    }
  }

  #blame(message: string): void {
    if (this.violations.length >= maxViolations) return;
    let pointer = '';
    for (let level = 1; level <= this.#depth; level++) {
      pointer += pointerStep(this.#isObject[level] === 1 ? this.#nameAt(level) : String(this.#item[level]));
    }
    this.violations.push({ in: 'body', pointer, message });
  }
}
