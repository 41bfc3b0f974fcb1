import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { idToBytes } from '../storage/ids.js';
import { Comparer, maxLosses, type CompareDependencies, type ComparedRun, type ChangedRun } from './comparer.js';
import type { NewDifference } from './differences.store.js';
import { JobFailed } from '../jobs/jobLoop.js';
import { recordProgress, type Progress, type ReplayJob } from './progress.store.js';
import { RecordReader } from './recordReader.js';
import { countRecords } from './records.store.js';
import type { CreateReplay } from './replays.schema.js';
import { planOf, type ReplayPlan } from './replayPlan.js';
import { Tallies } from './tallies.js';

/** Progress is written after so many milliseconds, differences, or bytes of differences, whichever comes first. */
const writtenAfterMs = 500;
const writtenAfter = { differences: 500, bytes: 1024 * 1024 };
/** Bytes of differences that are kept of a replay; further ones are only counted. */
const maxDifferenceBytes = 64 * 1024 * 1024;
/** Copies of the tallies while they are written: counts, JSON, the report and a statement with both. */
const copiesOfTallies = 5;

/** How long to work on a replay. */
interface SliceOptions {
  /** By `performance.now()`: no further piece begins after it. */
  readonly until: number;
  /** Aborted once the server stops, or another process has the replay. */
  readonly gone: AbortSignal;
}

/**
 * Works on a replay until it is over or its slice of time is: counts the executions, reads a page, compares a piece of it,
 * writes the progress. What was done since the last progress is lost with the process, and done again.
 * @returns whether it is over
 * @throws JobLost, JobFailed, and what `Comparer.compareSome` throws
 */
export async function workOnReplay(
  parts: CompareDependencies,
  job: ReplayJob,
  options: SliceOptions,
): Promise<boolean> {
  const reservation = parts.budget.reserve(job.workspaceId, heldFor(job));
  try {
    return await new Slice(parts, job, { ...options, reservation }).work();
  } finally {
    reservation.release();
  }
}

const heldFor = ({ request, progress: { tallies } }: ReplayJob): number =>
  2 * textBytes(request) + copiesOfTallies * textBytes(tallies);

class Slice {
  readonly #parts: CompareDependencies;
  readonly #job: ReplayJob;
  readonly #options: SliceOptions & { readonly reservation: Reservation };
  readonly #plan: ReplayPlan;
  readonly #tallies: Tallies;
  #progress: Progress;
  #differences: NewDifference[] = [];
  #bytes = 0;
  #writtenAt = performance.now();
  /** JSON; null before all are done. */
  #reach: string | null = null;

  constructor(
    parts: CompareDependencies,
    job: ReplayJob,
    options: SliceOptions & { readonly reservation: Reservation },
  ) {
    this.#parts = parts;
    this.#job = job;
    this.#options = options;
    this.#plan = planOf(job.workspaceId, job.id, JSON.parse(job.request) as CreateReplay);
    this.#tallies = Tallies.parse(job.progress.tallies);
    this.#progress = job.progress;
  }

  async work(): Promise<boolean> {
    const { until, gone, reservation } = this.#options;
    await this.#count();
    const reader = this.#openReader();
    const comparer = new Comparer(this.#parts, this.#plan.candidate, this.#tallies.losses);
    try {
      let page: ComparedRun[] = [];
      while (!gone.aborted) {
        if (page.length === 0) page = await this.#read(reader);
        if (page.length === 0) {
          this.#reach = await comparer.reach(this.#tallies, reservation);
          await this.#write({ isOver: true });
          return true;
        }
        const { done, found } = await comparer.compareSome(page, this.#tallies, reservation);
        this.#add(page.slice(0, done), found);
        page = page.slice(done);
        await this.#writeIfDue(comparer.losses);
        if (comparer.losses >= maxLosses) throw tooManyLosses();
        if (performance.now() >= until) break;
      }
      await this.#write();
      return false;
    } finally {
      await reader.close();
    }
  }

  /** Counts the executions, once. */
  async #count(): Promise<void> {
    const { scope, before, limit } = this.#plan;
    if (this.#progress.total !== null) return;
    this.#progress = { ...this.#progress, total: await countRecords(this.#parts.database, scope, before, limit) };
    await this.#write();
  }

  #openReader(): RecordReader {
    const { position } = this.#progress;
    const before = position === null ? this.#plan.before : idToBytes(position);
    return new RecordReader(this.#parts.database, this.#plan.scope, { before, reservation: this.#options.reservation });
  }

  async #read(reader: RecordReader): Promise<ComparedRun[]> {
    return (await reader.next()).slice(0, this.#plan.limit - this.#progress.done);
  }

  /** Counts runs as done, and keeps the differences of runs with other results. */
  #add(runs: readonly ComparedRun[], found: readonly ChangedRun[]): void {
    const { reservation } = this.#options;
    for (const { run, changes, pointers } of found) {
      const bytes = Buffer.byteLength(changes);
      if (this.#progress.differenceBytes + this.#bytes + bytes > maxDifferenceBytes) continue;
      this.#bytes += bytes;
      this.#differences.push({ executionId: run.id, reference: run.reference, changes, pointers });
      // Never refused: the differences are in memory already, and are written soon.
      reservation.resize(reservation.bytes + 2 * bytes);
    }
    const position = runs.at(-1)?.id ?? this.#progress.position;
    this.#progress = { ...this.#progress, done: this.#progress.done + runs.length, position };
  }

  /** @param losses threads that the replay has ended; each new loss is written at once, so that it outlives this process */
  async #writeIfDue(losses: number): Promise<void> {
    const hasLost = losses > this.#tallies.losses;
    this.#tallies.losses = losses;
    const isDue =
      performance.now() - this.#writtenAt > writtenAfterMs ||
      this.#differences.length > writtenAfter.differences ||
      this.#bytes > writtenAfter.bytes;
    if (hasLost || isDue) await this.#write();
  }

  async #write({ isOver } = { isOver: false }): Promise<void> {
    const { reservation } = this.#options;
    const total = isOver ? this.#progress.done : this.#progress.total;
    const progress = {
      ...this.#progress,
      // At the end: some executions may have been pruned since they were counted.
      total,
      tallies: JSON.stringify(this.#tallies),
      differenceBytes: this.#progress.differenceBytes + this.#bytes,
    };
    const report = this.#tallies.report(this.#plan.candidate.settings, this.#reach);
    const differences = this.#differences;
    await recordProgress(this.#parts.database, this.#job, { progress, report, differences, isOver });
    const grown = progress.tallies.length - this.#progress.tallies.length;
    reservation.resize(reservation.bytes - 2 * this.#bytes + 2 * copiesOfTallies * grown);
    this.#progress = progress;
    this.#differences = [];
    this.#bytes = 0;
    this.#writtenAt = performance.now();
  }
}

const tooManyLosses = (): JobFailed =>
  new JobFailed(
    `Its cases ended ${maxLosses} threads, by what the candidate or the measures need of time or memory. ` +
      'The report is of the executions before.',
  );
