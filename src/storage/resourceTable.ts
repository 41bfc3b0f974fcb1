import type { Knex } from 'knex';
import { Problem, type ProblemCode } from '../errors.js';
import { Fields, type Columns } from './columns.js';
import type { Connection } from './database.js';
import { idToBytes, newId } from './ids.js';
import { readPage, textsIn, type Page, type PageRequest } from './pages.js';

/** One resource of a workspace. */
export interface ResourceRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** One environment of a workspace. */
export interface EnvironmentRef {
  readonly workspaceId: string;
  readonly environmentId: string;
}

/** One resource of a tenant; of whichever, for operators and for who is to be known by its id. */
interface TenantRef {
  readonly tenantId: string | undefined;
  readonly id: string;
}

/** The kinds of resources: of each there is a problem that says that one is not there. */
type Kind = ProblemCode extends infer Code ? (Code extends `${infer Name}_not_found` ? Name : never) : never;

export interface Described<T> {
  /** As problems and audit entries call it. */
  readonly type: Kind;
  readonly table: string;
  /** The column of what it belongs to; `workspace_id` where it is left out. */
  readonly owner?: 'tenant_id';
  /** Its fields, in the order in which it is shown. */
  readonly columns: Columns<T>;
  /** The index on owner and id: MariaDB would read an owner's rows from the first one to the cursor. */
  readonly index?: string;
  /** Columns of long texts, and most bytes of them in a row: a page is charged for them before it is read. */
  readonly texts?: readonly [columns: readonly string[], longest: number];
  /** Columns and values of rows that are removed and not deleted yet: nobody finds them. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** What audit entries show of one; all of it but the revision where this is left out. */
  readonly audited?: (resource: T) => object;
}

/** A resource as it is shown. */
export const withoutRevision = ({ revision: _, ...resource }: object & { readonly revision?: number }): object =>
  resource;

/** What a new row has without being told. */
export type Given<T> = Omit<T, 'id' | 'workspaceId' | 'tenantId' | 'revision' | 'createdAt' | 'updatedAt'> & Partial<T>;

/** The rows of one kind of resource: how they are made, listed, found, changed and removed within what owns them. */
export class ResourceTable<T extends { readonly id: string }> extends Fields<T> {
  readonly type: Kind;
  /** What audit entries show of one. */
  readonly audited: (resource: T) => object;
  readonly #described: Described<T>;
  readonly #owner: 'workspace_id' | 'tenant_id';

  constructor(described: Described<T>) {
    super(described.columns);
    this.#described = described;
    this.#owner = described.owner ?? 'workspace_id';
    this.type = described.type;
    this.audited = described.audited ?? withoutRevision;
  }

  /** The rows of an owner; of all of them where none is named. */
  rows(connection: Connection, ownerId: string | undefined): Knex.QueryBuilder {
    const rows = this.#shown(connection).select(this.names);
    return ownerId === undefined ? rows : rows.where(this.#owner, idToBytes(ownerId));
  }

  /**
   * Rejects with 1452 where the columns name what is not there.
   * @param also columns that are no fields
   */
  async insert(
    connection: Connection,
    ownerId: string,
    fields: Given<T>,
    also: Readonly<Record<string, Knex.Value>> = {},
  ): Promise<T> {
    const now = new Date().toISOString();
    const made = { workspaceId: ownerId, tenantId: ownerId, revision: 1, createdAt: now, updatedAt: now };
    const all: Readonly<Record<string, unknown>> = { id: newId(), ...made, ...fields };
    const resource = Object.fromEntries(Object.keys(this.columns).map((name) => [name, all[name]])) as unknown as T;
    await connection(this.#described.table).insert({
      [this.#owner]: idToBytes(ownerId),
      ...this.toRow(resource),
      ...also,
    });
    return resource;
  }

  /** A page of an owner's. */
  list(connection: Connection, ownerId: string, request: PageRequest): Promise<Page<T>> {
    const { table, index, texts } = this.#described;
    const rows = this.rows(connection, ownerId);
    if (index !== undefined) void rows.from(connection.raw('?? FORCE INDEX (??)', [table, index]));
    return readPage(rows, request, this.map, texts === undefined ? {} : { texts: textsIn(connection, ...texts) });
  }

  /** @param lock holds the row until the transaction ends */
  async find(connection: Connection, ref: ResourceRef | TenantRef, lock = false): Promise<T | undefined> {
    const reading = this.one(connection, ref).select(this.names);
    if (lock) reading.forUpdate();
    const [row] = (await reading) as object[];
    return row && this.map(row);
  }

  /** The same. Rejects with the 404 of the resource where it is not there. */
  async require(connection: Connection, ref: ResourceRef | TenantRef, lock = false): Promise<T> {
    const found = await this.find(connection, ref, lock);
    if (found !== undefined) return found;
    const where = this.#owner === 'workspace_id' ? ' in this workspace' : '';
    throw new Problem(`${this.type}_not_found`, `There is no ${this.type.replaceAll('_', ' ')} ${ref.id}${where}.`);
  }

  /** Writes the given fields, and the next revision where the rows have one. */
  async update(
    connection: Connection,
    ref: ResourceRef | TenantRef,
    fields: Partial<T>,
    also: Readonly<Record<string, Knex.Value>> = {},
  ): Promise<void> {
    await this.one(connection, ref).update({
      ...this.toRow(fields),
      ...('updatedAt' in this.columns ? { updated_at: new Date() } : {}),
      ...('revision' in this.columns ? { revision: connection.raw('revision + 1') } : {}),
      ...also,
    });
  }

  /** Deletes what belongs to it too (cascade). */
  async delete(connection: Connection, ref: ResourceRef | TenantRef): Promise<void> {
    await this.one(connection, ref).delete();
  }

  /** Its row. */
  one(connection: Connection, ref: ResourceRef | TenantRef): Knex.QueryBuilder {
    const ownerId = 'workspaceId' in ref ? ref.workspaceId : ref.tenantId;
    const row = this.#shown(connection).where('id', idToBytes(ref.id));
    return ownerId === undefined ? row : row.where(this.#owner, idToBytes(ownerId));
  }

  #shown(connection: Connection): Knex.QueryBuilder {
    const { table, hidden } = this.#described;
    return hidden === undefined ? connection(table) : connection(table).whereNot(hidden);
  }
}

/** A resource with the revision of its row, which its entity tag is made from. */
export interface RevisedResource<T> {
  readonly resource: T;
  readonly revision: number;
}

/** The same, with the revision among its fields. */
export type Revised<T> = T & { readonly revision: number };
