import {
  EngineError,
  faultLine,
  JsonTexts,
  type Limits,
  type Outcome,
  type RunSecrets,
  type Value,
} from '../../engine/index.js';
import type { Configurations, LoadedConfiguration } from '../../configurations.js';
import type { Loaded, Programs } from '../../programs.js';
import { randomFrom } from '../../random.js';
import { parseExactly } from '../exactJson.js';
import { Comparison, type ResultChange } from './changes.js';
import { PieceCounter } from './counter.js';
import { describeChanges } from './describe.js';
import { Measure } from './measures.js';
import type { CompareAnswer, CompareCase, CompareTask, Difference, Lacking } from './tasks.js';

/** Milliseconds after which no further case is begun: the thread may be wanted for others. */
const budgetMs = 5;
/** Characters of an answer's differences after which it is sent. */
const maxAnswerLength = 1024 * 1024;

/** What a thread has for it. */
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
  const counter = new PieceCounter(task.settings.measures.length);
  const differences: Difference[] = [];
  const answer = { lacking: null, faults: [], done: 0, tallies: counter.tallies(), differences };
  const { measures, faults } = compiled(task, context.limits);
  if (faults.length > 0) return { ...answer, faults };
  const means = meansOf(task, context);
  if ('programs' in means) return { ...answer, lacking: means };
  const comparison = new Comparison(task.settings);
  const end = performance.now() + budgetMs;
  let [done, length] = [0, 0];
  for (const recorded of task.cases) {
    if (done > 0 && (performance.now() > end || length > maxAnswerLength)) break;
    // Each runs first every other time: what one leaves in the caches helps the other.
    const runs = new CaseRuns({ recorded, means, timeoutMs, candidateFirst: done % 2 === 0 });
    const changes = await compareCase(runs, { comparison, measures, counter });
    if (changes.length > 0) {
      const difference = { index: done, ...describeChanges(changes) };
      differences.push(difference);
      length += difference.changes.length;
    }
    done++;
  }
  return { ...answer, done, tallies: counter.tallies() };
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

/** What cases run with. */
interface Means {
  readonly loaded: readonly Loaded[];
  readonly configuration: LoadedConfiguration;
}

function meansOf(task: CompareTask, { programs, configurations }: CompareContext): Means | Lacking {
  const { workspaceId, configurationId, configuration: text } = task;
  const configuration =
    configurations.get(configurationId) ??
    (text === undefined ? undefined : configurations.load(configurationId, text));
  const loaded = task.programs.map(
    ({ programId, bundle }) =>
      programs.get(programId) ?? (bundle === undefined ? undefined : programs.load(programId, { bundle, workspaceId })),
  );
  const lacking = loaded.flatMap((program, index) => (program === undefined ? [index] : []));
  if (configuration === undefined || lacking.length > 0)
    return { programs: lacking, configuration: configuration === undefined };
  return { loaded: loaded.filter((program) => program !== undefined), configuration };
}

interface CaseOptions {
  readonly recorded: CompareCase;
  readonly means: Means;
  readonly timeoutMs: number;
  readonly candidateFirst: boolean;
}

/** The two runs of a case. */
class CaseRuns {
  readonly recorded: CompareCase;
  readonly #options: CaseOptions;

  constructor(options: CaseOptions) {
    this.recorded = options.recorded;
    this.#options = options;
  }

  /** Null in place of the candidate's where it would call another host. */
  async run(fact: Value): Promise<{ candidate: CaseRun | null; beforeMs: number | null }> {
    const { recorded, means, candidateFirst } = this.#options;
    const [program] = means.loaded;
    const before = recorded.program === null ? undefined : means.loaded[recorded.program];
    if (program === undefined) throw new Error('a comparison has no candidate');
    const earlier = !candidateFirst && before !== undefined ? await this.#run(before, fact) : null;
    const candidate = await this.#run(program, fact);
    const later = candidateFirst && before !== undefined ? await this.#run(before, fact) : null;
    const repeated = earlier ?? later;
    return {
      candidate: candidate.calledHost ? null : candidate,
      beforeMs: repeated === null || repeated.calledHost ? null : repeated.outcome.engineMs,
    };
  }

  async #run(program: Loaded, fact: Value): Promise<CaseRun> {
    const { recorded, means, timeoutMs } = this.#options;
    const secrets = means.configuration.redactor.forRun();
    const outcome = await outcomeOf(program, fact, {
      env: means.configuration.env,
      deadline: performance.now() + timeoutMs,
      now: recorded.clock,
      random: randomFrom(recorded.seed),
      secrets,
      trace: false,
      http: 'withheld',
    });
    const calledHost = outcome.status === 'FAILED' && outcome.error.code === 'http_withheld';
    return { outcome, secrets, calledHost };
  }
}

interface CaseRun {
  readonly outcome: Outcome;
  readonly secrets: RunSecrets;
  readonly calledHost: boolean;
}

type Options = Parameters<Exclude<Loaded, EngineError>['run']>[1];

function outcomeOf(program: Loaded, fact: Value, options: Options): Outcome | Promise<Outcome> {
  if (!(program instanceof EngineError)) return program.run(fact, options);
  const fault = program.toFault();
  return { status: 'FAILED', error: fault, message: faultLine(fault), engineMs: 0, plain: true };
}

interface CaseTools {
  readonly comparison: Comparison;
  readonly measures: readonly Measure[];
  readonly counter: PieceCounter;
}

/** Counts a case; gives what is different. */
async function compareCase(runs: CaseRuns, { comparison, measures, counter }: CaseTools): Promise<ResultChange[]> {
  const { fact: factText, factRedacted, result, completed, clock, seed } = runs.recorded;
  if (factText === null) return counter.skip('facts_not_recorded');
  if (factRedacted) return counter.skip('fact_redacted');
  const fact = JSON.parse(factText) as Value;
  const { candidate, beforeMs } = await runs.run(fact);
  if (candidate === null) return counter.skip('http');
  const after = resultOf(candidate);
  counter.ran(candidate.outcome.engineMs, beforeMs);
  const isSameText = after.text === result && after.completed === completed;
  const [then, now] = isSameText && measures.length === 0 ? [] : [parseExactly(result), parseExactly(after.text)];
  measures.forEach((measure, index) => {
    const circumstances = () => ({ now: () => clock, random: randomFrom(seed), deadline: Infinity });
    counter.measured(index, {
      before: measure.of(fact, then, circumstances()),
      after: measure.of(fact, now, circumstances()),
    });
  });
  if (completed !== after.completed) {
    counter.count(completed ? 'newlyFailed' : 'newlyCompleted');
    return [{ pointer: '', before: then, after: now }];
  }
  const changes = !completed || isSameText ? [] : comparison.changes(then, now);
  counter.compared(changes);
  return changes;
}

/** As it would be recorded. */
function resultOf({ outcome, secrets }: CaseRun): { readonly completed: boolean; readonly text: string } {
  if (outcome.status === 'FAILED') return failure(secrets.text(outcome.message));
  try {
    return { completed: true, text: secrets.json(new JsonTexts(outcome.plain).of(outcome.result)) };
  } catch (error) {
    // Of a result that nests too deep.
    if (error instanceof EngineError) return failure(error.message);
    throw error;
  }
}

const failure = (message: string): { completed: false; text: string } => ({
  completed: false,
  text: JSON.stringify({ error: message }),
});
