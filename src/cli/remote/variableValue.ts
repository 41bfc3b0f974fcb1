import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exceedsRuns, losesDigits, parseExactly } from '../../../workers/json/index.js';
import { maxValueLength } from '../../environments/variableRules.js';
import { Refusal, UsageError, codeOf } from '../failures.js';
import type { Session } from '../session.js';

// Nothing here repeats a value or the name of its file in an error: it may be a secret, also where it stands by mistake.

/** Where the value of `variable set` stands: as an argument, in a file, or for `-` on standard input. */
export interface ValueSource {
  readonly argument: string | undefined;
  readonly file: string | undefined;
}

/** Reads a value's text; one line end at the end of a file or of standard input is no part of it. */
export async function readValue(session: Session, { argument, file }: ValueSource): Promise<string> {
  if ((argument === undefined) === (file === undefined)) {
    throw new UsageError('give either a value (- for standard input) or --from-file.');
  }
  if (argument !== undefined && argument !== '-') return argument;
  const bytes = file === undefined ? await session.readInput() : await readFileOf(resolve(session.directory, file));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new Refusal('the value is not UTF-8 text.');
  }
}

function readFileOf(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new Refusal(`the file of --from-file cannot be read${codeOf(error)}.`);
  });
}

/**
 * What a variable's text means: JSON where it parses as such and a run would see all of it, else a text.
 * @param kind `secret`: a text as it stands; `secretJson`: JSON, if its text would be the same again
 * @throws Refusal for what is too long, and for JSON that holds numbers of more digits than runs have
 */
export function parseValue(text: string, kind: 'plain' | 'secret' | 'secretJson'): unknown {
  if (text.length > maxValueLength) throw new Refusal(`the value is longer than ${maxValueLength} characters.`);
  if (kind === 'secret') return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    if (value === Infinity || value === -Infinity) throw tooLarge();
    if (typeof value !== 'number') return value;
    if (kind === 'secretJson') return !losesDigits(text) && String(value) === text.trim() ? value : text;
  }
  refuseLosses(text, value);
  return parseExactly(text, value);
}

/** @throws Refusal where a number within would not be the same in a run */
function refuseLosses(text: string, value: unknown): void {
  try {
    if (hasInfinity(value)) throw tooLarge();
    if (!exceedsRuns(text)) return;
  } catch (error) {
    throw error instanceof RangeError ? new Refusal('the value nests too deeply.') : error;
  }
  throw new Refusal(
    'a number in the value has more than 28 digits, which no run can hold; write it as a text, in quotes.',
  );
}

const hasInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : value === Infinity || value === -Infinity;

const tooLarge = (): Refusal => new Refusal('a number in the value is beyond the range of a double.');
