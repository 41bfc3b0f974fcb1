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

/** A number below `buckets` for three characters from `at`. */
function hash(text: string, at: number): number {
  return (text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 4) ^ (text.charCodeAt(at + 2) << 8)) & (buckets - 1);
}

/** Makes a finder of patterns of at least 3 characters. */
export function finderOf(patterns: readonly string[]): Finder {
  const starts = new Uint8Array(buckets);
  const byStart = new Map<number, string[]>();
  for (const pattern of patterns) {
    const start = hash(pattern, 0);
    starts[start] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), pattern]);
  }
  return { isIn, all };

  /** The end of the longest pattern that begins at `at`; -1 where none does. */
  function endAt(text: string, at: number): number {
    const start = hash(text, at);
    if (starts[start] === 0) return -1;
    let end = -1;
    for (const pattern of byStart.get(start) ?? []) {
      if (at + pattern.length > end && text.startsWith(pattern, at)) end = at + pattern.length;
    }
    return end;
  }

  function isIn(text: string): boolean {
    if (patterns.length === 0) return false;
    for (let at = 0; at < text.length - 2; at++) if (endAt(text, at) >= 0) return true;
    return false;
  }

  function all(text: string): Found[] {
    const found: { start: number; end: number }[] = [];
    for (let at = 0; at < text.length - 2; at++) {
      const end = endAt(text, at);
      if (end < 0) continue;
      const before = found.at(-1);
      if (before !== undefined && before.end >= at) before.end = Math.max(before.end, end);
      else found.push({ start: at, end });
    }
    return found;
  }
}
