import { mayLoseDigits, normalized } from './digits.js';
import { readWith } from './reader.js';
import { someNumber } from './tokens.js';

/**
 * A number of JSON as it was written, where a double would lose some of its digits, zeros at its end included. Node 20 has
 * no `JSON.rawJSON`, so such numbers pass `JSON.stringify` under a mark that no document holds.
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
const mark = `number-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}:`;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');

/**
 * As JSON.parse, but with a `LongNumber` for each number that no double holds exactly.
 * @param parsed what JSON.parse makes of the text, where the caller has it already
 * @throws SyntaxError as JSON.parse does
 */
export function parseExactly(text: string, parsed?: unknown): unknown {
  if (mayLoseDigits(text)) return readWith(text, { number: exactNumber });
  return parsed === undefined ? JSON.parse(text) : parsed;
}

const exactNumber = (token: string): number | LongNumber =>
  isDouble(token) && !zeroAtEnd.test(token) ? Number(token) : new LongNumber(token);

/** As JSON.stringify; each `LongNumber` is written as it was. @param indent spaces of each level; 0 for one line */
export function formatJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(marked, '$1');
}

/** Fewer digits than this always fit a double. */
const safeLength = 15;
/** `1.50`, which `string` shows as it is. */
const zeroAtEnd = /\.\d*0$/;

function isDouble(number: string): boolean {
  if (number.length <= safeLength && !/e/i.test(number)) return true;
  return normalized(number) === normalized(String(Number(number)));
}

/** Places after the point, and bits of all digits together, that numbers of runs have. */
const runs = { places: 28, bits: 96n };

/** Whether runs hold less than all digits of a JSON text's numbers: they have decimals of 28 digits, and take doubles as they are. */
export const exceedsRuns = (text: string): boolean =>
  someNumber(text, (number) => !isDouble(number) && !fitsRuns(number));

function fitsRuns(number: string): boolean {
  const [digits = '', power = '0'] = normalized(number)
    .replace(/^-/, '')
    .split(/e(?=-?\d+$)/);
  const zeros = Number(power);
  if (-zeros > runs.places || digits.length + Math.max(0, zeros) > runs.places + 1) return false;
  return BigInt(digits + '0'.repeat(Math.max(0, zeros))) >> runs.bits === 0n;
}

/** Whether doubles hold less than all digits of a JSON text's numbers. */
export const losesDigits = (text: string): boolean => someNumber(text, (number) => !isDouble(number));
