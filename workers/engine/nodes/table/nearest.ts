import { EngineError } from '../../errors.js';
import type { Frame } from '../../jdm/frame.js';
import type { RunState, Value } from '../../values.js';
import { shown } from '../../zen/because.js';
import { parseClock } from '../../zen/dates/parse.js';
import { asDate } from '../../zen/dates/read.js';
import { isNumeric } from '../../zen/values/numbers.js';
import type { NearestRow } from '../nodeType.js';
import { matches, type Matching, type Row, type Test } from './rows.js';

/** A row of which more conditions fail comes near nobody's case. */
const mostMissed = 3;
/** Characters of a name or a condition. */
const longest = 80;
/** Of a condition whose bounds are looked for. */
const longestMeasured = 400;

/** A table's row, and those of its conditions that fail. */
interface Missing {
  readonly row: Row;
  readonly tests: readonly Test[];
  /** Of each: how far the value is from it. */
  readonly distances: readonly number[];
}

/**
 * Of a table of which no row matches, the first of the rows of which the fewest conditions fail; of those that fail in the same
 * columns one whose bounds lie nearer to the values there. Looking for it costs the run
 * nothing and changes nothing of it: the steps, the random numbers and the variables that are read are not the run's. Where
 * a condition would draw a number or read a variable, or where looking takes too long, there is none, or the nearest of the rows
 * before that if one condition of it fails alone.
 */
export function nearestRow(
  rows: readonly Row[],
  begin: (at: Pick<Frame, 'scope'>) => Matching,
  { scope, session }: Frame,
): NearestRow | undefined {
  const { search } = session;
  if (search.steps === 0 || search.ms === 0) return undefined;
  const began = performance.now();
  let refusals = 0;
  const refuse = (): number => {
    refusals++;
    return 0;
  };
  const run: RunState = {
    ...{ limits: scope.run.limits, now: scope.run.now, random: refuse, steps: search.steps },
    deadline: Math.min(scope.run.deadline, began + search.ms),
    variableReads: { noteRead: refuse, noteAllRead: refuse },
  };
  const matching = begin({ scope: { ...scope, run } });
  try {
    const found = fewestMissed(rows, matching, () => refusals > 0);
    return found && toldOf(found, matching);
  } finally {
    search.steps = Math.max(0, run.steps);
    search.ms = Math.max(0, search.ms - (performance.now() - began));
  }
}

function fewestMissed(rows: readonly Row[], matching: Matching, isRefused: () => boolean): Missing | undefined {
  const { run } = matching.scope;
  let best: Missing | undefined;
  for (const row of rows) {
    const missing = performance.now() > run.deadline ? undefined : missingOf(row, matching, best);
    // None has fewer than one.
    if (missing === undefined || isRefused()) return best?.tests.length === 1 ? best : undefined;
    if (missing.tests.length === 0) continue;
    if (missing.tests.length < (best?.tests.length ?? mostMissed + 1)) best = missing;
    else if (best !== undefined && isNearer(missing, best)) best = missing;
    if (best?.tests.length === 1 && !best.distances.some(Number.isFinite)) break;
  }
  return best;
}

/** No tests where more fail than of the best row so far; undefined where finding out takes too long. */
function missingOf(row: Row, matching: Matching, best: Missing | undefined): Missing | undefined {
  const most = best?.tests.length ?? mostMissed;
  const tests: Test[] = [];
  try {
    for (const test of row.tests)
      if (tests.length <= most && !matches({ ...row, tests: [test] }, matching)) tests.push(test);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
  if (tests.length > most) return { row, tests: [], distances: [] };
  return { row, tests, distances: tests.map((test) => distanceOf(test, row, matching)) };
}

/** Whether it fails in the same columns, nowhere farther from its bound, and somewhere nearer to it. */
const isNearer = (one: Missing, other: Missing): boolean =>
  one.tests.length === other.tests.length &&
  one.tests.every(
    ({ column }, at) => column === other.tests[at]?.column && distanceAt(one, at) <= distanceAt(other, at),
  ) &&
  one.tests.some((_, at) => distanceAt(one, at) < distanceAt(other, at));

const distanceAt = ({ distances }: Missing, at: number): number => distances[at] ?? Infinity;

/** How far a value is from the nearest of the numbers, days or times that a condition names; infinite where it is none of these. */
function distanceOf({ column, ofField }: Test, { index }: Row, matching: Matching): number {
  const value = ofField ? matching.field(column) : undefined;
  const source = matching.table.rules[index]?.get(matching.table.inputs[column]?.id ?? '') ?? '';
  if (value === undefined || source.length > longestMeasured) return Infinity;
  const texts = [...source.matchAll(quoted)].map(([text]) => text.slice(1, -1));
  if (isNumeric(value)) return nearestOf(Number(value), source.replace(quoted, '').match(number)?.map(Number) ?? []);
  const measure = /\btime\(/.test(source) ? secondsOf : millisecondsOf;
  return nearestOf(
    measure(value),
    texts.map((text) => measure(text)),
  );
}

const quoted = /"[^"]*"|'[^']*'/g;
/** `0..50` has two of them. */
const number = /(?<![\w$]|\w\.)-?\d+(?:\.\d+)?/g;

const secondsOf = (value: Value): number | undefined => (typeof value === 'string' ? parseClock(value) : undefined);
const millisecondsOf = (value: Value): number | undefined => asDate(value)?.moment?.toMillis();

const nearestOf = (value: number | undefined, bounds: readonly (number | undefined)[]): number =>
  value === undefined
    ? Infinity
    : Math.min(...bounds.map((bound) => (bound === undefined ? Infinity : Math.abs(bound - value))));

function toldOf({ row, tests }: Pick<Missing, 'row' | 'tests'>, matching: Matching): NearestRow {
  const { inputs, rules } = matching.table;
  const missed = tests.map(({ column, ofField }) => {
    const { id = '', name = '', field = '' } = inputs[column] ?? {};
    const value = ofField ? matching.field(column) : undefined;
    const told = value === undefined ? '…' : shown(value);
    return {
      column: ofField ? readable(name === '' ? field : name) : 'the case',
      condition: readable(rules[row.index]?.get(id) ?? ''),
      // Of a secret that was cut nobody would know that it is one.
      ...(told.endsWith('…') ? {} : { value: told }),
    };
  });
  return { index: row.index, missed };
}

const readable = (text: string): string => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);
