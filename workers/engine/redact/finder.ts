import { automatonOf, type Scanner } from './automaton.js';
import { blockLength, blocksOf } from './blocks.js';

/** Looks for many patterns at once, in time that grows with the text alone, whatever the patterns and their number. */
export interface Finder {
  /** Whether any pattern is in the text. */
  isIn(text: string): boolean;
  /** The parts of the text that are patterns, as [start, end) in order; those that overlap or touch are one. */
  all(text: string): Part[];
  /** Bytes that it takes, about. */
  readonly weight: number;
}

/** Part of a text: [start, end). */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Patterns from this length on are looked for block by block: an automaton would take memory for each character. */
const longFrom = 2 * blockLength;

/** Makes a finder of patterns of at least 3 characters. Of long ones it finds every whole block of 32 characters, too. */
export function finderOf(patterns: Iterable<string>): Finder {
  const all = [...new Set(patterns)];
  const short = all.filter((pattern) => pattern.length < longFrom);
  const long = all.filter((pattern) => pattern.length >= longFrom);
  const scanners = [
    ...(short.length === 0 ? [] : [automatonOf(short)]),
    ...(long.length === 0 ? [] : [blocksOf(long)]),
  ];
  return {
    isIn: (text) => scanners.some((scanner) => scanner.scan(text, () => false)),
    all(text) {
      const found = scanners.map((scanner) => partsOf(scanner, text));
      const [first = [], second] = found;
      return second === undefined || second.length === 0 ? first : merged([...first, ...second]);
    },
    weight: scanners.reduce((sum, { weight }) => sum + weight, 0),
  };
}

/** Matches come in the order of their ends. */
function partsOf(scanner: Scanner, text: string): Part[] {
  const parts: { start: number; end: number }[] = [];
  scanner.scan(text, (start, end) => {
    let from = start;
    for (let last = parts.at(-1); last !== undefined && last.end >= start; last = parts.at(-1)) {
      from = Math.min(from, last.start);
      parts.pop();
    }
    parts.push({ start: from, end });
    return true;
  });
  return parts;
}

function merged(parts: Part[]): Part[] {
  const whole: { start: number; end: number }[] = [];
  for (const { start, end } of parts.sort((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last !== undefined && last.end >= start) last.end = Math.max(last.end, end);
    else whole.push({ start, end });
  }
  return whole;
}
