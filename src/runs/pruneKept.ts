import type { Knex } from 'knex';
import { sweepContents } from '../decisions/contents.store.js';
import { forgetContents } from '../decisions/modelBytes.store.js';
import { deleteProgramsUsedBefore } from '../decisions/programs/keptPrograms.store.js';
import { keptForMs } from '../decisions/programs/programs.js';
import { forgetVariablesReplacedBefore } from '../environments/variableHistory.store.js';
import { inTransaction } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes } from '../storage/ids.js';

/** A record may name what was in force this much before it was made, and a program in use may have been noted so long ago. */
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
  const place = { workspace_id: idToBytes(workspaceId) };
  await deleteProgramsUsedBefore(database, workspaceId, await neededFrom(database, 'executions_workspace', place));
  await forgetContents(database, workspaceId);
  for await (const environmentId of idsOf(database('environments').where(place))) {
    const inEnvironment = { ...place, environment_id: idToBytes(environmentId) };
    const time = await neededFrom(database, 'executions_environment', inEnvironment);
    await inTransaction(database, (transaction) =>
      forgetVariablesReplacedBefore(transaction, { workspaceId, environmentId }, time),
    );
  }
}

/** What was out of use before then, no record of the place names. @param index that has them in the order of their ids */
async function neededFrom(
  database: Knex,
  index: 'executions_workspace' | 'executions_environment',
  place: Readonly<Record<string, Buffer>>,
): Promise<Date> {
  const [oldest] = (await database(database.raw('?? FORCE INDEX (??)', ['executions', index]))
    .select('id')
    .where(place)
    .orderBy('id')
    .limit(1)) as { id: Buffer }[];
  const time = oldest === undefined ? Date.now() : idTime(idFromBytes(oldest.id)).getTime();
  return new Date(time - slackMs);
}

async function* idsOf(rows: Knex.QueryBuilder): AsyncGenerator<string> {
  for (let after: Buffer | undefined = Buffer.alloc(16); after !== undefined;) {
    const page = (await rows.clone().select('id').where('id', '>', after).orderBy('id').limit(pageSize)) as {
      id: Buffer;
    }[];
    for (const { id } of page) yield idFromBytes(id);
    after = page.length === pageSize ? page.at(-1)?.id : undefined;
  }
}
