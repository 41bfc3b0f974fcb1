import type { ByteAccount } from '../../admission/byteBudget.js';
import { checkedPieces } from './body.js';
import type { HttpContext } from '../server/context.js';
import { requireJson } from './jsonText.js';

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
  return (ctx, account) => {
    requireJson(ctx.req);
    return readShared(ctx, account, maxBytes);
  };
}

/** Reads a body of any kind into shared memory. */
export async function readShared({ req }: HttpContext, account: ByteAccount, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(req.headers['content-length'] ?? NaN);
  const whole = req.headers['content-encoding'] === undefined && declared <= maxBytes ? declared : maxBytes;
  let body = shared(Math.min(whole, firstBytes));
  let length = 0;
  for await (const piece of checkedPieces(req, { account, maxBytes, factor: 1 })) {
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
