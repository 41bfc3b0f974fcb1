import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ByteBudget, Reservation } from '../admission/byteBudget.js';
import { Recent } from '../../workers/recent/index.js';
import { Quota, type Holder } from '../admission/quota.js';
import type { LiveExecution } from '../runs/liveExecution.js';
import { PollLoop } from '../clock/pollLoop.js';
import { batches } from '../storage/batches.js';
import { inTransaction } from '../storage/database.js';
import { isConnectionLoss } from '../storage/mysqlErrors.js';
import { Counter, hourMs, hourOf, Source } from './counter.js';
import { bytesOfField } from './fieldCounts.js';
import { addMeasures, keyOf, readMeasured } from './measures.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly budget: Pick<ByteBudget, 'reserve' | 'owners'>;
  readonly log: Pick<Logger, 'warn'>;
  /** How often counts are written, in milliseconds. */
  readonly pollMs: number;
}

/**
 * Counters of a process, of about 3 KB each without fields. A tenant that is alone may have a third of them. Executions for which there
 * is no counter are not counted, and the log says so.
 */
const maxCounters = 3000;
/** Deployments whose counter is found by one look-up; the counter of any other is found by its decision, version and hour. */
const maxLatest = 10_000;
/** Rows of one transaction; fewer of rows with fields, which have some 60 KB for each field. */
const writtenAtOnce = { all: 50, withFields: 5 };
/** A counter that had nothing new at so many looks in succession is given up. */
const maxIdleLooks = 30;
/** How long after its end an hour may still be written; from then on it may be counted anew from the records. */
export const writableMs = 4 * 60 * 1000;

/**
 * Counts what executions decide, by decision, version, environment and hour, after they were recorded. Each process has
 * counters of its own and writes them every few seconds; a crash loses what it had counted since.
 */
export class Measures {
  readonly #parts: Dependencies;
  readonly #source = new Source();
  /** The counter that a deployment's latest execution used, which may be closed by now. */
  readonly #latest = new Recent<Counter>({ maxCount: maxLatest });
  readonly #counters = new Map<string, Counter>();
  /** Counters that take no more executions, and whose last counts are not written yet. */
  readonly #closed = new Set<Counter>();
  /** How many counters each tenant and workspace may have, closed ones included. */
  readonly #quota = new Quota(maxCounters);
  readonly #holders = new Map<Counter, Holder>();
  #hasGivenUp = false;
  #uncounted = 0;
  #asking = false;
  readonly #loop: PollLoop;

  constructor(parts: Dependencies) {
    this.#parts = parts;
    this.#loop = new PollLoop({
      pollMs: parts.pollMs,
      round: async () => {
        await this.#ask([...this.#counters]);
        await this.#writeAll();
        return false;
      },
      failed: (error) => this.#warn(error),
    });
  }

  /** To be called with every execution that is recorded: a look-up and some additions. Never throws. */
  offer(run: LiveExecution): void {
    const at = run.createdAt.getTime();
    let counter = this.#latest.get(run.deploymentId);
    if (counter === undefined || !counter.isOf(run, at)) counter = this.#counterOf(run, at);
    if (counter === undefined) this.#uncounted++;
    else counter.count(run);
  }

  /** The fields that are counted of the results of a deployment; undefined for none, and before that is known. */
  fieldsOf(deploymentId: string): readonly string[] | undefined {
    const pointers = this.#latest.get(deploymentId)?.pointers;
    return pointers === undefined || pointers.length === 0 ? undefined : pointers;
  }

  #counterOf(run: LiveExecution, at: number): Counter | undefined {
    const hour = hourOf(at);
    const { environmentId, decisionId, version } = run;
    const key = rowOf({ environmentId, decisionId, version, from: hour });
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      const holder = this.#quota.holderOf(this.#parts.budget.owners.of(run.workspaceId));
      this.#quota.open(holder);
      if (!this.#hasRoomFor(holder)) {
        this.#quota.close(holder);
        return undefined;
      }
      this.#quota.force(holder, 1);
      counter = new Counter(run, hour, this.#source);
      this.#holders.set(counter, holder);
      this.#counters.set(key, counter);
      this.#askSoon();
    }
    this.#latest.set(run.deploymentId, counter, 1, run.workspaceId);
    return counter;
  }

  /** Whether the workspace may have one more counter. Where it may not, idle counters are given up first. */
  #hasRoomFor(holder: Holder): boolean {
    if (this.#quota.hasRoom(holder, 1)) return true;
    if (this.#hasGivenUp) return false;
    // Only once between two writes, because this looks at all counters.
    this.#hasGivenUp = true;
    for (const [key, counter] of this.#counters) if (counter.isIdle) this.#close(key);
    return this.#quota.hasRoom(holder, 1);
  }

  #release(counter: Counter): void {
    counter.release();
    const holder = this.#holders.get(counter);
    if (holder === undefined) return;
    this.#holders.delete(counter);
    this.#quota.giveBack(holder, 1);
    this.#quota.close(holder);
  }

  /** Reads which fields are to be counted, for all counters that were begun in this round of the event loop. */
  #askSoon(): void {
    if (this.#asking) return;
    this.#asking = true;
    setImmediate(() => {
      this.#asking = false;
      const begun = [...this.#counters].filter(([, counter]) => counter.waits);
      this.#ask(begun).catch((error: unknown) => this.#warn(error));
    });
  }

  #warn(error: unknown): void {
    this.#parts.log.warn({ err: error }, 'measures cannot be read or written right now');
  }

  /** Tells counters which fields they count. A counter that has counted other fields so far is closed, and another follows it. */
  async #ask(counters: readonly (readonly [key: string, counter: Counter])[]): Promise<void> {
    if (counters.length === 0) return;
    const decisions = new Map(counters.map(([, counter]) => [keyOf(counter), counter]));
    const measured = await readMeasured(this.#parts.database, [...decisions.values()]);
    for (const [key, counter] of counters) {
      const pointers = measured.get(keyOf(counter)) ?? [];
      if (counter.waits) this.#begin(counter, pointers);
      else if (!isDeepStrictEqual(pointers, counter.pointers) && this.#counters.get(key) === counter) this.#close(key);
    }
  }

  #begin(counter: Counter, pointers: readonly string[]): void {
    let reservation: Reservation | undefined;
    try {
      if (pointers.length > 0) {
        reservation = this.#parts.budget.reserve(counter.workspaceId, pointers.length * bytesOfField);
      }
    } catch {
      // The workspace holds too much memory already: this counter counts none of the fields.
      this.#uncounted++;
      counter.begin([]);
      return;
    }
    counter.begin(pointers, reservation);
  }

  #close(key: string): void {
    const counter = this.#counters.get(key);
    if (counter === undefined) return;
    this.#counters.delete(key);
    counter.close();
    if (counter.isWritten) this.#release(counter);
    else this.#closed.add(counter);
  }

  /** Writes what is new, and gives up counters that are done. */
  async #writeAll(): Promise<void> {
    // Closed counters go before those that follow them: both may add to one row, whose additions have ascending numbers.
    const held = new Set<string>();
    for (const counter of this.#closed) {
      let isRefused = false;
      while (!isRefused && !counter.isWritten && !isTooLate(counter)) isRefused = !(await this.#write([counter]));
      if (isRefused) {
        held.add(rowOf(counter));
        continue;
      }
      this.#closed.delete(counter);
      this.#release(counter);
    }
    const due = [...this.#counters.values()].filter(
      (counter) => !counter.isWritten && !counter.waits && !isTooLate(counter) && !held.has(rowOf(counter)),
    );
    const [plain, withFields] = [due.filter(hasNoFields), due.filter((counter) => !hasNoFields(counter))];
    for (const some of batches(plain, undefined, writtenAtOnce.all)) await this.#write(some);
    for (const some of batches(withFields, undefined, writtenAtOnce.withFields)) await this.#write(some);
    this.#hasGivenUp = false;
    for (const [key, counter] of this.#counters) {
      if (counter.look() > maxIdleLooks || isTooLate(counter)) this.#close(key);
    }
    if (this.#uncounted > 0) this.#parts.log.warn({ executions: this.#uncounted }, 'executions were not measured');
    this.#uncounted = 0;
  }

  /** Writes counts in one transaction, or each in its own where MySQL refuses them together. True where all of them are written. */
  async #write(counters: readonly Counter[]): Promise<boolean> {
    const additions = counters.map((counter) => counter.take());
    try {
      await inTransaction(this.#parts.database, (transaction) => addMeasures(transaction, additions));
      for (const counter of counters) counter.written();
      return true;
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      const [counter] = counters;
      if (counters.length > 1) for (const one of counters) await this.#write([one]);
      else if (counter !== undefined)
        this.#parts.log.warn({ err: error, row: rowOf(counter) }, 'what was counted of a version cannot be written');
      return false;
    }
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes all that was counted. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#ask([...this.#counters].filter(([, counter]) => counter.waits))
      .then(() => this.#writeAll())
      .catch((error: unknown) => this.#warn(error));
    for (const key of this.#counters.keys()) this.#close(key);
  }
}

/** Names the rows that a counter adds to; a counter that follows it may add to the same. */
const rowOf = ({ environmentId, decisionId, version, from }: Pick<Counter, RowField>): string =>
  `${environmentId}/${decisionId}/${version}/${from}`;
type RowField = 'environmentId' | 'decisionId' | 'version' | 'from';
const isTooLate = ({ from }: Counter): boolean => Date.now() > from + hourMs + writableMs;
const hasNoFields = ({ pointers }: Counter): boolean => pointers.length === 0;
