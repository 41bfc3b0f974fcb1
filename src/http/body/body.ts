import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { koaBody } from 'koa-body';
import { Problem } from '../../errors.js';
import type { ByteAccount } from '../../admission/byteBudget.js';
import type { HttpContext } from '../server/context.js';
import { malformed, requireJson, type BodyShape, type JsonBody, type ReadText } from './jsonText.js';
import { bodyPieces, shortBody } from './pieces.js';

/** Reads the body of a request, and charges its bytes to the account as they arrive and as they are decompressed. */
export type ReadJson = (ctx: HttpContext, account: ByteAccount, shape?: BodyShape) => Promise<JsonBody>;

/**
 * Reads a JSON body, strictly: content type, size, UTF-8, depth, number of values, and no strings that MySQL or a model
 * can't handle. Rejects with what the account throws, too.
 */
export function createReadJson({ maxBytes, readText }: { maxBytes: number; readText: ReadText }): ReadJson {
  const gather = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textLimit: maxBytes,
    // None: the body comes as a Buffer (raw-body, `encoding`).
    encoding: '',
  });
  /** koa-body is given the checked pieces in place of the request, and joins them. */
  const readGathered = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
    const req = Object.assign(Readable.from(pieces), { headers: {} });
    const request: { body?: Buffer } = {};
    await gather({ req, request, method: 'POST', is: () => 'text' } as unknown as HttpContext, noNext);
    return request.body ?? Buffer.alloc(0);
  };
  return async ({ req }, account, shape = 'open') => {
    requireJson(req);
    const bytes =
      presentBody(req, account, maxBytes) ??
      (await readGathered(checkedPieces(req, { account, maxBytes, factor: textFactor })));
    return readText(bytes, account.owner, shape);
  };
}

const noNext = (): Promise<void> => Promise.resolve();

/** V8 keeps a text as two bytes for each character where one is beyond Latin-1. */
const textFactor = 2;

/** A small body arrives with its headers, and can be read without waiting for events, in a tenth of the time. */
function presentBody(request: IncomingMessage, account: ByteAccount, maxBytes: number): Buffer | null {
  const { readableLength, headers } = request;
  if (readableLength > maxBytes || headers['content-encoding'] !== undefined) return null;
  if (Number(headers['content-length']) !== readableLength) return null;
  account.grow(textFactor * readableLength);
  // With its length, since it may have come in pieces, of which Node 26 would give the first. An empty body gives null.
  return request.read(readableLength) as Buffer | null;
}

interface Reading {
  readonly account: ByteAccount;
  readonly maxBytes: number;
  /** How many bytes are charged for each one. */
  readonly factor: number;
}

/**
 * The pieces of a body as they come, each charged before it is given. What is longer than a short body waits unread until its
 * account has room: for all of an announced length before the first byte, else for as much again each time. Bytes that nobody has
 * room for are left to the sender, since reading them takes the time of everybody. Rejects with `body_too_large`, `malformed_json`,
 * `unsupported_media_type` and with what the account throws; the rest of the body is not read then.
 */
export async function* checkedPieces(
  request: IncomingMessage,
  { account, maxBytes, factor }: Reading,
): AsyncGenerator<Buffer, void> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const gone = (): boolean => request.destroyed;
  let length = 0;
  let reserved = 0;
  try {
    const pieces = bodyPieces(request, account);
    if (declared > shortBody) {
      reserved = factor * declared;
      await account.growLater(reserved, gone);
    }
    for await (const piece of pieces) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      const missing = factor * length - reserved;
      if (missing > 0) {
        const isShort = length <= shortBody;
        const more = isShort ? missing : Math.max(missing, Math.min(reserved, factor * maxBytes - reserved));
        if (isShort) account.grow(more);
        else await account.growLater(more, gone);
        reserved += more;
      }
      yield piece;
    }
    account.shrink(reserved - factor * length);
  } catch (error) {
    throw readingProblem(error);
  }
}

/** All of a body. Rejects as `checkedPieces`. */
export async function readBytes(request: IncomingMessage, reading: Reading): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of checkedPieces(request, reading)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('body_too_large', `The body may have at most ${maxBytes} bytes.`);

/** The problem for an error of Node's while it reads or decompresses a body. */
function readingProblem(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  const isNodes = !(error instanceof Problem) && typeof code === 'string' && /^(Z_|ERR_|ECONNRESET$)/.test(code);
  return isNodes ? malformed('The body ended too early, or could not be decompressed.') : error;
}
