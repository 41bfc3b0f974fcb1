import { textBytes, type Reservation } from '../http/body/byteBudget.js';
import { idToBytes } from '../storage/ids.js';
import { Comparer, maxLosses, type CompareDependencies } from './comparer.js';
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
/** Copies of the tallies while they are written: counts, JSON, the report and a statement with both. */
const copiesOfTallies = 5;

export interface SliceOptions {
  /** Milliseconds for which nobody else takes the job. */
  readonly leaseMs: number;
  /** Whether to go on; asked between two pieces. */
  readonly mayGoOn: () => boolean;
}

/** The replay can't go on; the message is for its owner. */
export class ReplayFailed extends Error {
  override readonly name = 'ReplayFailed';
}

/**
 * Works on a replay until it is over or its slice of time is: counts the executions, reads a page, compares a piece of it,
 * writes the progress. What was done since the last progress is lost with the process, and done again.
 * @throws JobLost, ReplayFailed, and what `Comparer.compareSome` throws
 */
export async function workOnReplay(parts: CompareDependencies, job: Job, options: SliceOptions): Promise<void> {
  const reservation = parts.budget.reserve(job.workspaceId, heldFor(job));
  try {
    await new Slice(parts, job, { ...options, reservation }).work();
  } finally {
    reservation.release();
  }
}

const heldFor = ({ request, progress: { tallies } }: Job): number =>
  2 * textBytes(request) + copiesOfTallies * textBytes(tallies);

class Slice {
  readonly #parts: CompareDependencies;
  readonly #job: Job;
  readonly #options: SliceOptions & { readonly reservation: Reservation };
  readonly #plan: ReplayPlan;
  readonly #tallies: Tallies;
  #progress: Progress;
  #differences: NewDifference[] = [];
  #bytes = 0;
  #writtenAt = performance.now();

  constructor(parts: CompareDependencies, job: Job, options: SliceOptions & { readonly reservation: Reservation }) {
    this.#parts = parts;
    this.#job = job;
    this.#options = options;
    this.#plan = planOf(job.workspaceId, job.id, JSON.parse(job.request) as CreateReplay);
    this.#tallies = Tallies.parse(job.progress.tallies);
    this.#progress = job.progress;
  }

  async work(): Promise<void> {
    const { scope, before, limit } = this.#plan;
    const { database } = this.#parts;
    const { reservation, leaseMs } = this.#options;
    if (this.#progress.total === null) {
      this.#progress = { ...this.#progress, total: await countRecords(database, scope, before, limit) };
      await this.#write(leaseMs);
    }
    const { position } = this.#progress;
    const from = position === null ? before : idToBytes(position);
    const reader = new RecordReader(database, scope, { before: from, reservation });
    try {
      await this.#compareAll(reader);
    } finally {
      await reader.close();
    }
  }

  async #compareAll(reader: RecordReader): Promise<void> {
    const { mayGoOn, leaseMs, reservation } = this.#options;
    const { candidate, limit } = this.#plan;
    const comparer = new Comparer(this.#parts, candidate, () => reservation, this.#tallies.losses);
    let page: RecordedRun[] = [];
    while (mayGoOn()) {
      if (page.length === 0) {
        page = (await reader.next()).slice(0, limit - this.#progress.done);
        if (page.length === 0) return this.#write(null);
      }
      page = page.slice(await this.#compareSome(comparer, page));
      // What was learned of a lost thread must outlive this one, too.
      const hasLost = comparer.losses > this.#tallies.losses;
      this.#tallies.losses = comparer.losses;
      if (hasLost || this.#isDueForWriting()) await this.#write(leaseMs);
      if (comparer.losses >= maxLosses) throw tooManyLosses();
    }
    await this.#write(0);
  }

  /** Gives how many. */
  async #compareSome(comparer: Comparer, page: readonly RecordedRun[]): Promise<number> {
    const { reservation } = this.#options;
    const { done, found } = await comparer.compareSome(page, this.#tallies);
    for (const { run, changes, pointers } of found) {
      const bytes = Buffer.byteLength(changes);
      if (this.#progress.differenceBytes + this.#bytes + bytes > maxDifferenceBytes) continue;
      this.#bytes += bytes;
      this.#differences.push({ executionId: run.id, reference: run.reference, changes, pointers });
      // They are there already, and soon written.
      reservation.resize(reservation.bytes + 2 * bytes);
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

  /** @param leaseMs null where the replay is over, 0 where the slice is */
  async #write(leaseMs: number | null): Promise<void> {
    const { reservation } = this.#options;
    const total = leaseMs === null ? this.#progress.done : this.#progress.total;
    const progress = {
      ...this.#progress,
      // Some may have been pruned meanwhile.
      total,
      tallies: JSON.stringify(this.#tallies),
      differenceBytes: this.#progress.differenceBytes + this.#bytes,
    };
    const report = this.#tallies.report(this.#plan.candidate.settings.measures);
    const differences = this.#differences;
    await recordProgress(this.#parts.database, this.#job, { progress, report, differences, leaseMs });
    const grown = progress.tallies.length - this.#progress.tallies.length;
    reservation.resize(reservation.bytes - 2 * this.#bytes + 2 * copiesOfTallies * grown);
    this.#progress = progress;
    this.#differences = [];
    this.#bytes = 0;
    this.#writtenAt = performance.now();
  }
}

const tooManyLosses = (): ReplayFailed =>
  new ReplayFailed(
    `Its cases ended ${maxLosses} threads, by what the candidate or the measures need of time or memory. ` +
      'The report is of the executions before.',
  );
