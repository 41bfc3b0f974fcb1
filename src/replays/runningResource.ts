import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, type Writer } from '../audit/audit.store.js';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { writeResource, type Writing } from '../resource/write.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes, newId } from '../storage/ids.js';
import type { ResourceRef, ResourceTable } from '../storage/resourceTable.js';

/** A kind of resource that runs until it ends or is ended: replays and shadows. */
interface Kind<Stored extends { readonly id: string }> {
  readonly type: 'replay' | 'shadow';
  /** How many run in a workspace at once, and the seconds after which another one may find room. */
  readonly maxRunning: number;
  readonly retryAfter: number;
  /** The JSON Pointer of the version that a request names. */
  readonly version: string;
  /** All that run. */
  readonly running: (connection: Connection) => Knex.QueryBuilder;
  readonly rows: ResourceTable<Stored>;
  readonly isRunning: (stored: Stored) => boolean;
  readonly cancel: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<void>;
  readonly remove: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<void>;
  /** What audit entries show: not the report, which has values of facts and results. */
  readonly stateOf: (stored: Stored) => object;
}

export class RunningResource<Stored extends { readonly id: string; readonly revision: number }> {
  readonly #kind: Kind<Stored>;

  constructor(kind: Kind<Stored>) {
    this.#kind = kind;
  }

  /** How many run in the workspace. @param transaction holds the workspace until its end, so that nobody starts one meanwhile */
  async countRunning(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
    const workspace = idToBytes(workspaceId);
    await transaction('workspaces').select('id').where('id', workspace).forUpdate();
    return (await this.#kind.running(transaction).where('workspace_id', workspace).pluck('id')).length;
  }

  /** Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
  start(
    { database, actor }: Writer,
    workspaceId: string,
    references: Parameters<typeof requireReferences>[2],
    insert: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<unknown>,
  ): Promise<Stored> {
    const { type, maxRunning, retryAfter, rows, version, stateOf } = this.#kind;
    const ref = { workspaceId, id: newId() };
    return inTransaction(database, async (transaction) => {
      if ((await this.countRunning(transaction, workspaceId)) >= maxRunning) {
        throw new Problem('too_many_requests', `${maxRunning} ${type}s run in this workspace already.`, { retryAfter });
      }
      await requireReferences(transaction, workspaceId, references, { what: type, version });
      await insert(transaction, ref);
      const stored = await rows.require(transaction, ref);
      const resource = { type, id: ref.id };
      const states = { before: null, after: stateOf(stored) };
      await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, ...states })]);
      return stored;
    });
  }

  /** Cancels one that runs, and removes one that has ended. Rejects with the 404, and with `precondition_failed`. */
  async end(database: Knex, writing: Writing<ResourceRef, Stored>): Promise<void> {
    const { type, rows, isRunning, cancel, remove, stateOf } = this.#kind;
    const { workspaceId, id } = writing.ref;
    const find = (transaction: Knex.Transaction): Promise<Stored> => rows.require(transaction, writing.ref, true);
    const written = { database, workspaceId, resource: { type, id }, find, audited: stateOf };
    await writeResource(written, writing, async (transaction, present) => {
      if (isRunning(present)) {
        await cancel(transaction, writing.ref);
        return { after: await rows.require(transaction, writing.ref), action: `${type}.cancel` as const };
      }
      await remove(transaction, writing.ref);
      return { after: null };
    });
  }
}
