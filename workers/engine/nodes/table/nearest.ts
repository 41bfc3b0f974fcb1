import { EngineError } from '../../errors.js';
import type { Frame } from '../../jdm/frame.js';
import type { RunState } from '../../values.js';
import { shown } from '../../zen/because.js';
import type { NearestRow } from '../nodeType.js';
import { matches, type Matching, type Row, type Test } from './rows.js';

/** A row of which more conditions fail comes near nobody's case. */
const mostMissed = 3;
/** Characters of a name or a condition. */
const longest = 80;

/** A table's row, and those of its conditions that fail. */
interface Missing {
  readonly row: Row;
  readonly tests: readonly Test[];
}

/**
 * Of a table of which no row matches, the first of the rows of which the fewest conditions fail. Looking for it costs the run
 * nothing and changes nothing of it: the steps, the random numbers and the variables that are read are not the run's. Where
 * a condition would draw a number or read a variable, or where looking takes too long, there is none.
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
    const found = fewestMissed(rows, matching);
    const told = found === undefined ? undefined : toldOf(found, matching);
    return refusals > 0 ? undefined : told;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  } finally {
    search.steps = Math.max(0, run.steps);
    search.ms = Math.max(0, search.ms - (performance.now() - began));
  }
}

function fewestMissed(rows: readonly Row[], matching: Matching): Missing | undefined {
  const { run } = matching.scope;
  let best: Missing | undefined;
  for (const row of rows) {
    if (performance.now() > run.deadline) return undefined;
    const tests: Test[] = [];
    const enough = best === undefined ? mostMissed + 1 : best.tests.length;
    for (const test of row.tests) {
      if (tests.length < enough && !matches({ ...row, tests: [test] }, matching)) tests.push(test);
    }
    if (tests.length > 0 && tests.length < enough) best = { row, tests };
    if (best?.tests.length === 1) break;
  }
  return best;
}

function toldOf({ row, tests }: Missing, matching: Matching): NearestRow {
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
