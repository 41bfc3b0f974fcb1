import { within } from '../../clock/timers.js';
/** A line's bytes without its end; null where it is longer than allowed, of which nothing is kept. */
type Line = Buffer | null;

export interface LineRules {
  /** Of a line. */
  readonly maxBytes: number;
  /** How long the end of a begun line is waited for, in milliseconds; the time in which nobody reads does not count. */
  readonly maxWaitMs: number;
  /** Reserves memory for a line whose end has not come, before it is kept. */
  readonly grow: (bytes: number) => Promise<void>;
  readonly shrink: (bytes: number) => void;
}

const firstBytes = 1024;
const nothing = Buffer.alloc(0);

/**
 * Splits a stream into lines while it comes, and holds no more of it than a line and what the stream itself has. What
 * stands after the last line feed is a line too, unless it is empty.
 */
export class LineReader {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #rules: LineRules;
  /** What has come and was not given out. */
  #rest: Buffer = nothing;
  /** Memory of the line whose end has not come, and how much of the line is in it. Too long, it is none. */
  #begun: Buffer = nothing;
  #begunBytes = 0;
  #waitedMs = 0;
  /** Bytes that are reserved for lines in memory of their own. */
  #reserved = 0;
  #ended = false;

  constructor(pieces: AsyncIterable<Buffer>, rules: LineRules) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#rules = rules;
  }

  /**
   * The next lines: what is there of them, one at least; none at the end. They are reserved until the next call. Rejects
   * when the stream breaks off, and when a line takes too long.
   * @param most lines, and about so many bytes of them
   */
  async read({ lines: most, bytes }: { readonly lines: number; readonly bytes: number }): Promise<Line[]> {
    if (this.#begunBytes === 0) this.#free();
    for (;;) {
      const lines = this.#split(most, bytes);
      if (lines.length > 0 || this.#ended) return lines;
      await this.#keep(this.#rest);
      const piece = await this.#next();
      if (piece.done === true) {
        this.#ended = true;
        this.#rest = nothing;
        if (this.#begunBytes > 0) return [this.#complete(this.#rest)];
      } else this.#rest = piece.value;
    }
  }

  #split(most: number, mostBytes: number): Line[] {
    const lines: Line[] = [];
    let bytes = 0;
    let at = 0;
    while (lines.length < most && bytes < mostBytes) {
      const end = this.#rest.indexOf(0x0a, at);
      if (end === -1) break;
      const line = this.#complete(this.#rest.subarray(at, end));
      bytes += line?.length ?? 0;
      lines.push(line);
      at = end + 1;
    }
    this.#rest = this.#rest.subarray(at);
    return lines;
  }

  /** Copies a piece of a line: it may be a small part of what came. The memory doubles, so that few copies are made. */
  async #keep(piece: Buffer): Promise<void> {
    const bytes = this.#begunBytes + piece.length;
    const { maxBytes, grow } = this.#rules;
    if (bytes > maxBytes) this.#free();
    else {
      if (bytes > this.#begun.length) {
        const more = Math.min(maxBytes, Math.max(firstBytes, bytes, 2 * this.#begun.length));
        await grow(more);
        const larger = Buffer.allocUnsafeSlow(more);
        this.#begun.copy(larger, 0, 0, this.#begunBytes);
        this.#free();
        this.#reserved = more;
        this.#begun = larger;
      }
      piece.copy(this.#begun, this.#begunBytes);
    }
    this.#begunBytes = bytes;
  }

  #free(): void {
    this.#rules.shrink(this.#reserved);
    this.#reserved = 0;
    this.#begun = nothing;
  }

  #complete(end: Buffer): Line {
    const bytes = this.#begunBytes + end.length;
    const begun = this.#begun.subarray(0, this.#begunBytes);
    this.#begun = nothing;
    this.#begunBytes = 0;
    this.#waitedMs = 0;
    if (bytes > this.#rules.maxBytes) return null;
    return begun.length === 0 ? end : Buffer.concat([begun, end]);
  }

  async #next(): Promise<IteratorResult<Buffer, unknown>> {
    const next = this.#pieces.next();
    if (this.#begunBytes === 0) return next;
    const since = performance.now();
    try {
      return await within(this.#rules.maxWaitMs - this.#waitedMs, next, () => {
        throw new Error('a line took too long');
      });
    } finally {
      this.#waitedMs += performance.now() - since;
    }
  }
}
