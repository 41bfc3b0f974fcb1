import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import { Problem, type Violation } from '../errors.js';
import { inflateWithin, takeCoding, type ByteAccount } from './inflate.js';
import type { HttpContext } from './context.js';
import { maxViolations, pointerStep } from './violations.js';

export interface JsonBody {
  /** The body as it was sent; one with a byte order mark is refused. */
  readonly text: string;
  readonly value: unknown;
}

/** Whose fields an operation names: those of a `closed` body on every level, those of an `open` one on the first alone. */
export type BodyShape = 'open' | 'closed';

/** Reads the body of a request, and has each of its bytes accounted when it comes, be it compressed or not. */
export type ReadJson = (ctx: HttpContext, account: ByteAccount, shape?: BodyShape) => Promise<JsonBody>;

/** Values (objects, lists, texts, numbers, …) that a body may hold: parsed, each takes some hundred bytes. */
export const maxJsonValues = 200_000;
/** Characters. Of a larger body the first violation is found alone. */
export const largeBody = 65_536;
/** More than any operation has fields for. */
const maxNamedValues = 1000;

const unsupported = (detail: string): Problem => new Problem('unsupported_media_type', detail);
const malformed = (detail: string): Problem => new Problem('malformed_json', detail);
const noNext = (): Promise<void> => Promise.resolve();

/**
 * Reads a JSON body, strictly: content type, size, UTF-8, depth, number of values, and no strings that MySQL or a model
 * could choke on. Rejects with what the account throws, too.
 *
 * koa-body would decode by a loop over the bytes and let bad UTF-8 and any depth pass, so it is asked for the bytes alone,
 * and not at all for a body that is there already.
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
      // Left paused with what is still to come, which the connection's next request would wait behind.
      ctx.req.resume();
      throw readingProblem(error, options.maxBytes);
    }
    const text = Buffer.isBuffer(raw) ? decode(raw) : '';
    requireBounded(text, options.maxDepth, shape);
    const value = parse(text);
    if (suspicious.test(text)) requireHarmless(value);
    return { text, value };
  };
}

/** V8 keeps a text with two bytes a character where one of them is beyond Latin-1. */
const textFactor = 2;

/** The bytes of a body that is still to come, accounted as they do. */
async function readPieces(ctx: HttpContext, read: ReturnType<typeof koaBody>, account: ByteAccount): Promise<unknown> {
  const grow = (piece: Buffer): void => {
    try {
      account.grow(textFactor * piece.length);
    } catch (refusal) {
      ctx.req.off('data', grow);
      // raw-body rejects with it, and lets go of what it has.
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
    // It would stay for as long as the request does.
    delete ctx.request.body;
  }
}

/** A small body comes with its headers, and can be had without waiting for events, for a tenth of the time. */
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

/** What reading a body failed with, as a problem. Errors of raw-body carry a status and a type (see its documentation), those of inflating a code. */
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

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  return bytes.toString('utf8');
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
 * Counts levels and values outside strings. Runs before parsing, so that no recursion anywhere meets a deeper value, and a
 * short text does not become a hundred times as much memory. A large body with more fields than any operation has is refused
 * here too: to parse a hundred thousand names takes a tenth of a second.
 */
function requireBounded(text: string, maxDepth: number, shape: BodyShape): void {
  let depth = 0;
  // In a list or object there is one more than it has commas, unless it is empty.
  let values = 1;
  let fields = 1;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // a string: skip to its closing quote
        index = endOfString(text, index);
        break;
      case 0x2c: // a comma
        values++;
        if (depth === 1) fields++;
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
  if (text.length >= largeBody && (shape === 'open' ? fields : values) > maxNamedValues) {
    const message = 'must not have more fields or items than are known';
    throw new Problem('validation_failed', 'The body breaks its schema.', {
      errors: [{ in: 'body', pointer: '', message }],
    });
  }
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

/**
 * What only a walk can judge: escapes (NUL, lone surrogates), the name `__proto__`, numbers beyond a double's range. Digits
 * are counted from the first of them alone; from each, a body of long numbers would cost a third of a second.
 */
const suspicious = /\\u|__proto__|\d[eE]\+?\d|(?<!\d)\d{300}/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

function requireHarmless(body: unknown): void {
  const errors: Violation[] = [];
  walk(body, [], errors);
  if (errors.length > 0) {
    throw new Problem('validation_failed', 'The body holds text or numbers that cannot be processed.', { errors });
  }
}

/** @param path the names down to the value; a pointer is made of them only where something is wrong */
function walk(value: unknown, path: string[], errors: Violation[]): void {
  if (typeof value === 'string') blame(path, textFault(value), errors);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) blame(path, 'is beyond the range of a number', errors);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      path.push(key);
      blame(path, key === '__proto__' ? 'is not allowed as a name' : textFault(key), errors);
      walk(item, path, errors);
      path.pop();
      if (errors.length >= maxViolations) return;
    }
  }
}

function blame(path: readonly string[], fault: string | undefined, errors: Violation[]): void {
  if (fault === undefined || errors.length >= maxViolations) return;
  errors.push({ in: 'body', pointer: path.map(pointerStep).join(''), message: fault });
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return loneSurrogate.test(text) ? 'must not contain a lone surrogate' : undefined;
}
