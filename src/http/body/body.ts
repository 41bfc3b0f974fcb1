import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import { Problem } from '../../errors.js';
import { inflateWithin, takeCoding, type ByteAccount } from './inflate.js';
import type { HttpContext } from '../server/context.js';
import { harmful, requireHarmless } from './harmlessJson.js';
import { JsonScanner } from './jsonScanner.js';
import { TimeSlices } from './timeSlices.js';

export interface JsonBody {
  /** The body as it was sent; one with a byte order mark is refused. */
  readonly text: string;
  /** The parsed value; of a large open body an outline (JsonScanner). */
  readonly value: unknown;
  /** Only the first violation of such a body is reported. */
  readonly large: boolean;
}

/**
 * Where an operation's schema names the fields: in a `closed` body on every level, in an `open` one only on the first.
 */
export type BodyShape = 'open' | 'closed';

/** Reads the body of a request, and charges its bytes to the account as they arrive and as they are decompressed. */
export type ReadJson = (ctx: HttpContext, account: ByteAccount, shape?: BodyShape) => Promise<JsonBody>;

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

const unsupported = (detail: string): Problem => new Problem('unsupported_media_type', detail);
const malformed = (detail: string): Problem => new Problem('malformed_json', detail);
const noNext = (): Promise<void> => Promise.resolve();

/**
 * Reads a JSON body, strictly: content type, size, UTF-8, depth, number of values, and no strings that MySQL or a model
 * can't handle. Rejects with what the account throws, too.
 *
 * koa-body decodes in a loop over the bytes and accepts bad UTF-8 and any depth, so it only gives the bytes, and is
 * bypassed for a body that has arrived already.
 */
export function createReadJson(options: { maxBytes: number; maxDepth: number }): ReadJson {
  const read = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: ['application/json'],
    textLimit: options.maxBytes,
    // None: the body comes as a Buffer (raw-body, `encoding`).
    encoding: '',
  });
  const slices = new TimeSlices();
  return async (ctx, account, shape = 'open') => {
    requireJson(ctx);
    const inflater = takeCoding(ctx.req);
    let raw: unknown = presentBody(ctx.req, options.maxBytes);
    try {
      if (raw === null) raw = await readPieces(ctx, read, account);
      else account.grow(textFactor * (raw as Buffer).length);
      if (inflater !== undefined && Buffer.isBuffer(raw)) {
        const compressed = raw.length;
        raw = await inflateWithin(raw, inflater(), { maxBytes: options.maxBytes, account, factor: textFactor });
        account.shrink(textFactor * compressed);
      }
    } catch (error) {
      // Discards the rest of the body: a paused one would block the next request on the connection.
      ctx.req.resume();
      throw readingProblem(error, options.maxBytes);
    }
    const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
    requireUtf8(bytes);
    if (bytes.length < largeBody) return readSmall(bytes.toString('utf8'), options.maxDepth);
    const scanner = new JsonScanner(bytes, { maxDepth: options.maxDepth, maxValues: maxJsonValues }, maxNamedValues);
    await slices.run(account.owner, () => scanSlice(scanner));
    requireScanned(scanner, shape);
    const text = bytes.toString('utf8');
    // A closed one has few values, so that parsing it is quick.
    return { text, value: shape === 'open' ? scanner.outline : (JSON.parse(text) as unknown), large: true };
  };
}

function scanSlice(scanner: JsonScanner): boolean {
  const end = performance.now() + sliceMs;
  do if (scanner.scan(pieceBytes)) return true;
  while (performance.now() < end);
  return false;
}

function readSmall(text: string, maxDepth: number): JsonBody {
  requireBounded(text, maxDepth);
  const value = parse(text);
  requireHarmless(value, text);
  return { text, value, large: false };
}

/** Refuses a body with more fields than any operation has, before it is validated. */
function requireScanned({ values, fields, fault }: JsonScanner, shape: BodyShape): void {
  if ((shape === 'open' ? fields : values) > maxNamedValues) {
    const message = 'must not have more fields or items than are known';
    throw new Problem('validation_failed', 'The body breaks its schema.', {
      errors: [{ in: 'body', pointer: '', message }],
    });
  }
  if (fault !== undefined) throw harmful([fault]);
}

/** V8 keeps a text as two bytes for each character where one is beyond Latin-1. */
const textFactor = 2;

/** The bytes of a body that is still arriving, charged as they arrive. */
async function readPieces(ctx: HttpContext, read: ReturnType<typeof koaBody>, account: ByteAccount): Promise<unknown> {
  const grow = (piece: Buffer): void => {
    try {
      account.grow(textFactor * piece.length);
    } catch (refusal) {
      ctx.req.off('data', grow);
      // Makes raw-body reject with it, and drop what it has.
      ctx.req.emit('error', refusal);
    }
  };
  // Before raw-body's own: each piece is accounted before it is kept.
  ctx.req.on('data', grow);
  try {
    await read(ctx, noNext);
    return ctx.request.body;
  } finally {
    ctx.req.off('data', grow);
    // Otherwise it stays in memory for as long as the request.
    delete ctx.request.body;
  }
}

/** A small body arrives with its headers, and can be read without waiting for events, in a tenth of the time. */
function presentBody(request: IncomingMessage, maxBytes: number): Buffer | null {
  const { readableLength, headers } = request;
  if (readableLength > maxBytes) return null;
  return Number(headers['content-length']) === readableLength ? (request.read() as Buffer | null) : null;
}

/** Throws `unsupported_media_type` for a body that is announced as anything but JSON in UTF-8. */
export function requireJson(ctx: HttpContext): void {
  const type = ctx.req.headers['content-type'];
  if (type === undefined) throw unsupported('Send the body with `Content-Type: application/json`.');
  const [media = '', ...parameters] = type.split(';');
  if (media.trim().toLowerCase() !== 'application/json') {
    throw unsupported('The body must be `application/json`.');
  }
  const charset = /^charset="?([^"]*)"?$/i.exec(
    parameters.map((part) => part.trim()).find((part) => /^charset=/i.test(part)) ?? '',
  );
  if (charset !== null && !/^utf-?8$/i.test(charset[1] ?? '')) throw unsupported('JSON is sent in UTF-8.');
}

/**
 * The problem for an error of reading a body. Errors of raw-body carry a status and a type (see its documentation),
 * those of inflating a code.
 */
export function readingProblem(error: unknown, maxBytes: number): unknown {
  if (error instanceof Problem) return error;
  const { status, type, code } = error as { status?: unknown; type?: unknown; code?: unknown };
  if (status === 413 || code === 'ERR_BUFFER_TOO_LARGE') {
    return new Problem('body_too_large', `The body may have at most ${maxBytes} bytes.`);
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return malformed('The body ended before its announced length.');
  }
  if (typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR_') || code === 'ECONNRESET')) {
    return malformed('The body could not be read or decompressed.');
  }
  return error;
}

function requireUtf8(bytes: Buffer): void {
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

/**
 * Counts levels and values outside strings. Runs before parsing, so that no recursion meets a deeper value, and a short
 * text does not expand to a hundred times its size in memory.
 */
function requireBounded(text: string, maxDepth: number): void {
  let depth = 0;
  // A list or object that is not empty has one value more than commas.
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // a string: skip to its closing quote
        index = endOfString(text, index);
        break;
      case 0x2c: // a comma
        values++;
        break;
      case 0x7b:
      case 0x5b:
        if (++depth > maxDepth) throw malformed(`The body may nest at most ${maxDepth} levels.`);
        values++;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        if (isOpening(text, index - 1)) values--;
        break;
    }
  }
  if (values > maxJsonValues) throw malformed(`The body may hold at most ${maxJsonValues} values.`);
}

/** Whether the last character up to there, white space aside, opens a list or an object. */
function isOpening(text: string, index: number): boolean {
  for (; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (code > 0x20) return code === 0x5b || code === 0x7b;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
