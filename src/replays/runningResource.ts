import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { requireMatch } from '../api/preconditions.js';
import type { Preconditioned } from '../api/resource.js';
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

  /** Rejects with `replay_not_found` or `shadow_not_found`. */
  async require(connection: Connection, ref: ResourceRef): Promise<Stored> {
    const { type, find } = this.#kind;
    const found = await find(connection, ref);
    if (found !== undefined) return found;
    throw new Problem(`${type}_not_found`, `There is no ${type} ${ref.id} in this workspace.`);
  }

  /** Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
  start(
    { database, actor }: Writer,
    workspaceId: string,
    references: Parameters<typeof requireReferences>[2],
    insert: (transaction: Knex.Transaction, ref: ResourceRef) => Promise<void>,
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
      await this.#note(transaction, actor, ref, { verb: 'create', before: null, after: stateOf(stored) });
      return stored;
    });
  }

  /** Cancels one that runs, and removes one that has ended, if it is there. Rejects with `precondition_failed`. */
  end(database: Knex, { actor, ref, ifMatch }: Preconditioned): Promise<void> {
    const { find, isRunning, cancel, remove, stateOf } = this.#kind;
    return inTransaction(database, async (transaction) => {
      const present = await find(transaction, ref, true);
      if (present === undefined) return;
      requireMatch(ifMatch, present.revision);
      const before = stateOf(present);
      if (isRunning(present)) {
        await cancel(transaction, ref);
        const after = stateOf(await this.require(transaction, ref));
        await this.#note(transaction, actor, ref, { verb: 'cancel', before, after });
      } else {
        await remove(transaction, ref);
        await this.#note(transaction, actor, ref, { verb: 'delete', before, after: null });
      }
    });
  }

  #note(
    transaction: Knex.Transaction,
    actor: Actor,
    { workspaceId, id }: ResourceRef,
    { verb, ...states }: Pick<NewAuditEntry, 'before' | 'after'> & { readonly verb: 'create' | 'cancel' | 'delete' },
  ): Promise<void> {
    const { type } = this.#kind;
    return appendAuditEntries(transaction, [
      { actor, workspaceId, action: `${type}.${verb}`, resource: { type, id }, ...states },
    ]);
  }
}
