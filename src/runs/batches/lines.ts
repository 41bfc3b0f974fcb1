import type { Readable } from 'node:stream';

/** A line's bytes without its end; null where it is longer than allowed, of which nothing is kept. */
export type Line = Buffer | null;

/**
 * Splits a stream into lines while it comes, and holds no more of it than a line and what the stream itself has. What
 * stands after the last line feed is a line too, unless it is empty.
 */
export class LineReader {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  /** What has come and was not given out. */
  #rest: Buffer = Buffer.alloc(0);
  /** Pieces of a line whose end has not come. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #ended = false;

  constructor(stream: Readable, maxBytes: number) {
    this.#pieces = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    this.#maxBytes = maxBytes;
  }

  /**
   * The next lines: what is there of them, one at least; none at the end. Rejects when the stream breaks off.
   * @param most lines, and about so many bytes of them
   */
  async read({ lines: most, bytes }: { readonly lines: number; readonly bytes: number }): Promise<Line[]> {
    for (;;) {
      const lines = this.#split(most, bytes);
      if (lines.length > 0 || this.#ended) return lines;
      const piece = await this.#pieces.next();
      if (piece.done === true) {
        this.#ended = true;
        if (this.#begunBytes > 0) return [this.#complete(Buffer.alloc(0))];
      } else this.#rest = piece.value;
    }
  }

  #split(most: number, mostBytes: number): Line[] {
    const lines: Line[] = [];
    let bytes = 0;
    let at = 0;
    while (lines.length < most && bytes < mostBytes) {
      const end = this.#rest.indexOf(0x0a, at);
      if (end === -1) {
        this.#keep(this.#rest.subarray(at));
        at = this.#rest.length;
        break;
      }
      const line = this.#complete(this.#rest.subarray(at, end));
      bytes += line?.length ?? 0;
      lines.push(line);
      at = end + 1;
    }
    this.#rest = this.#rest.subarray(at);
    return lines;
  }

  #keep(piece: Buffer): void {
    this.#begunBytes += piece.length;
    if (this.#begunBytes > this.#maxBytes) this.#begun = [];
    // A copy: the piece may be a small part of what came.
    else if (piece.length > 0) this.#begun.push(Buffer.from(piece));
  }

  #complete(end: Buffer): Line {
    if (this.#begunBytes === 0) return end.length > this.#maxBytes ? null : end;
    this.#keep(end);
    const line = this.#begunBytes > this.#maxBytes ? null : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return line;
  }
}
