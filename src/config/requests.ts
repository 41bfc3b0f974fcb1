import { getHeapStatistics } from 'node:v8';
import { integer, setting } from './parsers.js';

const mebibyte = 1024 * 1024;

/** Limits of requests, each and together. */
export const requestSettings = {
  maxBodyBytes: setting('MAX_BODY_BYTES', integer(1024, 64 * mebibyte), mebibyte, 'Largest request body'),
  maxImportBytes: setting(
    'MAX_IMPORT_BYTES',
    integer(1024, 256 * mebibyte),
    64 * mebibyte,
    'Largest body of an import or a validation of models',
  ),
  maxBatchBytes: setting(
    'MAX_BATCH_BYTES',
    integer(1024, 64 * mebibyte),
    8 * mebibyte,
    'Largest body of a batch as one JSON object; streams of lines have no limit',
  ),
  maxBytesInFlight: setting<number | null>(
    'MAX_BYTES_IN_FLIGHT',
    integer(mebibyte, 65_536 * mebibyte),
    null,
    'What all requests of a server process hold, from bodies to unread answers, then 503. Unset: a quarter of the heap, at most 256 MiB',
  ),
  maxModelBytes: setting(
    'MAX_WORKSPACE_MODEL_BYTES',
    integer(1024 * 1024, 1e15),
    1024 * mebibyte,
    'Models that a workspace may have stored, each content once, what versions and records need included; then 422',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    integer(1, 1_000_000),
    16_384,
    'Open connections of the API per server process; a further one ends an idle one, else its request is answered 503',
  ),
} as const;

/** The least budget, in largest bodies: one workspace's share then holds such a body, its text and its result. */
export const bodiesInFlight = 16;

/**
 * The least default budget, in largest imports: one workspace's share then holds one. Its bytes are outside the heap.
 */
const importsInFlight = 3;

/**
 * A quarter of the heap, because accounted bytes may exist twice for a moment, and stay until garbage collection; at
 * most 256 MiB, and at least the shares above.
 */
export function defaultBytesInFlight(maxBodyBytes: number, maxImportBytes: number): number {
  const heapBytes = getHeapStatistics().heap_size_limit;
  return Math.max(
    Math.min(256 * mebibyte, Math.floor(heapBytes / 4)),
    bodiesInFlight * maxBodyBytes,
    importsInFlight * maxImportBytes,
  );
}
