/**
 * The main thread escapes a statement at once: so much of it takes some milliseconds. A single row of 6 MiB still fits into a
 * packet of 16 MiB, MariaDB's default, with every byte escaped.
 */
const statementBytes = 512 * 1024;
const statementRows = 500;

/**
 * Splits rows into those of one statement each, in their order: 500 at most, and 512 KiB (UTF-8) of what may be long in
 * them. A row that is longer gets a statement of its own.
 * @param longText the part of a row that may be long; none when left out
 * @param most fewer rows, where each takes the main thread long
 */
export const batches = <T>(
  rows: readonly T[],
  longText: (row: T) => string | Uint8Array = () => '',
  most = statementRows,
): Generator<[T, ...T[]]> =>
  chunks(rows, (row) => Buffer.byteLength(longText(row)), { size: statementBytes, count: most });

/** Divides rows, in their order, into chunks of at most so many rows and so large together; a row that is larger is a chunk of its own. */
export function* chunks<T>(
  rows: readonly T[],
  sizeOf: (row: T) => number,
  most: { readonly size: number; readonly count?: number },
): Generator<[T, ...T[]]> {
  let chunk: [T, ...T[]] | undefined;
  let size = 0;
  for (const row of rows) {
    const own = sizeOf(row);
    if (chunk !== undefined && chunk.length !== most.count && size + own <= most.size) {
      chunk.push(row);
      size += own;
      continue;
    }
    if (chunk !== undefined) yield chunk;
    chunk = [row];
    size = own;
  }
  if (chunk !== undefined) yield chunk;
}
