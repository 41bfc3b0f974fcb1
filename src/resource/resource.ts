import type { Knex } from 'knex';
import type { Audited } from '../audit/actions.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { inTransaction } from '../storage/database.js';
import { ResourceTable, type Described, type Given, type ResourceRef } from '../storage/resourceTable.js';
import { writeResource, type Writing } from './write.js';

/** Values of columns that are no fields of a resource. */
type Columns = Readonly<Record<string, Knex.Value>>;

const nothing = (): Promise<Columns> => Promise.resolve({});

/** The resources of one kind in workspaces: their rows, and how they are written. */
export class Resource<T extends { readonly id: string }> extends ResourceTable<T> {
  readonly #kind: Audited;

  constructor(described: Described<T> & { readonly type: Audited }) {
    super(described);
    this.#kind = described.type;
  }

  /**
   * Makes one, with its audit entry.
   * @param before refuses by throwing; resolves with columns that are no fields
   */
  create(
    { database, actor }: Writer,
    workspaceId: string,
    fields: Given<T>,
    before: (transaction: Knex.Transaction) => Promise<Columns> = nothing,
  ): Promise<T> {
    return inTransaction(database, async (transaction) => {
      const made = await this.insert(transaction, workspaceId, fields, await before(transaction));
      await appendAuditEntries(transaction, [this.entryOf(actor, workspaceId, null, made)]);
      return made;
    });
  }

  /** The audit entry of one that was made, changed or removed. */
  entryOf(actor: Actor, workspaceId: string, before: T | null, after: T | null): NewAuditEntry {
    const resource = { type: this.#kind, id: (after ?? before)?.id ?? '' };
    const states = { before: before && this.audited(before), after: after && this.audited(after) };
    return changeEntry(actor, workspaceId, { resource, ...states });
  }

  /** Writes some of its fields. Rejects with the 404, and with `precondition_failed`. */
  async change(database: Knex, writing: Writing<ResourceRef, T>, fields: Partial<T>): Promise<T> {
    const { after } = await this.write(database, writing, async (transaction) => {
      await this.update(transaction, writing.ref, fields);
      return { after: await this.require(transaction, writing.ref) };
    });
    return after;
  }

  /** Removes one. Rejects with the 404, and with `precondition_failed`. */
  async remove(database: Knex, writing: Writing<ResourceRef, T>): Promise<void> {
    await this.write(database, writing, async (transaction) => {
      await this.delete(transaction, writing.ref);
      return { after: null };
    });
  }

  /** Writes or removes one, as `writeResource` does. @param find holds it, or rejects with the 404 */
  write<R extends { readonly after: T | null }>(
    database: Knex,
    writing: Writing<ResourceRef, T>,
    work: (transaction: Knex.Transaction, present: T) => Promise<R>,
    find = (transaction: Knex.Transaction): Promise<T> => this.require(transaction, writing.ref, true),
  ): Promise<R> {
    const { workspaceId, id } = writing.ref;
    const written = { database, workspaceId, resource: { type: this.#kind, id }, find, audited: this.audited };
    return writeResource<T, T, R>(written, writing, work);
  }
}
