import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { Problem } from '../errors.js';

/** Rejects with Node's error where the bytes are not what they should be or become more than `maxOutputLength`. */
type Inflate = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;

/** Takes deflate and gzip for either, as most do. */
const inflateAny: Inflate = promisify(unzip);
const codings = new Map<string, Inflate>([
  ['gzip', inflateAny],
  ['deflate', inflateAny],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Takes the content coding from a request, whose body is then read as it was sent.
 * @returns what inflates the body once it is there; undefined for a plain one. Throws `unsupported_media_type`
 */
export function takeCoding({ headers }: IncomingMessage): Inflate | undefined {
  // Names of codings have no case (RFC 9110, section 8.4.1).
  const coding = headers['content-encoding']?.toLowerCase();
  if (coding === undefined) return undefined;
  const inflate = codings.get(coding);
  if (inflate === undefined && coding !== '' && coding !== 'identity') {
    throw new Problem('unsupported_media_type', 'The content encoding must be identity, gzip, deflate or br.');
  }
  delete headers['content-encoding'];
  return inflate;
}
