import type { Knex } from 'knex';
import { FairQueue } from '../admission/fairQueue.js';
import type { Owner } from '../admission/owners.js';
import { maxDebtMs } from '../admission/constants.js';
import { claimJobs, listDueQueues, type Job, type JobKind, type JobQueue } from './jobs.store.js';

/** How long a list of the queues with something due is used before it is read again, so that others' new jobs are seen. */
const listedForMs = 500;

interface ClaimRules {
  readonly leaseMs: number;
  /** How many jobs of a queue are claimed at once; 0 where it is to wait. */
  readonly room: (queue: JobQueue) => number;
}

/**
 * Items that are due, at most one of each owner. Next is the item of the owner for whom this process has worked for the least time, so
 * that no tenant waits for more than a piece of every other, however many items these have.
 */
export class TenantTurns<T> {
  readonly #due = new FairQueue<T>(maxDebtMs);
  readonly #ownerOf: (item: T) => Owner;

  /** @param ownerOf whose time an item counts as: a tenant's, and within the tenant a workspace's */
  constructor(ownerOf: (item: T) => Owner) {
    this.#ownerOf = ownerOf;
  }

  get size(): number {
    return this.#due.size;
  }

  /** Adds the items of owners that have none waiting yet. */
  add(items: Iterable<T>): void {
    for (const item of items) {
      const owner = this.#ownerOf(item);
      if (this.#due.sizeOf(owner) === 0) this.#due.push(owner, item);
    }
  }

  /** Removes and returns the next item, of those that may be taken. */
  next(may: (item: T) => boolean = () => true): T | undefined {
    return this.#due.take({ most: () => 1, alone: () => true, may })[0];
  }

  /** Charges the item's owner with the time that work on it took. */
  charge(item: T, ms: number): void {
    this.#due.charge(this.#ownerOf(item), ms);
  }
}

/** Claims due jobs of some kinds: next is the tenant for whom this process has worked for the least time. */
export class JobTurns {
  readonly #database: Knex;
  readonly #kinds: readonly JobKind[];
  readonly #turns: TenantTurns<JobQueue>;
  #listedAt = -Infinity;

  /** @param ownerOf `ownerOverKinds` or `ownerWithinKind` */
  constructor(database: Knex, kinds: readonly JobKind[], ownerOf: (queue: JobQueue) => Owner) {
    this.#database = database;
    this.#kinds = kinds;
    this.#turns = new TenantTurns(ownerOf);
  }

  /** Claims jobs of the queue that is next. Empty where nothing is due for which there is room. */
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

  /** Charges the queue's tenant with the time that work on its job took. */
  charge(queue: JobQueue, ms: number): void {
    this.#turns.charge(queue, ms);
  }

  async #list(): Promise<true> {
    this.#listedAt = performance.now();
    this.#turns.add(await listDueQueues(this.#database, this.#kinds));
    return true;
  }
}

/** Tenants take turns over all kinds together, which share what there is room for. */
export const ownerOverKinds = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId, workspaceId: kind });

/** Tenants take turns within each kind, which has room of its own: time used for jobs of one kind counts for no other. */
export const ownerWithinKind = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId: kind, workspaceId: tenantId });
