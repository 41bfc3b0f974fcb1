import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import type { Connection } from './database.js';
import { idToBytes, newId } from './ids.js';
import { inIdOrder } from './indexHints.js';
import { readPage, textsIn, type Page, type PageRequest } from './pages.js';
import type { RevisedResource } from './revisions.js';

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

/** The columns that the tables of all resources have. */
export interface ResourceRow {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Of 4,000 characters. */
const longestText = 16_000;

const ownColumns = ['id', 'workspace_id', 'revision', 'created_at', 'updated_at'];

/** The rows of one kind of resource: how they are made, listed, found, changed and removed within their workspace. */
export class ResourceTable<T extends { id: string }, Row extends ResourceRow> {
  readonly #type: 'environment' | 'deployment';
  readonly #columns: readonly string[];
  readonly #mapRow: (row: Row) => T;
  readonly #text: keyof Row & string;

  /** @param columns besides those of all resources @param text the one of them that may be long */
  constructor(
    type: 'environment' | 'deployment',
    columns: readonly (keyof Row & string)[],
    text: keyof Row & string,
    mapRow: (row: Row) => T,
  ) {
    this.#type = type;
    this.#columns = [...ownColumns, ...columns];
    this.#text = text;
    this.#mapRow = mapRow;
  }

  get #table(): 'environments' | 'deployments' {
    return `${this.#type}s`;
  }

  /** The rows of a workspace. */
  rows(connection: Connection, workspaceId: string): Knex.QueryBuilder {
    return connection(this.#table).select(this.#columns).where('workspace_id', idToBytes(workspaceId));
  }

  /** Rejects with 1452 where the columns name what is not in the workspace. */
  async insert(
    connection: Connection,
    workspaceId: string,
    columns: Omit<Row, keyof ResourceRow>,
  ): Promise<RevisedResource<T>> {
    const now = new Date();
    const row = { id: idToBytes(newId()), workspace_id: idToBytes(workspaceId), created_at: now, updated_at: now };
    await connection(this.#table).insert({ ...row, ...columns });
    return { resource: this.#mapRow({ ...row, ...columns, revision: 1 } as unknown as Row), revision: 1 };
  }

  list(connection: Connection, workspaceId: string, request: PageRequest): Promise<Page<T>> {
    const rows = this.rows(connection, workspaceId).from(inIdOrder(connection, this.#table));
    return readPage(rows, request, this.#mapRow, { texts: textsIn(connection, [this.#text], longestText) });
  }

  /** @param lock holds the row until the transaction ends */
  async find(
    connection: Connection,
    { workspaceId, id }: ResourceRef,
    lock = false,
  ): Promise<RevisedResource<T> | undefined> {
    const reading = this.rows(connection, workspaceId).where('id', idToBytes(id));
    if (lock) reading.forUpdate();
    const [row] = (await reading) as Row[];
    return row === undefined ? undefined : { resource: this.#mapRow(row), revision: row.revision };
  }

  /** Rejects with the 404 of the resource. */
  async require(connection: Connection, ref: ResourceRef): Promise<RevisedResource<T>> {
    return this.present(await this.find(connection, ref), ref);
  }

  /** What was found. Throws the 404 of the resource where nothing was. */
  present(found: RevisedResource<T> | undefined, { id }: ResourceRef): RevisedResource<T> {
    if (found !== undefined) return found;
    throw new Problem(`${this.#type}_not_found`, `There is no ${this.#type} ${id} in this workspace.`);
  }

  /** Writes the given columns, and the next revision. */
  async update(
    connection: Connection,
    ref: ResourceRef,
    columns: Partial<Omit<Row, keyof ResourceRow>>,
  ): Promise<void> {
    const revision = connection.raw('revision + 1');
    await this.#row(connection, ref).update({ ...columns, updated_at: new Date(), revision });
  }

  /** Deletes what belongs to it too (cascade). */
  async delete(connection: Connection, ref: ResourceRef): Promise<void> {
    await this.#row(connection, ref).delete();
  }

  #row(connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder {
    return connection(this.#table).where({ id: idToBytes(id), workspace_id: idToBytes(workspaceId) });
  }
}
