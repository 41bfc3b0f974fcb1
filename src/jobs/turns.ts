import type { Knex } from 'knex';
import { FairQueue } from '../admission/fairQueue.js';
import type { Owner } from '../admission/owners.js';
import { maxDebtMs } from '../admission/constants.js';
import { claimJobs, listDueQueues, type Job, type JobKind, type JobQueue } from './jobs.store.js';

/** For how long a list of the queues with something due is used while it is not empty: then others' new jobs are seen. */
const listedForMs = 500;

export interface ClaimRules {
  readonly leaseMs: number;
  /** How many jobs of a queue are claimed at once; 0 where it is to wait. */
  readonly room: (queue: JobQueue) => number;
}

/**
 * Whose turn it is among those that have something due: the owner that this process has worked for for the least time, so that no
 * tenant waits for more than a piece of every other, however much these have.
 */
export class TenantTurns<T> {
  readonly #due = new FairQueue<T>(maxDebtMs);
  readonly #ownerOf: (item: T) => Owner;

  /** @param ownerOf who takes turns first, and who takes turns within each of these */
  constructor(ownerOf: (item: T) => Owner) {
    this.#ownerOf = ownerOf;
  }

  get size(): number {
    return this.#due.size;
  }

  /** Those wait of whose owners nothing waits yet. */
  add(items: Iterable<T>): void {
    for (const item of items) {
      const owner = this.#ownerOf(item);
      if (this.#due.sizeOf(owner) === 0) this.#due.push(owner, item);
    }
  }

  /** Takes what is next, of that which may be. */
  next(may: (item: T) => boolean = () => true): T | undefined {
    return this.#due.take({ most: () => 1, alone: () => true, may })[0];
  }

  /** Counts the time for which was worked on it. */
  charge(item: T, ms: number): void {
    this.#due.charge(this.#ownerOf(item), ms);
  }
}

/** Whose turn it is among the tenants that have jobs of some kinds. */
export class Turns {
  readonly #database: Knex;
  readonly #kinds: readonly JobKind[];
  readonly #turns: TenantTurns<JobQueue>;
  #listedAt = -Infinity;

  /** @param ownerOf who takes turns first, and who takes turns within each of these */
  constructor(database: Knex, kinds: readonly JobKind[], ownerOf: (queue: JobQueue) => Owner) {
    this.#database = database;
    this.#kinds = kinds;
    this.#turns = new TenantTurns(ownerOf);
  }

  /** Claims jobs of the queue whose turn it is. Empty where nothing is due for which there is room. */
  async claim({ leaseMs, room }: ClaimRules): Promise<Job[]> {
    for (let isListed = false; ;) {
      if (performance.now() - this.#listedAt > listedForMs) isListed = await this.#list();
      const queue = this.#turns.next((each) => room(each) > 0);
      if (queue === undefined) {
        if (isListed) return [];
        isListed = await this.#list();
        continue;
      }
      const jobs = await claimJobs(this.#database, queue, { most: room(queue), leaseMs });
      if (jobs.length === 0) continue;
      this.#turns.add([queue]);
      return jobs;
    }
  }

  /** Counts the time for which a job was worked on. */
  charge(queue: JobQueue, ms: number): void {
    this.#turns.charge(queue, ms);
  }

  async #list(): Promise<true> {
    this.#listedAt = performance.now();
    this.#turns.add(await listDueQueues(this.#database, this.#kinds));
    return true;
  }
}

/** Tenants take turns, over all kinds: these share what there is room for. */
export const ownerOverKinds = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId, workspaceId: kind });

/** Tenants take turns within a kind that has room of its own: what a tenant used of one kind costs it no turn of another. */
export const ownerWithinKind = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId: kind, workspaceId: tenantId });
