/** Rows in pieces that are read at once, in their order: of `most` together, or one that is larger. */
export function* bySize<T>(rows: readonly T[], sizeOf: (row: T) => number, most: number): Generator<[T, ...T[]]> {
  let piece: [T, ...T[]] | undefined;
  let size = 0;
  for (const row of rows) {
    size += sizeOf(row);
    if (piece !== undefined && size <= most) piece.push(row);
    else {
      if (piece !== undefined) yield piece;
      piece = [row];
      size = sizeOf(row);
    }
  }
  if (piece !== undefined) yield piece;
}
