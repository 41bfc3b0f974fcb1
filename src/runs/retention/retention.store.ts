import type { Knex } from 'knex';
import { environments } from '../../environments/environments.store.js';
import type { Connection } from '../../storage/database.js';
import { inMs, now, presently } from '../../storage/databaseClock.js';
import { idFromBytes, idToBytes } from '../../storage/ids.js';
import type { EnvironmentRef } from '../../storage/resourceTable.js';
import { tenantOf, Turns } from '../../storage/turns.js';
import type { Retention } from './retention.schema.js';

const rowOf = (connection: Connection, { workspaceId, environmentId }: EnvironmentRef): Knex.QueryBuilder =>
  connection('retentions').where({ environment_id: idToBytes(environmentId), workspace_id: idToBytes(workspaceId) });

/** @throws Problem `environment_not_found` */
export async function readRetention(connection: Connection, ref: EnvironmentRef): Promise<Retention> {
  await environments.require(connection, { workspaceId: ref.workspaceId, id: ref.environmentId });
  const [row] = await rowOf(connection, ref).select<{ days: number }[]>('days');
  return { days: row?.days ?? null };
}

/** The same, and locks the environment until the transaction ends: its writers take turns. */
export async function lockRetention(transaction: Knex.Transaction, ref: EnvironmentRef): Promise<Retention> {
  await environments.require(transaction, { workspaceId: ref.workspaceId, id: ref.environmentId }, true);
  return readRetention(transaction, ref);
}

/** Older executions are looked for at once. */
export async function writeRetention(
  transaction: Knex.Transaction,
  ref: EnvironmentRef,
  { days }: Retention,
): Promise<void> {
  if (days === null) {
    await rowOf(transaction, ref).delete();
    return;
  }
  const fields = { days, due_at: presently(transaction) };
  await transaction('retentions')
    .insert({
      environment_id: idToBytes(ref.environmentId),
      workspace_id: idToBytes(ref.workspaceId),
      tenant_id: tenantOf(transaction, ref.workspaceId),
      ...fields,
    })
    .onConflict('environment_id')
    .merge(fields);
}

/** An environment whose old executions this process may remove until its lease ends. */
export interface ClaimedRetention extends EnvironmentRef {
  readonly days: number;
  /** Executions from before then are to go, by the database's clock. */
  readonly before: Date;
}

/** The turns of the tenants whose old executions a process removes. */
export const createRetentionTurns = (): Turns =>
  new Turns((connection) => ({
    table: 'retentions',
    primaryKey: ['environment_id'],
    columns: [
      ...['environment_id', 'workspace_id', 'days'],
      connection.raw(`TIMESTAMPADD(DAY, -CAST(days AS SIGNED), ${now}) AS oldest`),
    ],
    counters: [],
  }));

/** Takes the environment whose turn it is. Undefined where none is due. */
export async function claimRetention(
  database: Knex,
  turns: Turns,
  leaseMs: number,
): Promise<ClaimedRetention | undefined> {
  const row = await turns.claim<{ environment_id: Buffer; workspace_id: Buffer; days: number; oldest: Date }>(
    database,
    leaseMs,
  );
  return (
    row && {
      environmentId: idFromBytes(row.environment_id),
      workspaceId: idFromBytes(row.workspace_id),
      days: row.days,
      before: row.oldest,
    }
  );
}

/** It is due again after so many milliseconds; at once where other days were set meanwhile. */
export async function postponeRetention(database: Knex, claimed: ClaimedRetention, afterMs: number): Promise<void> {
  await rowOf(database, claimed)
    .where('days', claimed.days)
    .update({ due_at: inMs(database, afterMs) });
}
