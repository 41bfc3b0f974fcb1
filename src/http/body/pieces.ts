import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Problem } from '../../errors.js';
import type { ByteAccount } from '../../admission/byteBudget.js';
import { linesType, mediaTypeOf } from './jsonText.js';

/**
 * Each piece of a body (one chunk of `Transfer-Encoding: chunked`, or what one read of the connection gave) costs about a
 * microsecond, whatever its size: a body of one-byte chunks would cost a hundred times what its bytes cost. So a body may
 * have so many pieces, and one more for so many bytes.
 */
const freePieces = 512;
const bytesPerPiece = 64;
/** `{"fact":1}` and a line feed: a piece that ends an item of a stream is counted with the items, not here. */
const shortestItem = 11;

/** The bytes of a short body: it comes in a few reads of the connection, so that nothing is gained by leaving it unread. */
export const shortBody = 64 * 1024;

/** What was counted of a long body. Others are complete in a few reads of the connection. */
interface Count {
  tooMany: boolean;
}
const counts = new WeakMap<IncomingMessage, Count>();

/**
 * Counts the pieces of a long body as Node's parser pushes them, before anything keeps them. Once they are too many,
 * nothing more is read of the connection, and `bodyPieces` rejects.
 */
export function countPieces(request: IncomingMessage): void {
  const count: Count = { tooMany: false };
  counts.set(request, count);
  const push = request.push.bind(request);
  const mayEndItems = mediaTypeOf(request) === linesType;
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Buffer | null) => {
    if (count.tooMany) return false;
    if (piece === null) return push(piece);
    bytes += piece.length;
    if (!(mayEndItems && piece.length >= shortestItem && piece.at(-1) === 0x0a)) pieces++;
    count.tooMany = pieces > freePieces + bytes / bytesPerPiece;
    if (!count.tooMany) return push(piece);
    request.emit('readable');
    return false;
  };
}

/**
 * The body of a request as it was before its content coding, while it comes. What has come since the last piece is one
 * piece, however many chunks it came in. Every reader of bodies reads them here. Rejects where the body breaks off, where
 * it can't be decompressed, and with `body_too_large` where it has too many pieces. Throws `unsupported_media_type` for
 * another content coding.
 */
export function bodyPieces(request: IncomingMessage, account: ByteAccount): AsyncIterable<Buffer> {
  const coding = request.headers['content-encoding']?.toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return receivedPieces(request);
  const inflater = codings.get(coding);
  if (inflater === undefined) {
    throw new Problem('unsupported_media_type', 'The content encoding must be identity, gzip, deflate or br.');
  }
  account.grow(inflaterBytes);
  return {
    // Not before somebody reads. A failure of either stream becomes the inflater's, and rejects its reader.
    [Symbol.asyncIterator]: () =>
      pipeline(receivedPieces(request), inflater(), () => undefined)[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
  };
}

/** The window of a decompressor and a piece of its output, charged until the account is closed. */
const inflaterBytes = 64 * 1024;

/** `createUnzip` accepts both gzip and deflate under either name, as most servers do. Names have no case (RFC 9110, 8.4.1). */
const codings = new Map([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

async function* receivedPieces(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  const count = counts.get(request);
  let stir = (): void => undefined;
  const stirred = (): void => stir();
  for (const event of events) request.on(event, stirred);
  try {
    for (;;) {
      if (count?.tooMany === true) throw scattered();
      const piece = request.read() as Buffer | null;
      if (piece !== null) yield piece;
      else if (request.readableEnded) return;
      else if (request.destroyed) throw Object.assign(new Error('cut off'), { code: 'ECONNRESET' });
      else await new Promise<void>((resolve) => (stir = resolve));
    }
  } finally {
    for (const event of events) request.off(event, stirred);
    // Drops the rest of a short body: paused, it would block the next request on the connection.
    if (count === undefined) request.resume();
  }
}

const events = ['readable', 'end', 'close', 'error'] as const;

const scattered = (): Problem =>
  new Problem(
    'body_too_large',
    `The body comes in too many pieces: at most ${freePieces}, and one more for each ${bytesPerPiece} bytes. Send larger chunks.`,
  );
