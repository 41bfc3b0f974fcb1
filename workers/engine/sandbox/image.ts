/** Zero bytes in a row that are taken for the unused part of the C stack rather than for data. */
const stackGap = 1024 * 1024;
const page = 4096;
const zeros = new Uint8Array(page);

interface Segment {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Two regions are not copied. Below the C stack pointer nothing has a meaning between calls. Behind the image's end
 * lies memory that the restored allocator regards as never handed out; it clears it where it promises zeros.
 */
export class MemoryImage {
  readonly #segments: readonly Segment[];

  constructor(memory: WebAssembly.Memory) {
    this.#segments = segmentsOf(new Uint8Array(memory.buffer));
  }

  /** Bytes that `restore` copies. */
  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
  }

  restore(memory: WebAssembly.Memory): void {
    const target = new Uint8Array(memory.buffer);
    for (const { offset, bytes } of this.#segments) target.set(bytes, offset);
  }
}

function segmentsOf(memory: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  let end = 0; // end of the last page that holds anything
  for (let at = 0; at < memory.length; at += page) {
    if (isZero(memory, at)) continue;
    if (at - end > stackGap) {
      if (end > start) segments.push({ offset: start, bytes: memory.slice(start, end) });
      start = at;
    }
    end = at + page;
  }
  segments.push({ offset: start, bytes: memory.slice(start, end) });
  return segments;
}

function isZero(memory: Uint8Array, at: number): boolean {
  return Buffer.compare(memory.subarray(at, at + page), zeros) === 0;
}
