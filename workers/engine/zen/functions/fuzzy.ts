import type { RunState, Value } from '../../values.js';
import { charge, chargeMade, chargeText } from '../budget.js';
import { errorAt } from '../sourceSpan.js';
import { fromFloat, type Numeric } from '../values/numbers.js';
import { callError, define, string, stringOrList, type CallSite, type ZenFunction } from './define.js';

/** Cells of the table that comparing two texts fills; 16 MB of it. */
const maxCells = 4_000_000;

/** 1 less the edits (insert, delete, replace, swap neighbours) per character of the longer text. */
function similarity(call: CallSite, run: RunState, left: string, right: string): Numeric {
  if (left.length === right.length) chargeText(run, left);
  if (left === right) return 1;
  const a = Array.from(left);
  const b = Array.from(right);
  const cells = (a.length + 2) * (b.length + 2);
  if (cells > maxCells)
    throw errorAt(call, 'limit_string', '`fuzzyMatch` compares texts of about 2000 characters at most');
  charge(run, Math.ceil(cells / 16));
  // Removes binary noise: 1 - 4/5 is 0.2 and not 0.19999999999999996.
  return fromFloat(1 - edits(a, b) / Math.max(a.length, b.length)) ?? 0;
}

/** Damerau and Levenshtein's distance, swapped letters possibly apart. */
function edits(a: readonly string[], b: readonly string[]): number {
  const width = b.length + 2;
  const table = new Uint32Array((a.length + 2) * width);
  const far = a.length + b.length;
  table[0] = far;
  for (let i = 0; i <= a.length; i++) {
    table[(i + 1) * width] = far;
    table[(i + 1) * width + 1] = i;
  }
  for (let j = 0; j <= b.length; j++) {
    table[j + 1] = far;
    table[width + j + 1] = j;
  }
  const at = (i: number, j: number): number => table[i * width + j] ?? 0;
  const lastRow = new Map<string, number>();
  for (let i = 1; i <= a.length; i++) {
    let lastColumn = 0;
    for (let j = 1; j <= b.length; j++) {
      const row = lastRow.get(b[j - 1] ?? '') ?? 0;
      const column = lastColumn;
      const same = a[i - 1] === b[j - 1];
      if (same) lastColumn = j;
      table[(i + 1) * width + j + 1] = Math.min(
        at(i, j) + (same ? 0 : 1),
        at(i + 1, j) + 1,
        at(i, j + 1) + 1,
        at(row, column) + (i - row - 1) + 1 + (j - column - 1),
      );
    }
    lastRow.set(a[i - 1] ?? '', i);
  }
  return at(a.length + 1, b.length + 1);
}

function fuzzyMatch(call: CallSite, run: RunState, value: string | Value[], wanted: string): Value {
  if (typeof value === 'string') return similarity(call, run, value, wanted);
  chargeMade(run, value.length);
  return value.map((item) => {
    if (typeof item !== 'string') throw callError(call, 'takes a string or a list of strings');
    return similarity(call, run, item, wanted);
  });
}

export const fuzzyFunctions: readonly ZenFunction[] = [
  define({
    name: 'fuzzyMatch',
    parameters: [stringOrList('value'), string('wanted')],
    gives: 'a number or a list of numbers',
    summary: 'How alike two texts are, from 0 to 1; of a list, each of its texts.',
    example: "fuzzyMatch('world', 'hello') == 0.2",
    run: fuzzyMatch,
  }),
];
