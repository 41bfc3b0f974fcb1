import type { Readable } from 'node:stream';
import { readingProblem, requireJson } from './body.js';
import type { HttpContext } from '../server/context.js';
import { inflated, takeCoding, type ByteAccount } from './inflate.js';

/**
 * Reads a large body into shared memory, charging the bytes as they arrive: it is parsed by worker threads, not here.
 */
export type ReadLarge = (ctx: HttpContext, account: ByteAccount) => Promise<Uint8Array>;

/**
 * Memory for the whole body is allocated once this much has arrived, so that an announced length alone allocates
 * little.
 */
const firstBytes = 1024 * 1024;

/** @throws Problem `unsupported_media_type`, `body_too_large`, `malformed_json`, and what the account throws */
export function createReadLarge({ maxBytes }: { readonly maxBytes: number }): ReadLarge {
  return async (ctx, account) => {
    requireJson(ctx);
    const inflater = takeCoding(ctx.req);
    const announced = Number(ctx.req.headers['content-length'] ?? NaN);
    try {
      if (inflater === undefined && announced > maxBytes) throw tooLarge();
      const whole = inflater === undefined && Number.isSafeInteger(announced) ? announced : maxBytes;
      const source = inflater === undefined ? ctx.req : inflated(ctx.req, inflater());
      return await readInto(source, { whole, maxBytes, account });
    } catch (error) {
      // Discards the rest of the body: a paused one would block the next request on the connection.
      ctx.req.resume();
      throw readingProblem(error, maxBytes);
    }
  };
}

const tooLarge = (): Error => Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });

interface Target {
  /** Bytes that the body has, or may have. */
  readonly whole: number;
  readonly maxBytes: number;
  readonly account: ByteAccount;
}

async function readInto(source: Readable, { whole, maxBytes, account }: Target): Promise<Uint8Array> {
  let body = shared(Math.min(whole, firstBytes));
  let length = 0;
  for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (length + piece.length > maxBytes) throw tooLarge();
    account.grow(piece.length);
    if (length + piece.length > body.length) {
      const larger = shared(whole);
      larger.set(body.subarray(0, length));
      body = larger;
    }
    body.set(piece, length);
    length += piece.length;
  }
  return body.subarray(0, length);
}

const shared = (bytes: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(bytes));
