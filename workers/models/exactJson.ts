import { randomUUID } from 'node:crypto';
import { normalized } from '../engine/zen/values/digits.js';

/**
 * A number of JSON as it was written, where a double would lose some of its digits, zeros at its end included. Node 20 has neither `JSON.rawJSON`
 * nor a reviver that sees the text, so such numbers pass `JSON` under a mark that no document holds.
 */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return mark + this.text;
  }

  /** Whether both are the same number, however it is written. */
  equals(other: LongNumber): boolean {
    return normalized(this.text) === normalized(other.text);
  }
}

/** Random for each process. */
const mark = `number-${randomUUID()}:`;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');

/**
 * As JSON.parse, but with a `LongNumber` for each number that no double holds exactly.
 * @param parsed what JSON.parse makes of the text, where the caller has it already
 * @throws SyntaxError as JSON.parse does
 */
export function parseExactly(text: string, parsed: unknown = JSON.parse(text)): unknown {
  const withMarks = markNumbers(text);
  if (withMarks === undefined) return parsed;
  return JSON.parse(withMarks, (_key, item: unknown) =>
    typeof item === 'string' && item.startsWith(mark) ? new LongNumber(item.slice(mark.length)) : item,
  );
}

/** As JSON.stringify; each `LongNumber` is written as it was. @param indent spaces of each level; 0 for one line */
export function formatJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(marked, '$1');
}

const token = /"|-?\d[\d.eE+-]*/g;

/** The text (JSON) with the numbers that no double keeps as marked strings; undefined where it has none. */
function markNumbers(text: string): string | undefined {
  let copied = '';
  let from = 0;
  for (const { number, at } of numbersOf(text)) {
    if (isDouble(number) && !zeroAtEnd.test(number)) continue;
    copied += `${text.slice(from, at)}"${mark}${number}"`;
    from = at + number.length;
  }
  return from === 0 ? undefined : copied + text.slice(from);
}

function* numbersOf(text: string): Generator<{ readonly number: string; readonly at: number }> {
  for (let from = 0; ;) {
    token.lastIndex = from;
    const found = token.exec(text);
    if (found === null) return;
    const [piece] = found;
    from = piece === '"' ? endOfString(text, found.index) : token.lastIndex;
    if (piece !== '"') yield { number: piece, at: found.index };
  }
}

/** The offset after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}

/** Fewer digits than this always fit a double. */
const safeLength = 15;
/** `1.50`, which `string` shows as it is. */
const zeroAtEnd = /\.\d*0$/;

function isDouble(number: string): boolean {
  if (number.length <= safeLength && !/e/i.test(number)) return true;
  return normalized(number) === normalized(String(Number(number)));
}

/** Whether doubles hold less than all digits of a JSON text's numbers. */
export function losesDigits(text: string): boolean {
  for (const { number } of numbersOf(text)) if (!isDouble(number)) return true;
  return false;
}
