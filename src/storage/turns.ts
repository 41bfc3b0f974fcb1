import type { Knex } from 'knex';
import { inTransaction, type Connection } from './database.js';
import { inMs, now } from './databaseClock.js';
import { idFromBytes, idToBytes } from './ids.js';

/** Jobs of one kind, which all processes share: whoever claims one that is due has it until its lease ends. */
export interface Jobs {
  /** It has the columns `tenant_id` and `due_at`, and an index on both that is called `<table>_tenant`. */
  readonly table: 'erasures' | 'monitors' | 'replays' | 'retentions' | 'change_checks';
  readonly primaryKey: readonly string[];
  /** What is read of a job that is claimed. */
  readonly columns: readonly (string | Knex.Raw)[];
  /** Columns that count claims. */
  readonly counters: readonly string[];
}

/** The tenant of a workspace, as a value. */
export const tenantOf = (connection: Connection, workspaceId: string): Knex.Raw =>
  connection.raw('(SELECT tenant_id FROM workspaces WHERE id = ?)', [idToBytes(workspaceId)]);

/**
 * Whose turn it is among the tenants that have jobs of one kind: they follow one another in the order of their ids, so that
 * each waits for one job of every other, however many jobs and workspaces these have. Each process has turns of its own.
 */
export class Turns {
  /** Tenants that get no turn for now. */
  readonly busy = new Set<string>();
  readonly #jobs: (connection: Connection) => Jobs;
  #last: Buffer = Buffer.alloc(16);

  constructor(jobs: (connection: Connection) => Jobs) {
    this.#jobs = jobs;
  }

  /** Claims the job of the next tenant that has been due for the longest, and that nobody else is claiming. Undefined where none is due. */
  async claim<Row extends object>(database: Knex, leaseMs: number): Promise<ClaimedRow<Row> | undefined> {
    const jobs = this.#jobs(database);
    const last = this.#last;
    const rounds = [
      { after: last, until: Buffer.alloc(16, 0xff) },
      { after: Buffer.alloc(16), until: last },
    ];
    for (const round of rounds) {
      for (let { after } = round; ;) {
        const tenant = await this.#nextTenant(database, jobs, { ...round, after });
        if (tenant === undefined) break;
        const row = await claimOf<Row>(database, jobs, { tenant, leaseMs });
        if (row !== undefined) {
          this.#last = tenant;
          return { ...row, tenantId: idFromBytes(tenant) };
        }
        after = tenant;
      }
    }
    return undefined;
  }

  /** By one look at the index for each tenant, however many jobs a tenant has. */
  async #nextTenant(
    database: Knex,
    { table }: Jobs,
    { after, until }: { readonly after: Buffer; readonly until: Buffer },
  ): Promise<Buffer | undefined> {
    const [row] = (await database(database.raw('?? FORCE INDEX (??)', [table, `${table}_tenant`]))
      .select('tenant_id')
      .where('tenant_id', '>', after)
      .where('tenant_id', '<=', until)
      .whereNotIn('tenant_id', [...this.busy].map(idToBytes))
      .groupBy('tenant_id')
      .havingRaw(`MIN(due_at) <= ${now}`)
      .orderBy('tenant_id')
      .limit(1)) as { tenant_id: Buffer }[];
    return row && Buffer.from(row.tenant_id);
  }
}

/** A job as it was before it was claimed, and whose it is. */
export type ClaimedRow<Row> = Row & { readonly tenantId: string };

function claimOf<Row extends object>(
  database: Knex,
  { table, primaryKey, columns, counters }: Jobs,
  { tenant, leaseMs }: { readonly tenant: Buffer; readonly leaseMs: number },
): Promise<Row | undefined> {
  return inTransaction(database, async (transaction) => {
    const [row] = (await transaction(transaction.raw('?? FORCE INDEX (??)', [table, `${table}_tenant`]))
      .select(columns)
      .where('tenant_id', tenant)
      .whereRaw(`due_at <= ${now}`)
      .orderBy('due_at')
      .limit(1)
      .forUpdate()
      .skipLocked()) as (Row & Readonly<Record<string, Knex.Value>>)[];
    if (row === undefined) return undefined;
    await transaction(table)
      .where(Object.fromEntries(primaryKey.map((column) => [column, row[column] ?? null])))
      .update({
        due_at: inMs(transaction, leaseMs),
        ...Object.fromEntries(counters.map((column) => [column, transaction.raw('?? + 1', [column])])),
      });
    return row;
  });
}
