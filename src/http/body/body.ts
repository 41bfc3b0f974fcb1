import type { IncomingMessage } from 'node:http';
import { koaBody } from 'koa-body';
import { Problem } from '../../errors.js';
import { inflateWithin, takeCoding, type ByteAccount } from './inflate.js';
import type { HttpContext } from '../server/context.js';
import { malformed, type BodyShape, type JsonBody, type ReadText } from './jsonText.js';

/** Reads the body of a request, and charges its bytes to the account as they arrive and as they are decompressed. */
export type ReadJson = (ctx: HttpContext, account: ByteAccount, shape?: BodyShape) => Promise<JsonBody>;

const unsupported = (detail: string): Problem => new Problem('unsupported_media_type', detail);
const noNext = (): Promise<void> => Promise.resolve();

/**
 * Reads a JSON body, strictly: content type, size, UTF-8, depth, number of values, and no strings that MySQL or a model
 * can't handle. Rejects with what the account throws, too.
 *
 * koa-body decodes in a loop over the bytes and accepts bad UTF-8 and any depth, so it only gives the bytes, and is
 * bypassed for a body that has arrived already.
 */
export function createReadJson(options: { maxBytes: number; readText: ReadText }): ReadJson {
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
      // Discards the rest of the body: a paused one would block the next request on the connection.
      ctx.req.resume();
      throw readingProblem(error, options.maxBytes);
    }
    const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
    return options.readText(bytes, account.owner, shape);
  };
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
  if (Number(headers['content-length']) !== readableLength) return null;
  // Its length, since it may have come in pieces: without one, Node 26 gives the first of them.
  return request.read(readableLength) as Buffer | null;
}

/**
 * Throws `unsupported_media_type` for a body that is announced as anything but JSON in UTF-8.
 * @param others what else the operation takes, for the message
 */
export function requireJson(ctx: HttpContext, others = ''): void {
  const type = ctx.req.headers['content-type'];
  if (type === undefined) throw unsupported('Send the body with `Content-Type: application/json`.');
  const [media = '', ...parameters] = type.split(';');
  if (media.trim().toLowerCase() !== 'application/json') {
    throw unsupported(`The body must be \`application/json\`${others}.`);
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
