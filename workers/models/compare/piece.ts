import { EngineError, type Limits, type Value } from '../../engine/index.js';
import type { Configurations } from '../../configurations.js';
import { bodyOf, readFact } from '../../fact.js';
import type { Programs } from '../../programs.js';
import type { Bundle } from '../../protocol.js';
import { randomFrom } from '../../random.js';
import { parseExactly } from '../../json/index.js';
import { CaseRuns, resultOf, type Means } from './caseRuns.js';
import { Comparison, type ChangedField } from './changes.js';
import { PieceCounter } from './counter.js';
import { describeChanges } from './describe.js';
import { Measure, type MeasureTally } from './measureTally.js';
import { areNear } from './numbers.js';
import { reachOf } from './reach.js';
import type { CompareAnswer, CompareTask, Counted, Difference, Lacking, MeasurePair } from './tasks.js';

/** Milliseconds after which no further case is begun: the thread may be wanted for others. */
const budgetMs = 5;
/** Characters of an answer's differences after which it is sent. */
const maxAnswerLength = 1024 * 1024;

/** What a thread needs to run cases, and keeps between tasks. */
export interface CompareContext {
  readonly limits: Limits;
  readonly programs: Programs;
  readonly configurations: Configurations;
}

/** Compares cases for some milliseconds. @param timeoutMs the limit of each run */
export async function comparePiece(
  task: CompareTask,
  timeoutMs: number,
  context: CompareContext,
): Promise<CompareAnswer> {
  const counter = new PieceCounter(task.settings);
  const differences: Difference[] = [];
  const answer = { lacking: null, faults: [], done: 0, tallies: counter.tallies(), differences, reach: null };
  if (task.reached !== undefined) {
    const bundle = task.programs[0]?.bundle;
    if (bundle === undefined) return { ...answer, lacking: { programs: [0], configuration: false } };
    return { ...answer, reach: reachText(bundle, task.reached) };
  }
  const { measures, faults } = compiled(task, context.limits);
  if (faults.length > 0) return { ...answer, faults };
  const means = meansOf(task, context);
  if ('programs' in means) return { ...answer, lacking: means };
  const { ignore, tolerance } = task.settings;
  const comparison = new Comparison(ignore, (one, other) => areNear(one, other, tolerance));
  const parses = measures.length > 0 || task.settings.outcomes.length > 0;
  const traced = task.settings.reach;
  const end = performance.now() + budgetMs;
  let [done, length] = [0, 0];
  for (const recorded of task.cases) {
    if (done > 0 && (performance.now() > end || length > maxAnswerLength)) break;
    // Candidate and recorded version take turns at running first: the second one finds the processor's caches warm.
    const runs = new CaseRuns({ recorded, means, timeoutMs, candidateFirst: done % 2 === 0 });
    const changes = await compareCase(runs, { comparison, measures, counter, parses, traced });
    if (changes.length > 0) {
      const difference = { index: done, ...describeChanges(changes) };
      differences.push(difference);
      length += difference.changes.length;
    }
    done++;
  }
  return { ...answer, done, tallies: counter.tallies() };
}

function reachText(bundle: string, reached: readonly Counted[]): string {
  const { manifest, contents } = JSON.parse(bundle) as Bundle;
  return JSON.stringify(reachOf(JSON.parse(contents[manifest.entries[0]?.content ?? ''] ?? 'null'), reached));
}

function compiled(
  { settings }: CompareTask,
  limits: Limits,
): { readonly measures: readonly Measure[]; readonly faults: CompareAnswer['faults'] } {
  const measures: Measure[] = [];
  const faults: { measure: number; message: string }[] = [];
  settings.measures.forEach((measure, index) => {
    try {
      measures.push(new Measure(measure, limits));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      faults.push({ measure: index, message: error.message });
    }
  });
  return { measures, faults };
}

function meansOf(task: CompareTask, { programs, configurations }: CompareContext): Means | Lacking {
  const { workspaceId, configurationId, configuration: text } = task;
  const configuration =
    configurations.get(configurationId) ??
    (text === undefined ? undefined : configurations.load(configurationId, text));
  const held = task.programs.map(
    ({ programId, bundle }) =>
      programs.get(programId) ?? (bundle === undefined ? undefined : programs.load(programId, { bundle, workspaceId })),
  );
  const lacking = held.flatMap((program, index) => (program === undefined ? [index] : []));
  if (configuration === undefined || lacking.length > 0) {
    return { programs: lacking, configuration: configuration === undefined };
  }
  const loaded = held.flatMap((program, index) => {
    return program === undefined ? [] : [{ program, getsSecrets: task.programs[index]?.getsSecrets === true }];
  });
  return { loaded, configuration };
}

interface CaseTools {
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  readonly counter: PieceCounter;
  /** Results are parsed even where both texts are the same: measures and outcomes read them. */
  readonly parses: boolean;
  readonly traced: boolean;
}

/** Runs and counts a case. Returns the differences between its two results. */
async function compareCase(
  runs: CaseRuns,
  { comparison, measures, counter, parses, traced }: CaseTools,
): Promise<ChangedField[]> {
  const { fact: factText, selection, factRedacted, result, completed, outcomes } = runs.recorded;
  if (factText === null) return counter.skip('facts_not_recorded');
  if (factRedacted) return counter.skip('fact_redacted');
  const read = readFact(bodyOf(factText, selection));
  const { candidate, beforeMs } = await runs.run(read);
  if (candidate.withheld !== null) return counter.skip(candidate.withheld);
  const trace = traced ? await runs.trace(read) : {};
  const after = resultOf(candidate);
  const isSameText = after.text === result && after.completed === completed;
  const [then, now] = isSameText && !parses ? [] : [parseExactly(result), parseExactly(after.text)];
  const measured = measuredOf(measures, runs, {
    fact: read instanceof EngineError ? null : read.fact,
    before: then,
    after: now,
  });
  if (measured === null) return counter.skip('limit');
  counter.countRun(candidate.outcome.engineMs, beforeMs);
  counter.reach.count(trace);
  measured.forEach((pair, index) => counter.measured(index, pair));
  counter.outcomes.count(outcomes, {
    before: completed ? then : undefined,
    after: after.completed ? now : undefined,
  });
  if (completed !== after.completed) {
    counter.count(completed ? 'newlyFailed' : 'newlyCompleted');
    return [{ pointer: '', before: then, after: now }];
  }
  const changes = !completed || isSameText ? [] : comparison.changes(then, now);
  counter.compared(changes);
  return changes;
}

/** What all measures give for a case, within one time limit; null where that has passed. */
function measuredOf(
  measures: readonly Measure[],
  { recorded: { clock, seed }, shareMs }: CaseRuns,
  { fact, before, after }: { readonly fact: Value; readonly before: unknown; readonly after: unknown },
): MeasurePair[] | null {
  const deadline = performance.now() + shareMs;
  const of = (measure: Measure, result: unknown): MeasureTally =>
    measure.of(fact, result, { now: () => clock, random: randomFrom(seed), deadline });
  try {
    return measures.map((measure) => ({ before: of(measure, before), after: of(measure, after) }));
  } catch (error) {
    if (error instanceof EngineError && error.code === 'timeout') return null;
    throw error;
  }
}
