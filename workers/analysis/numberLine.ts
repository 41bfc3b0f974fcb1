/** Values of one kind in their order, and the points at which tests part them. */
export interface Order<T> {
  readonly compare: (one: T, other: T) => number;
  /** A value strictly between two, null for no bound; undefined where there is none. */
  readonly between: (low: T | null, high: T | null) => T | undefined;
}

/** A point, or all values between two neighbouring ones. */
export interface Piece<T> {
  /** One of its values. */
  readonly value: T;
  readonly isPoint: boolean;
  /** Its ends, null where it has none. */
  readonly low: T | null;
  readonly high: T | null;
}

/** A line that is cut at points into pieces, in order. A gap that holds no value is no piece. */
export class Line<T> {
  readonly pieces: readonly Piece<T>[];
  readonly #points: readonly T[];
  readonly #order: Order<T>;
  /** Of each point, and of the gap before each point and after the last, the index of its piece; -1 for none. */
  readonly #pointPieces: number[] = [];
  readonly #gapPieces: number[] = [];

  constructor(points: readonly T[], order: Order<T>) {
    const sorted = [...points].sort(order.compare);
    this.#points = sorted.filter((point, at) => at === 0 || order.compare(point, sorted[at - 1] as T) !== 0);
    this.#order = order;
    const pieces: Piece<T>[] = [];
    const addGap = (low: T | null, high: T | null): void => {
      const value = order.between(low, high);
      this.#gapPieces.push(value === undefined ? -1 : pieces.length);
      if (value !== undefined) pieces.push({ value, isPoint: false, low, high });
    };
    addGap(null, this.#points[0] ?? null);
    this.#points.forEach((point, at) => {
      this.#pointPieces.push(pieces.length);
      pieces.push({ value: point, isPoint: true, low: point, high: point });
      addGap(point, this.#points[at + 1] ?? null);
    });
    this.pieces = pieces;
  }

  /** The piece that a value lies in. */
  pieceOf(value: T): number {
    let [low, high] = [0, this.#points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order.compare(this.#points[middle] as T, value) < 0) low = middle + 1;
      else high = middle;
    }
    const isPoint = low < this.#points.length && this.#order.compare(this.#points[low] as T, value) === 0;
    return (isPoint ? this.#pointPieces[low] : this.#gapPieces[low]) ?? -1;
  }
}
