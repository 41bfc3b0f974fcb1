import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Problem } from '../../errors.js';

/** The account that bytes are charged to. `grow` throws to refuse them. */
export interface ByteAccount {
  /** Name of a workspace or a tenant. */
  readonly owner: string;
  grow(bytes: number): void;
  shrink(bytes: number): void;
}

/** `createUnzip` accepts both gzip and deflate under either name, as most servers do. */
const codings = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/**
 * Takes the content coding from a request, whose body is then read as it was sent.
 * @returns a function that makes a decompressing stream; undefined for a plain body. Throws `unsupported_media_type`
 */
export function takeCoding({ headers }: IncomingMessage): (() => Transform) | undefined {
  // Names of codings have no case (RFC 9110, section 8.4.1).
  const coding = headers['content-encoding']?.toLowerCase();
  if (coding === undefined) return undefined;
  const inflater = codings.get(coding);
  if (inflater === undefined && coding !== '' && coding !== 'identity') {
    throw new Problem('unsupported_media_type', 'The content encoding must be identity, gzip, deflate or br.');
  }
  delete headers['content-encoding'];
  return inflater;
}

/** The inflated body as a stream. A request that is cut off ends it too, with an error. */
export function inflated(request: IncomingMessage, inflater: Transform): Readable {
  const cutOff = (): void => void inflater.destroy(Object.assign(new Error('cut off'), { code: 'ECONNRESET' }));
  request.once('close', () => {
    if (!request.complete) cutOff();
  });
  inflater.on('error', () => request.unpipe(inflater));
  request.pipe(inflater);
  return inflater;
}

/** Bytes of the decompressing stream itself: its window, and a piece of output. */
const inflaterBytes = 64 * 1024;

interface InflateOptions {
  readonly maxBytes: number;
  /** Charged with the output as it appears; the charge stays. */
  readonly account: ByteAccount;
  /** How many bytes are charged for each byte of output. */
  readonly factor: number;
}

/**
 * Inflates a whole body. Rejects, and stops at once, when it becomes larger than `maxBytes` (`ERR_BUFFER_TOO_LARGE`), when
 * the account refuses a part of it (with that), and when the bytes are not what they should be (with Node's error).
 */
export async function inflateWithin(
  bytes: Buffer,
  inflater: Transform,
  { maxBytes, account, factor }: InflateOptions,
): Promise<Buffer> {
  account.grow(inflaterBytes);
  // An abandoned stream may still emit errors; an unhandled one would end the process.
  inflater.on('error', () => undefined);
  inflater.end(bytes);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' });
      account.grow(factor * piece.length);
      pieces.push(piece);
    }
  } finally {
    account.shrink(inflaterBytes);
  }
  return Buffer.concat(pieces, length);
}
