import { isUtf8 } from 'node:buffer';
import { Problem } from '../../errors.js';
import { suspicious, unprocessable } from './jsonRules.js';
import { JsonScanner } from './jsonScanner.js';
import type { Slices } from '../../scheduler/slices.js';

export interface JsonBody {
  /** The body as it was sent; one with a byte order mark is refused. */
  readonly text: string;
  /** The parsed value; of a large open body an outline (JsonScanner), with the outermost object's short texts. */
  readonly value: unknown;
  /** Only the first violation of such a body is reported. */
  readonly large: boolean;
}

/**
 * Where an operation's schema names the fields: in a `closed` body on every level, in an `open` one only on the first.
 */
export type BodyShape = 'open' | 'closed';

/**
 * Reads bytes as JSON, strictly: UTF-8, depth, number of values, and no strings that MySQL or a model could choke on.
 * A small body is read at once, a large one in slices of the event loop that its owners (workspaces, tenants) share fairly.
 * Throws or rejects with `malformed_json` and `validation_failed`.
 */
export type ReadText = (bytes: Buffer, owner: string, shape: BodyShape) => JsonBody | Promise<JsonBody>;

/** Most levels of a request body: more than facts have, and few enough for recursive walks. */
export const maxJsonDepth = 64;
/** Values (objects, lists, texts, numbers, …) that a body may hold: parsed, each takes some hundred bytes. */
export const maxJsonValues = 200_000;
/** Bytes from which on a body is scanned in pieces, and only its first violation is reported. */
export const largeBody = 65_536;
/**
 * A time slice of scanning, in milliseconds, and the bytes between two looks at the clock: the time for a byte varies
 * much.
 */
const sliceMs = 0.5;
const pieceBytes = 4096;
/** More fields than any operation has. */
const maxNamedValues = 1000;

export const malformed = (detail: string): Problem => new Problem('malformed_json', detail);

export function createReadText({ maxDepth, slices }: { maxDepth: number; slices: Slices }): ReadText {
  return (bytes, owner, shape) => {
    requireUtf8(bytes);
    if (bytes.length < largeBody) return readSmall(bytes, maxDepth);
    return readSliced(bytes, shape, { maxDepth, slices, owner });
  };
}

async function readSliced(
  bytes: Buffer,
  shape: BodyShape,
  { maxDepth, slices, owner }: { maxDepth: number; slices: Slices; owner: string },
): Promise<JsonBody> {
  const scanner = new JsonScanner(bytes, { maxDepth, maxValues: maxJsonValues }, { maxOutline: maxNamedValues });
  await slices.run(owner, () => scanSlice(scanner));
  requireScanned(scanner, shape);
  const text = bytes.toString('utf8');
  // A closed one has few values, so that parsing it is quick.
  const value = shape === 'open' ? withTexts(scanner, bytes) : (JSON.parse(text) as unknown);
  return { text, value, large: true };
}

/** Bytes of a text that an outline has all the same: names and ids, as an operation's own fields are. */
const shortText = 2048;

/** The outline with the outermost object's short texts. */
function withTexts({ outline, texts }: JsonScanner, bytes: Buffer): unknown {
  const short = [...texts].filter(([, { start, end }]) => end - start <= shortText);
  if (short.length === 0) return outline;
  const read = short.map(([name, { start, end }]) => [name, JSON.parse(bytes.toString('utf8', start, end)) as unknown]);
  return { ...(outline as object), ...Object.fromEntries(read) };
}

/** A slice of a scan for `Slices`; true after the last one. */
export function scanSlice(scanner: JsonScanner): boolean {
  const end = performance.now() + sliceMs;
  do if (scanner.scan(pieceBytes)) return true;
  while (performance.now() < end);
  return false;
}

/** So few bytes cannot hold too many values. */
function readSmall(bytes: Buffer, maxDepth: number): JsonBody {
  const text = bytes.toString('utf8');
  requireDepth(text, maxDepth);
  const value = parse(text);
  requireProcessable(bytes, text, maxDepth);
  return { text, value, large: false };
}

/** Refuses JSON, which has been parsed as such, for what MySQL or a model could choke on. */
export function requireProcessable(bytes: Buffer, text: string, maxDepth: number): void {
  if (!suspicious.test(text)) return;
  const scanner = new JsonScanner(bytes, { maxDepth, maxValues: maxJsonValues }, { maxOutline: 0 });
  scanner.scan(bytes.length);
  if (scanner.violations.length > 0) throw unprocessable(scanner.violations);
}

/** Refuses a body with more fields than any operation has, before it is validated. */
function requireScanned({ values, fields, violations }: JsonScanner, shape: BodyShape): void {
  if ((shape === 'open' ? fields : values) > maxNamedValues) {
    const message = 'must not have more fields or items than are known';
    throw new Problem('validation_failed', 'The body breaks its schema.', {
      errors: [{ in: 'body', pointer: '', message }],
    });
  }
  if (violations.length > 0) throw unprocessable(violations);
}

export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
}

function parse(text: string): unknown {
  if (text.trim() === '') throw malformed('The body is empty; a JSON object was expected.');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // V8's message quotes the place and a short excerpt of the client's own text.
    throw malformed(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Runs before parsing, so that no recursion meets a deeper value. */
function requireDepth(text: string, maxDepth: number): void {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // a string: skip to its closing quote
        index = endOfString(text, index);
        break;
      case 0x7b:
      case 0x5b:
        if (++depth > maxDepth) throw malformed(`The body may nest at most ${maxDepth} levels.`);
        break;
      case 0x7d:
      case 0x5d:
        depth--;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
