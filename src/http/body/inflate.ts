import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Problem } from '../../errors.js';

/** Whom bytes are accounted to. `grow` throws to refuse them. */
export interface ByteAccount {
  /** Name of a workspace or a tenant. */
  readonly owner: string;
  grow(bytes: number): void;
  shrink(bytes: number): void;
}

/** Takes deflate and gzip for either, as most do. */
const codings = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/**
 * Takes the content coding from a request, whose body is then read as it was sent.
 * @returns what makes a stream that inflates the body; undefined for a plain one. Throws `unsupported_media_type`
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

/** What a stream that inflates takes itself: its window, and a piece of what comes out. */
const inflaterBytes = 64 * 1024;

interface InflateOptions {
  readonly maxBytes: number;
  /** Grows by what comes out, as it does; it keeps that. */
  readonly account: ByteAccount;
  /** How often each byte is accounted. */
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
  // One that is left midway still emits errors, and one unheard would end the process.
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
