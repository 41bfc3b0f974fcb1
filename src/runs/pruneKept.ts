import type { Knex } from 'knex';
import { sweepContents } from '../decisions/contents.store.js';
import { forgetContents } from '../decisions/modelBytes.store.js';
import { deleteProgramsUsedBefore } from '../decisions/programs/keptPrograms.store.js';
import { keptForMs } from '../decisions/programs/programs.js';
import { forgetVariablesReplacedBefore } from '../environments/variableHistory.store.js';
import { inTransaction } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import { recordIds, type RecordFilter } from './recordIds.js';

/**
 * How much older than a record the things that it names may be: what was in force a moment before, or a program whose use is noted
 * only now and then.
 */
const slackMs = 2 * keptForMs;
const pageSize = 500;

/**
 * Deletes what was kept for the sake of records that are gone: programs of working copies, former values of variables, and
 * contents that nothing names. What the oldest record left may name stays.
 * @param workspaceId undefined: of all workspaces
 */
export async function pruneKept(database: Knex, workspaceId: string | undefined): Promise<void> {
  if (workspaceId !== undefined) await pruneWorkspace(database, workspaceId);
  else for await (const id of idsOf(database('workspaces'))) await pruneWorkspace(database, id);
  await sweepContents(database);
}

async function pruneWorkspace(database: Knex, workspaceId: string): Promise<void> {
  const time = await neededFrom(database, workspaceId, {});
  await deleteProgramsUsedBefore(database, workspaceId, time);
  await deleteSettingsUsedBefore(database, workspaceId, time);
  await forgetContents(database, workspaceId);
  const owner = { workspace_id: idToBytes(workspaceId) };
  for await (const environmentId of idsOf(database('environments').where(owner))) {
    const before = await neededFrom(database, workspaceId, { environmentId });
    await inTransaction(database, (transaction) =>
      forgetVariablesReplacedBefore(transaction, { workspaceId, environmentId }, before),
    );
  }
}

/** No record that the filter has names anything that went out of use before this time. */
async function neededFrom(database: Knex, workspaceId: string, filter: RecordFilter): Promise<Date> {
  const [oldest] = await recordIds(database, workspaceId, filter, { order: 'asc', limit: 1 });
  const time = oldest === undefined ? Date.now() : idTime(idFromBytes(oldest)).getTime();
  return new Date(time - slackMs);
}

/** A setting's use is noted again and again while records name it, so no record is much younger than the last note. */
async function deleteSettingsUsedBefore(database: Knex, workspaceId: string, time: Date): Promise<void> {
  const old = database('execution_settings').where('workspace_id', idToBytes(workspaceId)).where('used_at', '<', time);
  while ((await old.clone().limit(pageSize).delete()) === pageSize);
}

async function* idsOf(rows: Knex.QueryBuilder): AsyncGenerator<string> {
  for await (const page of inPages<{ readonly id: Buffer }>(rows.select('id'), pageSize, { after: Buffer.alloc(16) }))
    for (const { id } of page) yield idFromBytes(id);
}
