import type { CompareAnswer, CompareTask, ComparisonSettings } from '../../workers/models/index.js';
import type { RunStopped } from '../../workers/protocol.js';
import type { Programs } from '../decisions/programs/programs.js';
import type { Configurations } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import type { Pool } from '../pool/pool.js';
import type { Tallies } from './tallies.js';

export interface CompareDependencies {
  readonly programs: Programs;
  readonly configurations: Configurations;
  readonly pool: Pick<Pool, 'background'>;
}

/** What recorded runs are compared with: a version of their decision, with an environment's present variables. */
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
  /** That it was recorded with. */
  readonly version: number;
  readonly completed: boolean;
  readonly fact: string | null;
  readonly factRedacted: boolean;
  readonly result: string;
  /** What it saw, milliseconds since the epoch, and where its random numbers came from. */
  readonly clock: number;
  readonly seed: number;
}

/** A run that came out otherwise. */
export interface Found<Run> {
  readonly run: Run;
  /** JSON. */
  readonly changes: string;
  readonly pointers: readonly string[];
}

export interface Compared<Run> {
  /** Of the first so many runs. */
  readonly done: number;
  /** Those that came out otherwise, in their order. */
  readonly found: readonly Found<Run>[];
}

/** Cases that a thread gets at once: what it does not get done in a few milliseconds was sent for nothing. */
const most = 64;

/** Has threads compare recorded runs with a candidate, in the background. */
export class Comparer {
  readonly #parts: CompareDependencies;
  readonly #candidate: Candidate;
  #size = 8;

  constructor(parts: CompareDependencies, candidate: Candidate) {
    this.#parts = parts;
    this.#candidate = candidate;
  }

  /**
   * Compares the first of the runs, as many as a thread gets done in a few milliseconds, and counts them in the tallies.
   * @throws Problem `decision_not_found`, `version_not_found` or `environment_not_found` where what is compared is gone
   */
  async compareSome<Run extends ComparedRun>(runs: readonly Run[], tallies: Tallies): Promise<Compared<Run>> {
    const some = runs.slice(0, this.#size);
    const answer = await this.#piece(await this.#prepare(some));
    if ('reason' in answer) {
      this.#size = 1;
      // The thread is gone: of several cases nobody knows whose doing that was.
      return some.length === 1 ? stopped(some[0], answer.message, tallies) : { done: 0, found: [] };
    }
    const { done, differences } = answer;
    tallies.add(answer.tallies);
    this.#size = done < some.length ? Math.max(1, done) : Math.min(most, this.#size * 2);
    const found = differences.flatMap(({ index, changes, pointers }) => {
      const run = some[index];
      return run === undefined ? [] : [{ run, changes, pointers }];
    });
    return { done, found };
  }

  async #prepare(runs: readonly ComparedRun[]): Promise<CompareTask> {
    const { workspaceId, environmentId, decisionId, version, settings } = this.#candidate;
    const { programs, configurations } = this.#parts;
    const configuration = await configurations.of(workspaceId, environmentId);
    if (configuration === null) throw new Problem('environment_not_found', `Environment ${environmentId} is gone.`);
    const { programId } = await programs.programOf(workspaceId, decisionId, version);
    const compared = [{ programId }];
    const indexes = new Map<number, number | null>();
    for (const recorded of new Set(runs.map((run) => run.version))) {
      const known = await Promise.resolve(programs.programOf(workspaceId, decisionId, recorded)).catch(unlessGone);
      indexes.set(recorded, known === null ? null : compared.push({ programId: known.programId }) - 1);
    }
    const cases = runs.map(({ fact, factRedacted, result, completed, clock, seed, version: recorded }) => {
      return { fact, factRedacted, result, completed, clock, seed, program: indexes.get(recorded) ?? null };
    });
    return { kind: 'compare', workspaceId, configurationId: configuration.id, programs: compared, settings, cases };
  }

  /** Gives the thread what it turns out to lack, which may be another one each time. */
  async #piece(task: CompareTask): Promise<CompareAnswer | RunStopped> {
    const { workspaceId, environmentId } = this.#candidate;
    for (let sent = task; ;) {
      const answer = await this.#parts.pool.background<'compare'>(sent);
      if ('reason' in answer || answer.lacking === null) return answer;
      const { programs, configuration } = answer.lacking;
      const bundles = new Map<number, string>();
      for (const index of programs) {
        bundles.set(index, await this.#parts.programs.bundle(sent.programs[index]?.programId ?? ''));
      }
      const loaded = configuration ? await this.#parts.configurations.of(workspaceId, environmentId) : null;
      sent = {
        ...sent,
        programs: sent.programs.map((program, index) => ({ ...program, ...bundleAt(bundles, index) })),
        ...(loaded === null ? {} : { configurationId: loaded.id, configuration: loaded.text }),
      };
    }
  }
}

const bundleAt = (bundles: ReadonlyMap<number, string>, index: number): { bundle?: string } => {
  const bundle = bundles.get(index);
  return bundle === undefined ? {} : { bundle };
};

/** A version that is gone can't run again. */
function unlessGone(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

function stopped<Run extends ComparedRun>(run: Run | undefined, message: string, tallies: Tallies): Compared<Run> {
  if (run?.completed !== true) {
    tallies.count('identical');
    return { done: 1, found: [] };
  }
  tallies.count('newlyFailed');
  const change = { pointer: '', after: { error: message } };
  return { done: 1, found: [{ run, changes: JSON.stringify([change]), pointers: [''] }] };
}
