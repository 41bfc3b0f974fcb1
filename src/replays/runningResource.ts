import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, type Writer } from '../audit/audit.store.js';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { writeResource, type Writing } from '../resource/write.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';

/** A kind of resource that runs until it ends or is ended: replays and shadows. */
interface Kind<Stored> {
  readonly type: 'replay' | 'shadow';
  /** How many run in a workspace at once, and the seconds after which another one may find room. */
  readonly maxRunning: number;
  readonly retryAfter: number;
  /** The JSON Pointer of the version that a request names. */
  readonly version: string;
  readonly countRunning: (transaction: Knex.Transaction, workspaceId: string) => Promise<number>;
  /** With `lock` the row is held until the transaction ends. */
  readonly find: (connection: Connection, ref: ResourceRef, lock?: boolean) => Promise<Stored | undefined>;
  readonly isRunning: (stored: Stored) => boolean;
  readonly cancel: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<void>;
  readonly remove: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<void>;
  /** What audit entries show: not the report, which has values of facts and results. */
  readonly stateOf: (stored: Stored) => object;
}

export class RunningResource<Stored extends { readonly revision: number }> {
  readonly #kind: Kind<Stored>;

  constructor(kind: Kind<Stored>) {
    this.#kind = kind;
  }

  /** Rejects with `replay_not_found` or `shadow_not_found`. @param lock holds the row until the transaction ends */
  async require(connection: Connection, ref: ResourceRef, lock = false): Promise<Stored> {
    const { type, find } = this.#kind;
    const found = await find(connection, ref, lock);
    if (found !== undefined) return found;
    throw new Problem(`${type}_not_found`, `There is no ${type} ${ref.id} in this workspace.`);
  }

  /** Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
  start(
    { database, actor }: Writer,
    workspaceId: string,
    references: Parameters<typeof requireReferences>[2],
    insert: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<unknown>,
  ): Promise<Stored> {
    const { type, maxRunning, retryAfter, countRunning, version, stateOf } = this.#kind;
    const ref = { workspaceId, id: newId() };
    return inTransaction(database, async (transaction) => {
      if ((await countRunning(transaction, workspaceId)) >= maxRunning) {
        throw new Problem('too_many_requests', `${maxRunning} ${type}s run in this workspace already.`, { retryAfter });
      }
      await requireReferences(transaction, workspaceId, references, { what: type, version });
      await insert(transaction, ref);
      const stored = await this.require(transaction, ref);
      const resource = { type, id: ref.id };
      const states = { before: null, after: stateOf(stored) };
      await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, ...states })]);
      return stored;
    });
  }

  /** Cancels one that runs, and removes one that has ended. Rejects with the 404, and with `precondition_failed`. */
  async end(database: Knex, writing: Writing<ResourceRef, Stored>): Promise<void> {
    const { type, isRunning, cancel, remove, stateOf } = this.#kind;
    const { workspaceId, id } = writing.ref;
    const find = (transaction: Knex.Transaction): Promise<Stored> => this.require(transaction, writing.ref, true);
    const written = { database, workspaceId, resource: { type, id }, find, audited: stateOf };
    await writeResource(written, writing, async (transaction, present) => {
      if (isRunning(present)) {
        await cancel(transaction, writing.ref);
        return { after: await this.require(transaction, writing.ref), verb: 'cancel' };
      }
      await remove(transaction, writing.ref);
      return { after: null };
    });
  }
}
