import type { Knex } from 'knex';
import type { Actor } from '../../audit/actor.js';
import { appendAuditEntries, changeEntry } from '../../audit/audit.store.js';
import { environments } from '../../environments/environments.store.js';
import { endJobs, queueJobs } from '../../jobs/jobs.store.js';
import { type Connection, now } from '../../storage/database.js';
import { idToBytes } from '../../storage/ids.js';
import type { EnvironmentRef } from '../../storage/resourceTable.js';
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
  const { workspaceId, environmentId } = ref;
  if (days === null) {
    await rowOf(transaction, ref).delete();
    return endJobs(transaction, 'retention', [environmentId]);
  }
  const row = { environment_id: idToBytes(environmentId), workspace_id: idToBytes(workspaceId), days };
  await transaction('retentions').insert(row).onConflict('environment_id').merge(['days']);
  await queueJobs(transaction, [{ kind: 'retention', workspaceId, id: environmentId }]);
}

/** Ends the retention of an environment that is removed, and writes down that it is removed with it. */
export async function endRetention(
  { database, actor }: { readonly database: Knex.Transaction; readonly actor: Actor },
  ref: EnvironmentRef,
): Promise<void> {
  const before = await readRetention(database, ref);
  if (before.days === null) return;
  const { workspaceId, environmentId: id } = ref;
  await writeRetention(database, ref, { days: null });
  const resource = { type: 'retention', id } as const;
  await appendAuditEntries(database, [changeEntry(actor, workspaceId, { resource, before, after: null })]);
}

/** Executions of the environment from before then are to go, by the database's clock; undefined where all are kept. */
export async function keptFrom(connection: Connection, ref: EnvironmentRef): Promise<Date | undefined> {
  const oldest = connection.raw(`TIMESTAMPADD(DAY, -CAST(days AS SIGNED), ${now}) AS oldest`);
  const [row] = await rowOf(connection, ref).select<{ oldest: Date }[]>(oldest);
  return row?.oldest;
}
