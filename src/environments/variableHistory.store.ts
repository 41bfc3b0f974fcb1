import type { Knex } from 'knex';
import type { Configuration } from '../../workers/protocol.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { openVariable, type SealedVariable, type VariableDependencies } from './sealedVariable.js';

/**
 * Keeps the value that a variable has, if there is one, before it is replaced or removed: executions may have run with it.
 * @param until the revision of the environment's configuration from which on it is not in force any more
 */
export async function keepVariable(
  transaction: Knex.Transaction,
  { workspaceId, environmentId }: EnvironmentRef,
  { name, until }: { readonly name: string; readonly until: number },
): Promise<void> {
  await transaction.raw(
    `INSERT INTO variable_history
      (environment_id, until_revision, from_revision, name, workspace_id, value, secret, replaced_at)
     SELECT environment_id, ?, revision, name, workspace_id, value, secret, ?
     FROM variables WHERE workspace_id = ? AND environment_id = ? AND name = ?`,
    [until, new Date(), idToBytes(workspaceId), idToBytes(environmentId), name],
  );
}

/**
 * The variables that runs saw at a revision of the environment's configuration, in the same order as they saw them. Undefined
 * when they can't be put together any more. Hosts are left out: no run of the past calls one again.
 */
export async function configurationAt(
  dependencies: VariableDependencies,
  ref: EnvironmentRef,
  revision: number,
): Promise<Configuration | undefined> {
  const { database } = dependencies;
  const rows = (await inForceAt(database, ref, revision, ['name', 'value', 'secret'])) as SealedVariable[];
  if (!(await isKept(database, ref, revision))) return undefined;
  try {
    const opened = rows.map((row) => [row.name, openVariable(dependencies, ref, row)] as const);
    const secrets = rows.filter(({ secret }) => secret === 1).map(({ name }) => name);
    return { variables: Object.fromEntries(opened.sort(byName)), secrets: secrets.sort(), httpHosts: [] };
  } catch {
    // Sealed with a key that is not there any more.
    return undefined;
  }
}

/** The bytes of all sealed values of that configuration. */
export async function configurationBytes(
  connection: Connection,
  ref: EnvironmentRef,
  revision: number,
): Promise<number> {
  const rows = (await inForceAt(connection, ref, revision, ['name', connection.raw('LENGTH(value) AS bytes')])) as {
    readonly bytes: number;
  }[];
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The variables in force at a revision. One statement: a variable that is being replaced is in one of both tables. */
function inForceAt(
  connection: Connection,
  ref: EnvironmentRef,
  revision: number,
  columns: readonly (string | Knex.Raw)[],
): Knex.QueryBuilder {
  const of = { workspace_id: idToBytes(ref.workspaceId), environment_id: idToBytes(ref.environmentId) };
  const present = connection('variables')
    .select([...columns])
    .where(of)
    .where('revision', '<=', revision);
  const past = connection('variable_history')
    .select([...columns])
    .where(of)
    .where('until_revision', '>', revision)
    .where('from_revision', '<=', revision);
  return present.unionAll([past]);
}

/** The order of `loadConfiguration`: names are ASCII, and ordered by their bytes. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

async function isKept(
  connection: Connection,
  { workspaceId, environmentId }: EnvironmentRef,
  revision: number,
): Promise<boolean> {
  const [row] = (await connection('environments')
    .select('config_kept_from')
    .where({ id: idToBytes(environmentId), workspace_id: idToBytes(workspaceId) })) as {
    config_kept_from: number | string;
  }[];
  return row !== undefined && Number(row.config_kept_from) <= revision;
}

/** Deletes values that were replaced before then. Configurations with any of them can't be put together from now on. */
export async function forgetVariablesReplacedBefore(
  transaction: Knex.Transaction,
  { workspaceId, environmentId }: EnvironmentRef,
  time: Date,
): Promise<void> {
  const of = { workspace_id: idToBytes(workspaceId), environment_id: idToBytes(environmentId) };
  const old = transaction('variable_history').where(of).where('replaced_at', '<', time);
  const [last] = await old.clone().max<{ until: number | string | null }[]>({ until: 'until_revision' });
  const until = last?.until ?? null;
  if (until === null) return;
  await transaction('environments')
    .where({ id: of.environment_id, workspace_id: of.workspace_id })
    .update({ config_kept_from: transaction.raw('GREATEST(config_kept_from, ?)', [until]) });
  await old.delete();
}
