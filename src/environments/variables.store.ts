import type { Knex } from 'knex';
import type { Configuration } from '../../workers/protocol.js';
import { Problem } from '../errors.js';
import { parseExactly } from '../../workers/models/index.js';
import { inTransaction, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';

/** A variable of an environment; `value` is any JSON. */
export interface Variable {
  readonly name: string;
  readonly value: unknown;
  readonly secret: boolean;
  readonly updatedAt: string;
}

/** `[A-Za-z_][A-Za-z0-9_]{0,127}` (contract.md, section 4). */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name);

/** Largest value as JSON text, in characters; all variables go to every worker thread. */
export const maxValueLength = 64 * 1024;

/** What the stores of variables work with. */
export interface VariableDependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

interface Row {
  readonly name: string;
  readonly value: Buffer;
  readonly secret: number;
  readonly updated_at: Date;
}

/** One environment of a workspace. */
interface Place {
  readonly workspaceId: string;
  readonly environmentId: string;
}

const columnsOf = ({ workspaceId, environmentId }: Place): Record<string, Buffer> => ({
  workspace_id: idToBytes(workspaceId),
  environment_id: idToBytes(environmentId),
});

/** A value sealed for one variable opens as no other. */
const contextOf = ({ workspaceId, environmentId }: Place, name: string): string =>
  `variables/${workspaceId}/${environmentId}/${name}`;

/** Writes one variable. Throws Problem `environment_not_found`. */
export async function setVariable(
  { database, encryption }: VariableDependencies,
  place: Place,
  { name, value, secret }: Pick<Variable, 'name' | 'value' | 'secret'>,
): Promise<void> {
  const sealed = encryption.seal(JSON.stringify(value), contextOf(place, name));
  await inTransaction(database, async (transaction) => {
    await takeRevision(transaction, place);
    const now = new Date();
    await transaction('variables')
      .insert({ ...columnsOf(place), name, value: sealed, secret, created_at: now, updated_at: now })
      .onConflict(['environment_id', 'name'])
      .merge(['value', 'secret', 'updated_at']);
  });
}

/** False when there was no such variable. Throws Problem `environment_not_found`. */
export function unsetVariable(database: Knex, place: Place, name: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await takeRevision(transaction, place);
    const removed = await transaction('variables')
      .where({ ...columnsOf(place), name })
      .delete();
    return removed === 1;
  });
}

/** By name. Throws Problem `environment_not_found`. */
export async function listVariables({ database, encryption }: VariableDependencies, place: Place): Promise<Variable[]> {
  await readHttpHosts(database, place);
  const rows = (await database('variables')
    .select('name', 'value', 'secret', 'updated_at')
    .where(columnsOf(place))
    .orderBy('name')) as Row[];
  return rows.map((row) => ({
    name: row.name,
    value: parseExactly(encryption.open(row.value, contextOf(place, row.name))),
    secret: row.secret === 1,
    updatedAt: row.updated_at.toISOString(),
  }));
}

/** Hosts that function nodes may call from this environment. Throws Problem `environment_not_found`. */
export async function readHttpHosts(connection: Connection, place: Place): Promise<string[]> {
  const [row] = (await connection('environments')
    .select('http_hosts')
    .where({ id: idToBytes(place.environmentId), workspace_id: idToBytes(place.workspaceId) })) as {
    http_hosts: string | null;
  }[];
  if (row === undefined) throw noEnvironment(place);
  return hostsOf(row.http_hosts);
}

/** Replaces the list. Throws Problem `environment_not_found`. */
export function writeHttpHosts(database: Knex, place: Place, hosts: readonly string[]): Promise<void> {
  return inTransaction(database, (transaction) =>
    takeRevision(transaction, place, { http_hosts: hosts.length === 0 ? null : JSON.stringify(hosts) }),
  );
}

/**
 * What a run in the environment sees, with the revision that it belongs to: one statement, so that no write comes
 * between. Undefined when there is no such environment.
 */
export async function loadConfiguration(
  { database, encryption }: VariableDependencies,
  workspaceId: string,
  environmentId: string,
): Promise<(Configuration & { revision: number }) | undefined> {
  const rows = (await database('environments as e')
    .leftJoin('variables as v', (on) => {
      on.on('v.environment_id', 'e.id').andOn('v.workspace_id', 'e.workspace_id');
    })
    .select('e.config_revision', 'e.http_hosts', 'v.name', 'v.value', 'v.secret')
    .where({ 'e.id': idToBytes(environmentId), 'e.workspace_id': idToBytes(workspaceId) })
    .orderBy('v.name')) as ({ config_revision: number | string; http_hosts: string | null } & (
    Pick<Row, 'name' | 'value' | 'secret'> | { name: null }
  ))[];
  const [first] = rows;
  if (first === undefined) return undefined;
  const place = { workspaceId, environmentId };
  const variables = rows.flatMap((row) => {
    if (row.name === null) return [];
    const value = JSON.parse(encryption.open(row.value, contextOf(place, row.name))) as unknown;
    return [{ name: row.name, value, secret: row.secret === 1 }];
  });
  return {
    revision: Number(first.config_revision),
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    secrets: variables.filter(({ secret }) => secret).map(({ name }) => name),
    httpHosts: hostsOf(first.http_hosts),
  };
}

const hostsOf = (text: string | null): string[] => (text === null ? [] : (JSON.parse(text) as string[]));

/** Every write of a configuration takes the next revision, so that caches tell old from new. */
async function takeRevision(
  transaction: Knex.Transaction,
  place: Place,
  alongside: Record<string, string | null> = {},
): Promise<void> {
  const found = await transaction('environments')
    .where({ id: idToBytes(place.environmentId), workspace_id: idToBytes(place.workspaceId) })
    .update({ ...alongside, config_revision: transaction.raw('config_revision + 1') });
  if (found === 0) throw noEnvironment(place);
}

const noEnvironment = ({ environmentId }: Place): Problem =>
  new Problem('environment_not_found', `There is no environment ${environmentId} in this workspace.`);
