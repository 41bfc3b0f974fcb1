import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** What executions may name: an environment, and deployments of the same workspace. */
interface Executed {
  readonly workspaceId: string;
  readonly environmentId?: string;
  readonly deploymentIds: readonly string[];
}

/**
 * To be called before a deployment or an environment that the transaction holds is removed: rejects with
 * `execution_history_exists` where recorded executions name it. What a route names is locked first, so that none is added
 * (runs/recorder/codes.ts), then its routes; and a record locks its own until it is committed (runs/recorder/rows.ts): what
 * is being recorded is waited for and seen, and what comes later finds no route.
 * @param what a noun
 */
export async function requireUnexecuted(
  transaction: Knex.Transaction,
  what: string,
  executed: Executed,
): Promise<void> {
  await lockNamed(transaction, executed);
  const routes = await lockRoutesOf(transaction, executed);
  for (const some of batches(routes))
    if (await isNamed(transaction, some))
      throw new Problem('execution_history_exists', `Recorded executions name this ${what}, so it is kept.`);
}

/**
 * By the index that a foreign key reads: the check of a new row locks nothing else, so that who holds the same rows by their
 * primary keys alone does not hold it up.
 */
async function lockNamed(
  transaction: Knex.Transaction,
  { workspaceId, environmentId, deploymentIds }: Executed,
): Promise<void> {
  const lock = async (table: 'environments' | 'deployments', ids: readonly string[]): Promise<void> => {
    await transaction(transaction.raw('?? FORCE INDEX (??)', [table, `${table}_workspace`]))
      .select('id')
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn('id', ids.map(idToBytes))
      .orderBy('id')
      .forUpdate();
  };
  if (environmentId !== undefined) await lock('environments', [environmentId]);
  for (const ids of batches(deploymentIds)) await lock('deployments', ids);
}

async function lockRoutesOf(
  transaction: Knex.Transaction,
  { workspaceId, environmentId, deploymentIds }: Executed,
): Promise<number[]> {
  const routes = transaction('execution_routes').where('workspace_id', idToBytes(workspaceId)).orderBy('code');
  const codes = new Set<number>();
  const lock = async (column: string, ids: readonly string[]): Promise<void> => {
    const found = await routes.clone().whereIn(column, ids.map(idToBytes)).forUpdate().pluck('code');
    for (const code of found as number[]) codes.add(code);
  };
  for (const ids of batches(deploymentIds)) await lock('deployment_id', ids);
  if (environmentId !== undefined) await lock('environment_id', [environmentId]);
  return [...codes];
}

async function isNamed(connection: Connection, routes: readonly number[]): Promise<boolean> {
  const [row] = (await connection(connection.raw('executions FORCE INDEX (executions_route)'))
    .select('id')
    .whereIn('route', routes)
    .limit(1)) as unknown[];
  return row !== undefined;
}
