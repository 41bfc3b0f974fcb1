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
export function* batches<T>(
  rows: readonly T[],
  longText: (row: T) => string | Uint8Array = () => '',
  most = statementRows,
): Generator<T[]> {
  let batch: T[] = [];
  let batchBytes = 0;
  for (const row of rows) {
    const bytes = Buffer.byteLength(longText(row));
    if (batch.length === most || (batch.length > 0 && batchBytes + bytes > statementBytes)) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
    batch.push(row);
    batchBytes += bytes;
  }
  if (batch.length > 0) yield batch;
}
