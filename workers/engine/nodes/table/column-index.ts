import type { Value } from '../../values.js';
import { isObject, type UnaryShape } from '../../zen/index.js';
import { addAll, addTo, noRows, removeFrom, type RowSet } from './rowset.js';

/**
 * Sets that one column has at most of its texts, and of its number line: 400 bytes for each row of the table. Where there
 * are more texts or bounds, neighbours share one.
 */
const mostSets = 3200;
/** Estimated bytes of a set without its rows, of an indexed text, and of a bound. */
const setBytes = 250;
const bytesPerText = 150;
const bytesPerBound = 24;

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
  /** Rows whose cells any value may fulfil, as far as the index knows; and how many. */
  readonly open: RowSet;
  openCount: number;
}

/** Indexes one column by the shapes of its cells; undefined where that excludes no row. */
export function indexColumn(shapes: readonly UnaryShape[]): ColumnIndex | undefined {
  const { texts: rowsOf, intervals, open, openCount } = sorted(shapes);
  if (openCount === shapes.length) return undefined;
  const texts = textSets(rowsOf, open);
  const line = lineOf(intervals, open, shapes.length);
  const sets = 1 + Math.min(texts.size, mostSets) + line.sets.length;
  return {
    bytes: sets * (setBytes + open.byteLength) + texts.size * bytesPerText + line.bounds.length * bytesPerBound,
    rowsFor(value) {
      if (typeof value === 'string' || typeof value === 'boolean') return texts.get(value) ?? open;
      if (value === null) return open;
      if (typeof value === 'number') return line.sets[segmentOf(line.bounds, value)] ?? open;
      return Array.isArray(value) || isObject(value) ? open : undefined;
    },
  };
}

function sorted(shapes: readonly UnaryShape[]): Cells {
  const cells: Cells = { texts: new Map(), intervals: [], open: noRows(shapes.length), openCount: 0 };
  shapes.forEach((shape, row) => {
    if (shape.kind === 'literals') {
      for (const value of shape.values) {
        if (typeof value === 'number')
          cells.intervals.push({ row, low: value, lowIncluded: true, high: value, highIncluded: true });
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
      addTo(cells.open, row);
      cells.openCount++;
    }
  });
  return cells;
}

/** The rows of each text, the open ones among them. */
function textSets(rowsOf: Cells['texts'], open: RowSet): Map<string | boolean, RowSet> {
  const sharing = Math.ceil(rowsOf.size / mostSets);
  let [set, count] = [open, 0];
  return new Map(
    [...rowsOf].map(([text, rows]) => {
      if (count++ % sharing === 0) set = open.slice();
      for (const row of rows) addTo(set, row);
      return [text, set];
    }),
  );
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

/** The line of a column's intervals, without segments where there are none. */
function lineOf(intervals: readonly Interval[], open: RowSet, count: number): Line {
  if (intervals.length === 0) return { bounds: [], sets: [] };
  const all = [...new Set(intervals.flatMap(({ low, high }) => [low, high]))].filter(Number.isFinite);
  all.sort((one, other) => one - other);
  // With fewer bounds each segment also shows rows that only the bounds left out would have excluded.
  const sharing = Math.ceil((2 * all.length + 1) / mostSets);
  const bounds = all.filter((_, index) => index % sharing === 0);
  return { bounds, sets: swept(intervals, bounds, open, count) };
}

/** Goes along the line with the rows that are covered by each segment. A row may be covered more than once. */
function swept(intervals: readonly Interval[], bounds: readonly number[], open: RowSet, count: number): RowSet[] {
  const segments = 2 * bounds.length + 1;
  const starts: number[][] = Array.from({ length: segments }, () => []);
  const ends: number[][] = Array.from({ length: segments }, () => []);
  for (const { row, low, lowIncluded, high, highIncluded } of intervals) {
    const from = segmentOf(bounds, low);
    const to = segmentOf(bounds, high);
    // Odd segments are bounds themselves.
    const first = from % 2 === 1 && !lowIncluded ? from + 1 : from;
    const last = to % 2 === 1 && !highIncluded ? to - 1 : to;
    if (first > last) continue;
    starts[first]?.push(row);
    ends[last]?.push(row);
  }
  const covered = noRows(count);
  const times = new Uint32Array(count);
  return starts.map((starting, segment) => {
    for (const row of starting) {
      times[row] = (times[row] ?? 0) + 1;
      addTo(covered, row);
    }
    const set = covered.slice();
    addAll(set, open);
    for (const row of ends[segment] ?? []) {
      times[row] = (times[row] ?? 0) - 1;
      if (times[row] === 0) removeFrom(covered, row);
    }
    return set;
  });
}
