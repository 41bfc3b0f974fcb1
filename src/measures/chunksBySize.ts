/** Divides rows, in their order, into chunks of at most `most` together; a row that is larger is a chunk of its own. */
export function* chunksBySize<T>(rows: readonly T[], sizeOf: (row: T) => number, most: number): Generator<[T, ...T[]]> {
  let chunk: [T, ...T[]] | undefined;
  let size = 0;
  for (const row of rows) {
    size += sizeOf(row);
    if (chunk !== undefined && size <= most) chunk.push(row);
    else {
      if (chunk !== undefined) yield chunk;
      chunk = [row];
      size = sizeOf(row);
    }
  }
  if (chunk !== undefined) yield chunk;
}
