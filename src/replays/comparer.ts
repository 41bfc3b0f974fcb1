import type { Knex } from 'knex';
import { parseExactly } from '../../workers/json/index.js';
import {
  OutcomeCounter,
  type CompareAnswer,
  type CompareTask,
  type ComparisonSettings,
} from '../../workers/models/index.js';
import type { RunStopped } from '../../workers/protocol.js';
import { createCache, type Cache } from '../cache/cache.js';
import type { Programs } from '../decisions/programs/programs.js';
import type { Configurations } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import { textBytes, type ByteBudget, type Reservation } from '../admission/byteBudget.js';
import type { Pool } from '../admission/pool/pool.js';
import { wasInForce } from './inForce.store.js';
import { outcomesOf } from './outcomes/outcomes.store.js';
import type { Tallies } from './tallies.js';

export interface CompareDependencies {
  readonly database: Knex;
  readonly programs: Programs;
  readonly configurations: Configurations;
  readonly pool: Pick<Pool, 'background'>;
  readonly budget: ByteBudget;
}

/** The version that recorded runs are compared with. It runs with the present variables of an environment. */
export interface Candidate {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  /** 0 for the working copy. */
  readonly version: number;
  readonly settings: ComparisonSettings;
}

/** A recorded run. Texts are JSON, redacted. */
export interface ComparedRun {
  readonly id: string;
  readonly reference: string | null;
  /** The version that was recorded. */
  readonly version: number;
  readonly completed: boolean;
  readonly fact: string | null;
  readonly selection?: string | null | undefined;
  readonly factRedacted: boolean;
  readonly result: string;
  /** The time that the run saw, in milliseconds since the epoch, and the seed of its random numbers. */
  readonly clock: number;
  readonly seed: number;
}

/** A run with another result than the recorded one. */
export interface ChangedRun {
  readonly run: ComparedRun;
  /** JSON. */
  readonly changes: string;
  readonly pointers: readonly string[];
}

interface Compared {
  /** How many runs were compared, the first ones first. */
  readonly done: number;
  /** The runs with other results, in their order. */
  readonly found: readonly ChangedRun[];
}

/** Most cases of one task. A thread works on a task for a few milliseconds; the cases that it did not reach are sent again. */
const maxCases = 64;
/** Threads that the cases of one candidate may cost: each takes up to two time limits of a run, and a start. */
export const maxLosses = 20;
/** How long is remembered which versions were in force, in milliseconds, and of how many. */
const inForceMs = 1000;
const maxVersions = 1000;

/** Has threads compare recorded runs with a candidate, in the background, a piece at a time. */
export class Comparer {
  readonly #parts: CompareDependencies;
  readonly #candidate: Candidate;
  /** Cases of the next task. */
  #size = 1;
  #losses: number;
  /** Versions that were in force, by their numbers. */
  readonly #inForce: Cache<boolean, number>;

  /** @param losses threads that the candidate has cost before */
  constructor(parts: CompareDependencies, candidate: Candidate, losses = 0) {
    this.#parts = parts;
    this.#candidate = candidate;
    this.#losses = losses;
    this.#inForce = createCache({
      ...{ maxCount: maxVersions, maxAgeMs: inForceMs, renewMs: inForceMs },
      load: (_, version) => wasInForce(parts.database, candidate, version),
    });
  }

  /** Threads that this candidate's cases have ended. */
  get losses(): number {
    return this.#losses;
  }

  /** Allows the candidate's cases to end as many threads once more. Cases are still sent one by one at first. */
  forgive(): void {
    this.#losses = 0;
    this.#size = 1;
  }

  /**
   * Compares the first of the runs, as many as a thread manages in a few milliseconds, and counts them in the tallies.
   * Where a thread was lost under several cases, none is counted, and the next call sends one case alone.
   * @param reservation charged with the memory of the task, besides the runs
   * @throws Problem `decision_not_found`, `version_not_found` or `environment_not_found` where what is compared is gone,
   * `overloaded` where the workspace holds too much
   */
  async compareSome(runs: readonly ComparedRun[], tallies: Tallies, reservation: Reservation): Promise<Compared> {
    const some = runs.slice(0, this.#size);
    const task = await this.#taskOf(some);
    const answer = await this.#piece(task, reservation);
    if ('reason' in answer) return this.#lost(task, some, { tallies, reservation });
    // For each thread that was lost, half as many cases are sent at once from then on.
    const bound = Math.max(1, Math.floor(maxCases / 2 ** this.#losses));
    this.#size = answer.done < some.length ? Math.max(1, answer.done) : Math.min(bound, this.#size * 2);
    return counted(answer, some, tallies);
  }

  /**
   * What of the candidate's model was reached, as JSON; null where it cannot be told.
   * @param reservation charged with the model while it is read
   */
  async reach({ reached }: Pick<Tallies, 'reached'>, reservation: Reservation): Promise<string | null> {
    const answer = await this.#piece({ ...(await this.#taskOf([])), reached }, reservation);
    return 'reason' in answer ? null : answer.reach;
  }

  /**
   * A thread was lost. If it had one case, the candidate runs that case once more without measures and without the recorded
   * version: only a second loss is the candidate's fault.
   */
  async #lost(
    task: CompareTask,
    some: readonly ComparedRun[],
    { tallies, reservation }: { readonly tallies: Tallies; readonly reservation: Reservation },
  ): Promise<Compared> {
    this.#losses++;
    this.#size = 1;
    const [run, ...others] = some;
    if (run === undefined || others.length > 0) return { done: 0, found: [] };
    const answer = await this.#piece(alone(task), reservation);
    if ('reason' in answer) {
      this.#losses++;
      const outcomes = new OutcomeCounter(task.settings);
      const before = run.completed ? parseExactly(run.result) : undefined;
      outcomes.count(task.cases[0]?.outcomes ?? [], { before, after: undefined });
      tallies.addOutcomes(outcomes.tallies());
      return stopped(run, answer.message, tallies);
    }
    if (task.settings.measures.length === 0) return counted(answer, some, tallies);
    // A measure ended the thread. Without measures this case would be in the report, but not in the measures: it is skipped.
    tallies.skip('limit');
    return { done: 1, found: [] };
  }

  async #taskOf(runs: readonly ComparedRun[]): Promise<CompareTask> {
    const { workspaceId, environmentId, decisionId, version, settings } = this.#candidate;
    const { programs, configurations } = this.#parts;
    const configuration = await configurations.of(workspaceId, environmentId);
    if (configuration === null) throw new Problem('environment_not_found', `Environment ${environmentId} is gone.`);
    const { programId } = await programs.programOf(workspaceId, decisionId, version);
    const compared = [{ programId, getsSecrets: await this.#isInForce(version) }];
    const indexes = new Map<number, number | null>();
    for (const recorded of new Set(runs.map((run) => run.version))) {
      const program = await Promise.resolve(programs.programOf(workspaceId, decisionId, recorded)).catch(unlessGone);
      const getsSecrets = await this.#isInForce(recorded);
      indexes.set(recorded, program && compared.push({ programId: program.programId, getsSecrets }) - 1);
    }
    const outcomes = await outcomesOf(this.#parts.database, workspaceId, { runs, names: settings.outcomes });
    const cases = runs.map(({ id: _, reference: __, version: recorded, ...run }, at) => ({
      ...run,
      outcomes: outcomes[at] ?? [],
      program: indexes.get(recorded) ?? null,
    }));
    return { kind: 'compare', workspaceId, configurationId: configuration.id, programs: compared, settings, cases };
  }

  #isInForce(version: number): boolean | Promise<boolean> {
    return this.#inForce.get(`${this.#candidate.workspaceId}/${version}`, version);
  }

  /** Sends a task, again with what the thread lacked. Each attempt may come to another thread, which lacks something else. */
  async #piece(task: CompareTask, reservation: Reservation): Promise<CompareAnswer | RunStopped> {
    let bytes = 0;
    try {
      for (let sent = task; ;) {
        const answer = await this.#parts.pool.background<'compare'>(sent);
        if ('reason' in answer || answer.lacking === null) return answer;
        sent = await this.#provide(sent, answer.lacking, (text) => {
          reservation.grow(textBytes(text));
          bytes += textBytes(text);
          return text;
        });
      }
    } finally {
      reservation.shrink(bytes);
    }
  }

  async #provide(
    task: CompareTask,
    lacking: NonNullable<CompareAnswer['lacking']>,
    held: (text: string) => string,
  ): Promise<CompareTask> {
    const { workspaceId, environmentId } = this.#candidate;
    const programs = [...task.programs];
    for (const index of lacking.programs) {
      const program = programs[index];
      if (program === undefined) continue;
      programs[index] = { ...program, bundle: held(await this.#parts.programs.bundle(workspaceId, program.programId)) };
    }
    const loaded = lacking.configuration ? await this.#parts.configurations.of(workspaceId, environmentId) : null;
    const configuration = loaded && { configurationId: loaded.id, configuration: held(loaded.text) };
    return { ...task, programs, ...configuration };
  }
}

/** The task with the candidate's run alone. */
const alone = (task: CompareTask): CompareTask => ({
  ...task,
  settings: { ...task.settings, measures: [], reach: false },
  cases: task.cases.map((one) => ({ ...one, program: null })),
});

function counted(
  { done, differences, tallies: piece }: CompareAnswer,
  runs: readonly ComparedRun[],
  tallies: Tallies,
): Compared {
  tallies.add(piece);
  const found = differences.flatMap(({ index, changes, pointers }) => {
    const run = runs[index];
    return run === undefined ? [] : [{ run, changes, pointers }];
  });
  return { done, found };
}

/** Null where a recorded version was deleted: then only the candidate runs. */
function unlessGone(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

function stopped(run: ComparedRun, message: string, tallies: Tallies): Compared {
  if (!run.completed) {
    tallies.count('identical');
    return { done: 1, found: [] };
  }
  tallies.count('newlyFailed');
  const change = { pointer: '', after: { error: message } };
  return { done: 1, found: [{ run, changes: JSON.stringify([change]), pointers: [''] }] };
}
