import type { Knex } from 'knex';
import { idToBytes } from '../storage/ids.js';
import { Comparer, type CompareDependencies } from './comparer.js';
import type { NewDifference } from './differences.store.js';
import { recordProgress, type Job, type Progress } from './jobs.store.js';
import { RecordReader } from './reader.js';
import { countRecords, type RecordedRun } from './records.store.js';
import type { CreateReplay } from './replays.schema.js';
import { planOf, type ReplayPlan } from './request.js';
import { Tallies } from './tallies.js';

/** After so many milliseconds, or differences, or bytes of them, what was done is written. */
const writtenAfterMs = 500;
const writtenAfter = { differences: 500, bytes: 1024 * 1024 };
/** Bytes of differences that are kept of a replay; of further ones only the counts. */
const maxDifferenceBytes = 64 * 1024 * 1024;

export interface TurnDependencies extends CompareDependencies {
  readonly database: Knex;
}

export interface TurnOptions {
  /** Milliseconds for which nobody else takes the job. */
  readonly leaseMs: number;
  /** Whether to go on; asked between two pieces. */
  readonly mayGoOn: () => boolean;
}

/**
 * Works on a replay until it is over or others are to have their turn. What was done since the last progress is lost with
 * the process, and done again.
 * @throws JobLost, and what `Comparer.compare` throws
 */
export async function workOnReplay(parts: TurnDependencies, job: Job, options: TurnOptions): Promise<void> {
  const turn = new Turn(parts, job, options);
  await turn.work();
}

class Turn {
  readonly #parts: TurnDependencies;
  readonly #job: Job;
  readonly #options: TurnOptions;
  readonly #plan: ReplayPlan;
  readonly #request: CreateReplay;
  readonly #tallies: Tallies;
  #progress: Progress;
  #differences: NewDifference[] = [];
  #bytes = 0;
  #writtenAt = performance.now();

  constructor(parts: TurnDependencies, job: Job, options: TurnOptions) {
    this.#parts = parts;
    this.#job = job;
    this.#options = options;
    this.#request = JSON.parse(job.request) as CreateReplay;
    this.#plan = planOf(job.workspaceId, job.id, this.#request);
    this.#tallies = Tallies.parse(job.progress.tallies);
    this.#progress = job.progress;
  }

  async work(): Promise<void> {
    const { scope, before, limit, candidate } = this.#plan;
    const { database } = this.#parts;
    if (this.#progress.total === null) {
      this.#progress = { ...this.#progress, total: await countRecords(database, scope, before, limit) };
      await this.#write(this.#options.leaseMs);
    }
    const { position } = this.#progress;
    const reader = new RecordReader(database, scope, position === null ? before : idToBytes(position));
    const comparer = new Comparer(this.#parts, candidate);
    let page: RecordedRun[] = [];
    while (this.#options.mayGoOn()) {
      if (page.length === 0) {
        page = (await reader.next()).slice(0, limit - this.#progress.done);
        if (page.length === 0) return this.#write(null);
      }
      page = page.slice(await this.#compareSome(comparer, page));
      if (this.#isDueForWriting()) await this.#write(this.#options.leaseMs);
    }
    await this.#write(0);
  }

  /** Gives how many. */
  async #compareSome(comparer: Comparer, page: readonly RecordedRun[]): Promise<number> {
    const { done, found } = await comparer.compareSome(page, this.#tallies);
    for (const { run, changes, pointers } of found) {
      const bytes = Buffer.byteLength(changes);
      if (this.#progress.differenceBytes + this.#bytes + bytes > maxDifferenceBytes) continue;
      this.#bytes += bytes;
      this.#differences.push({ executionId: run.id, reference: run.reference, changes, pointers });
    }
    const position = page[done - 1]?.id ?? this.#progress.position;
    this.#progress = { ...this.#progress, done: this.#progress.done + done, position };
    return done;
  }

  #isDueForWriting(): boolean {
    return (
      performance.now() - this.#writtenAt > writtenAfterMs ||
      this.#differences.length > writtenAfter.differences ||
      this.#bytes > writtenAfter.bytes
    );
  }

  async #write(leaseMs: number | null): Promise<void> {
    const total = leaseMs === null ? this.#progress.done : this.#progress.total;
    const progress = {
      ...this.#progress,
      // Some may have been pruned meanwhile.
      total,
      tallies: JSON.stringify(this.#tallies),
      differenceBytes: this.#progress.differenceBytes + this.#bytes,
    };
    const report = this.#tallies.report(this.#plan.candidate.settings.measures);
    await recordProgress(this.#parts.database, this.#job, {
      progress,
      report,
      differences: this.#differences,
      leaseMs,
    });
    this.#progress = progress;
    this.#differences = [];
    this.#bytes = 0;
    this.#writtenAt = performance.now();
  }
}
