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
 * Whose turn it is among the tenants that have jobs of some kinds: the one whose jobs this process has worked on for the least
 * time, so that no tenant waits for more than a job of every other, however many jobs and workspaces these have.
 */
export class Turns {
  readonly #database: Knex;
  readonly #kinds: readonly JobKind[];
  readonly #ownerOf: (queue: JobQueue) => Owner;
  readonly #due = new FairQueue<JobQueue>(maxDebtMs);
  #listedAt = -Infinity;

  /** @param ownerOf who takes turns first, and who takes turns within each of these */
  constructor(database: Knex, kinds: readonly JobKind[], ownerOf: (queue: JobQueue) => Owner) {
    this.#database = database;
    this.#kinds = kinds;
    this.#ownerOf = ownerOf;
  }

  /** Claims jobs of the queue whose turn it is. Empty where nothing is due for which there is room. */
  async claim({ leaseMs, room }: ClaimRules): Promise<Job[]> {
    for (let isListed = false; ;) {
      if (performance.now() - this.#listedAt > listedForMs) isListed = await this.#list();
      const [queue] = this.#due.take({ most: () => 1, alone: () => true, may: (each) => room(each) > 0 });
      if (queue === undefined) {
        if (isListed) return [];
        isListed = await this.#list();
        continue;
      }
      const jobs = await claimJobs(this.#database, queue, { most: room(queue), leaseMs });
      if (jobs.length === 0) continue;
      this.#due.push(this.#ownerOf(queue), queue);
      return jobs;
    }
  }

  /** Counts the time for which a job was worked on. */
  charge(queue: JobQueue, ms: number): void {
    this.#due.charge(this.#ownerOf(queue), ms);
  }

  async #list(): Promise<true> {
    this.#listedAt = performance.now();
    for (const queue of await listDueQueues(this.#database, this.#kinds)) {
      const owner = this.#ownerOf(queue);
      if (this.#due.sizeOf(owner) === 0) this.#due.push(owner, queue);
    }
    return true;
  }
}

/** Tenants take turns, over all kinds: these share what there is room for. */
export const ownerOverKinds = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId, workspaceId: kind });

/** Tenants take turns within a kind that has room of its own: what a tenant used of one kind costs it no turn of another. */
export const ownerWithinKind = ({ kind, tenantId }: JobQueue): Owner => ({ tenantId: kind, workspaceId: tenantId });
