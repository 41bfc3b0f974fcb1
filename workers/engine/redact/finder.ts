/** Part of a text: [start, end). */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Looks for many patterns at once. */
export interface Finder {
  /** Whether any pattern is in the text: one pass, whatever their number. */
  isIn(text: string): boolean;
  /** Where patterns are, overlapping ones as one, in order. */
  all(text: string): Found[];
}

const buckets = 1 << 14;

/** A number below `buckets` for three characters. */
function hash(first: number, second: number, third: number): number {
  return (first ^ (second << 4) ^ (third << 8)) & (buckets - 1);
}

/** Makes a finder of patterns of at least 3 characters. */
export function finderOf(patterns: readonly string[]): Finder {
  const starts = new Uint8Array(buckets);
  const byStart = new Map<number, string[]>();
  for (const pattern of patterns) {
    const start = hash(pattern.charCodeAt(0), pattern.charCodeAt(1), pattern.charCodeAt(2));
    starts[start] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), pattern]);
  }
  return {
    isIn: (text) => next(text, 0) >= 0,
    all(text) {
      const found: { start: number; end: number }[] = [];
      for (let at = next(text, 0); at >= 0; at = next(text, at + 1)) {
        const end = endAt(text, at);
        const before = found.at(-1);
        if (before !== undefined && before.end >= at) before.end = Math.max(before.end, end);
        else found.push({ start: at, end });
      }
      return found;
    },
  };

  /** Where the next pattern begins, at `from` or after it; -1 where none does. */
  function next(text: string, from: number): number {
    let first = 0;
    let second = text.charCodeAt(from);
    let third = text.charCodeAt(from + 1);
    for (let at = from + 2; at < text.length; at++) {
      first = second;
      second = third;
      third = text.charCodeAt(at);
      if (starts[hash(first, second, third)] === 1 && endAt(text, at - 2) >= 0) return at - 2;
    }
    return -1;
  }

  /** The end of the longest pattern that begins at `at`; -1 where none does. */
  function endAt(text: string, at: number): number {
    const start = hash(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
    let end = -1;
    for (const pattern of byStart.get(start) ?? []) {
      if (at + pattern.length > end && text.startsWith(pattern, at)) end = at + pattern.length;
    }
    return end;
  }
}
