import type { Value } from '../../values.js';
import { isObject, type UnaryShape } from '../../zen/index.js';
import { addTo, bytesOf, packed, removeFrom, setOf, union, wordsFor, type RowSet } from './rowset.js';

/** Most bytes of one column's number line: for each row of the table, and the least that is allowed. */
const lineBytesPerRow = 400;
const leastLineBytes = 64 * 1024;
/** Estimated bytes of a set without its rows. */
const setBytes = 250;

/**
 * Which rows a column does not exclude for a value of its field: perhaps too many, as the cells are tested anyway,
 * never too few.
 */
export interface ColumnIndex {
  /** Undefined for values that the index cannot judge: dates, and numbers between two JavaScript numbers. */
  rowsFor(value: Value | undefined): RowSet | undefined;
  /** Bytes that it takes, about. */
  readonly bytes: number;
}

/** Estimated bytes of an indexed text, and of a bound. */
const bytesPerText = 150;
const bytesPerBound = 24;

/** A row whose cell admits the numbers of one interval. */
interface Interval {
  readonly row: number;
  readonly low: number;
  readonly lowIncluded: boolean;
  readonly high: number;
  readonly highIncluded: boolean;
}

/** The cells of a column, sorted by what an index makes of them. */
interface Cells {
  readonly texts: Map<string | boolean, number[]>;
  readonly intervals: Interval[];
  /** Cells that any value may fulfil, as far as the index knows. */
  readonly open: number[];
}

/** Indexes one column by the shapes of its cells; undefined where that excludes no row. */
export function indexColumn(shapes: readonly UnaryShape[]): ColumnIndex | undefined {
  const cells = sorted(shapes);
  if (cells.open.length === shapes.length) return undefined;
  const line = lineOf(cells.intervals, shapes.length);
  const open = setOf(cells.open, shapes.length);
  const texts = new Map([...cells.texts].map(([text, rows]) => [text, ready(setOf(rows, shapes.length), open)]));
  const points = line?.sets.map((set) => ready(set, open));
  const sets = [...texts.values(), ...(points ?? [])];
  const bytes =
    sets.reduce((sum, { set }) => sum + bytesOf(set) + 48, bytesOf(open)) +
    texts.size * bytesPerText +
    (line?.bounds.length ?? 0) * bytesPerBound;
  return {
    bytes,
    rowsFor(value) {
      if (typeof value === 'string' || typeof value === 'boolean') return asOne(texts.get(value), open);
      if (value === null) return open;
      if (typeof value === 'number')
        return line === undefined ? open : asOne(points?.[segmentOf(line.bounds, value)], open);
      return Array.isArray(value) || isObject(value) ? open : undefined;
    },
  };
}

/** A set, united with the open rows beforehand where that takes no more memory. */
interface Ready {
  readonly set: RowSet;
  readonly joined: boolean;
}

function ready(set: RowSet, open: RowSet): Ready {
  return set.kind === 'bits' || (open.kind === 'list' && open.rows.length === 0)
    ? { set: union(set, open), joined: true }
    : { set, joined: false };
}

function asOne(found: Ready | undefined, open: RowSet): RowSet {
  if (found === undefined) return open;
  return found.joined ? found.set : union(found.set, open);
}

function sorted(shapes: readonly UnaryShape[]): Cells {
  const cells: Cells = { texts: new Map(), intervals: [], open: [] };
  shapes.forEach((shape, row) => {
    if (shape.kind === 'literals') {
      for (const value of shape.values) {
        if (typeof value === 'number') cells.intervals.push({ row, ...point(value) });
        else if (cells.texts.get(value)?.push(row) === undefined) cells.texts.set(value, [row]);
      }
    } else if (shape.kind === 'range') {
      const { low, high } = shape;
      cells.intervals.push({
        row,
        low: low?.value ?? -Infinity,
        lowIncluded: low?.included ?? true,
        high: high?.value ?? Infinity,
        highIncluded: high?.included ?? true,
      });
    } else {
      cells.open.push(row);
    }
  });
  return cells;
}

function point(value: number): Omit<Interval, 'row'> {
  return { low: value, lowIncluded: true, high: value, highIncluded: true };
}

/**
 * The number line, cut at every bound of an interval: segment 2i + 1 is bound i itself, 2i what lies below it (and above
 * the bound before).
 */
interface Line {
  readonly bounds: readonly number[];
  /** By segment: the rows whose interval covers it. */
  readonly sets: readonly RowSet[];
}

function segmentOf(bounds: readonly number[], value: number): number {
  let from = 0;
  let to = bounds.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((bounds[middle] ?? Infinity) < value) from = middle + 1;
    else to = middle;
  }
  return bounds[from] === value ? 2 * from + 1 : 2 * from;
}

/** The line of a column's intervals; undefined where there are none. */
function lineOf(intervals: readonly Interval[], count: number): Line | undefined {
  if (intervals.length === 0) return undefined;
  const all = [...new Set(intervals.flatMap(({ low, high }) => [low, high]))].filter(Number.isFinite);
  all.sort((one, other) => one - other);
  const whole = cover(intervals, all);
  // A listed row takes about 8 bytes, a set of bits one bit for every row of the table.
  const segments = whole.starts.length;
  const bytes = segments * setBytes + Math.min(whole.covered * 8, (segments * count) / 8);
  const maxBytes = Math.max(leastLineBytes, count * lineBytesPerRow);
  if (bytes <= maxBytes) return { bounds: all, sets: swept(whole, count) };
  // Fewer bounds: each segment then also shows rows that only the bounds left out would have excluded.
  const step = Math.ceil(bytes / maxBytes);
  const bounds = all.filter((_, index) => index % step === 0);
  return { bounds, sets: swept(cover(intervals, bounds), count) };
}

/** By segment of a line: rows whose intervals begin there, and rows whose intervals end there. */
interface Cover {
  readonly starts: readonly number[][];
  readonly ends: readonly number[][];
  /** Segments that the intervals cover, counted once for each interval. */
  readonly covered: number;
}

function cover(intervals: readonly Interval[], bounds: readonly number[]): Cover {
  const segments = 2 * bounds.length + 1;
  const starts: number[][] = Array.from({ length: segments }, () => []);
  const ends: number[][] = Array.from({ length: segments }, () => []);
  let covered = 0;
  for (const { row, low, lowIncluded, high, highIncluded } of intervals) {
    const from = segmentOf(bounds, low);
    const to = segmentOf(bounds, high);
    // Odd segments are bounds themselves.
    const first = from % 2 === 1 && !lowIncluded ? from + 1 : from;
    const last = to % 2 === 1 && !highIncluded ? to - 1 : to;
    if (first > last) continue;
    starts[first]?.push(row);
    ends[last]?.push(row);
    covered += last - first + 1;
  }
  return { starts, ends, covered };
}

/** Goes along the line with the rows that are covered by each segment. A row may be covered more than once. */
function swept({ starts, ends }: Cover, count: number): RowSet[] {
  const words = wordsFor(count);
  const times = new Uint32Array(count);
  let size = 0;
  return starts.map((starting, segment) => {
    for (const row of starting) {
      if (times[row] === 0) {
        addTo(words, row);
        size++;
      }
      times[row] = (times[row] ?? 0) + 1;
    }
    const set = packed(words, size);
    for (const row of ends[segment] ?? []) {
      times[row] = (times[row] ?? 0) - 1;
      if (times[row] === 0) {
        removeFrom(words, row);
        size--;
      }
    }
    return set;
  });
}
