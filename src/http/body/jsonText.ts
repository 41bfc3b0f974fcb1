import { isUtf8 } from 'node:buffer';
import { checkJson, maySpoil, nestsDeeper, type JsonFault, type JsonViolation } from '../../../workers/json/index.js';
import type { BodyTask, ModelWork } from '../../../workers/models/index.js';
import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import type { IncomingMessage } from 'node:http';

export interface JsonBody {
  /** The body as it was sent; one with a byte order mark is refused. */
  readonly text: string;
  /** The parsed value; of a large open body an outline (`BodyAnswer`). */
  readonly value: unknown;
  /** Only the first violation of such a body is reported. */
  readonly large: boolean;
}

export type BodyShape = BodyTask['shape'];

/**
 * Reads bytes as JSON, strictly: UTF-8, depth, number of values, and no strings that MySQL or a model could choke on.
 * A small body is read at once, a large one by a thread, on the account of its owner (a workspace, a tenant). Throws or
 * rejects with `malformed_json`, `validation_failed` and, for a large one, `overloaded`.
 */
export type ReadText = (bytes: Buffer, owner: string, shape: BodyShape) => JsonBody | Promise<JsonBody>;

/** Most levels of a request body: more than facts have, and few enough for recursive walks. */
export const maxJsonDepth = 64;
/** Values (objects, lists, texts, numbers, …) that a body may hold: parsed, each takes some hundred bytes. */
export const maxJsonValues = 200_000;
/** Bytes from which on a body is read by a thread, and only its first violation is reported. */
export const largeBody = 65_536;

export const malformed = (detail: string): Problem => new Problem('malformed_json', detail);

/** A thread was stopped while it read a body, with which nothing was done. */
export const unread = ({ reason }: Pick<RunStopped, 'reason'>): Problem =>
  reason === 'memory'
    ? new Problem('body_too_large', 'To read the body takes more memory than a thread may use.')
    : new Problem('overloaded', 'The body could not be read in time.', { retryAfter: 1 });

export function createReadText({ maxDepth, models }: { maxDepth: number; models: ModelWork }): ReadText {
  const limits = { maxDepth, maxValues: maxJsonValues };
  return (bytes, owner, shape) => {
    if (bytes.length < largeBody) return readSmall(bytes, maxDepth);
    requireUtf8(bytes);
    const text = bytes.toString('utf8');
    return models.work(owner, { kind: 'body', text, limits, shape }).then((answer) => {
      if ('reason' in answer) throw unread(answer);
      if (answer.fault !== null) throw malformed(faultText(answer.fault, limits));
      if (answer.tooMany) throw tooManyFields();
      if (answer.violations.length > 0) throw unprocessable(answer.violations);
      return { text, value: answer.value, large: true };
    });
  };
}

/** Reads a body of so few bytes that they cannot hold too many values. */
export function readSmall(bytes: Buffer, maxDepth: number): JsonBody {
  requireUtf8(bytes);
  const text = bytes.toString('utf8');
  // Before parsing, so that no recursion meets a deeper value.
  if (nestsDeeper(text, maxDepth)) throw malformed(faultText({ kind: 'depth' }, { maxDepth }));
  const value = parse(text);
  requireProcessable(text, maxDepth);
  return { text, value, large: false };
}

/** Refuses JSON, which has been parsed as such, for what MySQL or a model could choke on. */
export function requireProcessable(text: string, maxDepth: number): void {
  if (!maySpoil(text)) return;
  const checked = checkJson(text, { maxDepth, maxValues: maxJsonValues });
  if (checked.fault !== null) throw malformed(faultText(checked.fault, { maxDepth }));
  if (checked.violations.length > 0) throw unprocessable(checked.violations);
}

/** What is wrong with a body, as one sentence. */
export function faultText(fault: JsonFault, { maxDepth, maxValues = maxJsonValues }: FaultLimits): string {
  if (fault.kind !== 'syntax') {
    return fault.kind === 'depth'
      ? `The body may nest at most ${maxDepth} levels.`
      : `The body may hold at most ${maxValues} values.`;
  }
  const why = fault.byte === null ? 'it ends too early' : `there is an unexpected character at byte ${fault.byte + 1}`;
  return `The body is not JSON: ${why}.`;
}

interface FaultLimits {
  readonly maxDepth: number;
  readonly maxValues?: number;
}

const unprocessable = (found: readonly JsonViolation[]): Problem =>
  new Problem('validation_failed', 'The body holds text or numbers that cannot be processed.', {
    errors: found.map((violation) => ({ in: 'body', ...violation })),
  });

/** A body with more fields than any operation has is refused before it is validated. */
const tooManyFields = (): Problem =>
  new Problem('validation_failed', 'The body breaks its schema.', {
    errors: [{ in: 'body', pointer: '', message: 'must not have more fields or items than are known' }],
  });

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

const jsonType = 'application/json';
export const linesType = 'application/x-ndjson';

/** The media type of a body in lower case, without parameters; empty where none is named. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? '';
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

const unsupported = (detail: string): Problem => new Problem('unsupported_media_type', detail);

/** Throws `unsupported_media_type` for a body that is announced as anything but JSON in UTF-8. */
export function requireJson(request: IncomingMessage): void {
  if (request.headers['content-type'] === undefined) {
    throw unsupported(`Send the body with \`Content-Type: ${jsonType}\`.`);
  }
  if (mediaTypeOf(request) !== jsonType) throw unsupported(`The body must be \`${jsonType}\`.`);
  requireUtf8Charset(request);
}

/** The same for a body of many items. True where it is lines of JSON. @param orFile whether the message names files */
export function requireItems(request: IncomingMessage, orFile: boolean): boolean {
  const type = mediaTypeOf(request);
  if (type !== linesType && type !== jsonType)
    throw unsupported(
      `The body must be \`${jsonType}\`${orFile ? `, \`${linesType}\`, or a spreadsheet` : ` or \`${linesType}\``}.`,
    );
  requireUtf8Charset(request);
  return type === linesType;
}

function requireUtf8Charset({ headers }: IncomingMessage): void {
  const [, ...parameters] = headers['content-type']?.split(';') ?? [];
  if (parameters.length === 0) return;
  const named = parameters.map((part) => part.trim().toLowerCase()).find((part) => part.startsWith('charset='));
  if (named !== undefined && !/^charset="?utf-?8"?$/.test(named)) throw unsupported('JSON is sent in UTF-8.');
}
