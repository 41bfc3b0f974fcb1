import type { Knex } from 'knex';
import { formatJson } from '../../workers/json/index.js';
import type { Configuration } from '../../workers/protocol.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { readPageBy, textsIn, type Page, type PageRequest } from '../storage/pages.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { requireUnprotected } from '../protections/guard.js';
import { hostsOf, readHosts, takeRevision } from './hosts.store.js';
import { openVariable, sealVariable, type SealedVariable, type VariableDependencies } from './sealedVariable.js';
import { keepVariable } from './variableHistory.store.js';
import { maxValueLength } from './variableRules.js';

/** A variable of an environment; `value` is any JSON, and absent where no key of this server opens it. */
interface Variable {
  readonly name: string;
  readonly value?: unknown;
  readonly unreadable?: true;
  readonly secret: boolean;
  readonly updatedAt: string;
}

/** Most bytes of a sealed value: three for a character in UTF-8, and what sealing adds. */
const longestSealedBytes = 3 * maxValueLength + 1024;

export type VariableWriter = Writer & Pick<VariableDependencies, 'encryption'>;

interface Row extends SealedVariable {
  readonly updated_at: Date;
}

const columnsOf = ({ workspaceId, environmentId }: EnvironmentRef): Record<string, Buffer> => ({
  workspace_id: idToBytes(workspaceId),
  environment_id: idToBytes(environmentId),
});

/** More would make the first runs of the environment slow, because all variables are sent to the worker threads. */
const maxVariables = 1000;
const maxTotalBytes = 4 * 1024 * 1024;

/** The result of writing one variable. */
interface VariableWrite {
  readonly variable: Variable;
  readonly created: boolean;
  /** The new revision of the environment's configuration. */
  readonly revision: number;
}

/**
 * Writes one variable. Throws Problem `environment_not_found`, `approval_required`, and `validation_failed` when there is
 * no more room.
 */
export async function setVariable(
  { database, encryption, actor }: VariableWriter,
  ref: EnvironmentRef,
  fields: VariableFields,
): Promise<VariableWrite> {
  return inTransaction(database, async (transaction) => {
    const revision = await takeRevision(transaction, ref);
    await requireUnprotected(transaction, ref);
    return writeVariable({ database: transaction, encryption, actor }, ref, { ...fields, revision });
  });
}

type VariableFields = Pick<Variable, 'name' | 'value' | 'secret'>;

/** A transaction that has taken the revision, who writes, and what seals. */
export type WithinWrite = Omit<VariableWriter, 'database'> & { readonly database: Knex.Transaction };

/** Writes the variable within a transaction that has taken the revision. */
export async function writeVariable(
  { database: transaction, encryption, actor }: WithinWrite,
  ref: EnvironmentRef,
  { name, value, secret, revision }: VariableFields & { readonly revision: number },
): Promise<VariableWrite> {
  const sealed = sealVariable(encryption, ref, name, formatJson(value));
  const before = (await findVariable({ database: transaction, encryption }, ref, name))?.variable;
  await keepVariable(transaction, ref, { name, until: revision });
  const now = new Date();
  await transaction('variables')
    .insert({ ...columnsOf(ref), name, value: sealed, secret, revision, created_at: now, updated_at: now })
    .onConflict(['environment_id', 'name'])
    .merge(['value', 'secret', 'revision', 'updated_at']);
  await requireRoom(transaction, ref);
  const variable = { name, value, secret, updatedAt: now.toISOString() };
  // A variable that becomes secret now had a secret value before, too.
  const isSecret = secret || before?.secret === true;
  const states = { before: before === undefined ? null : audited(before, isSecret), after: audited(variable) };
  await appendAuditEntries(transaction, [variableEntry(actor, ref, name, states)]);
  return { variable, created: before === undefined, revision };
}

async function requireRoom(transaction: Knex.Transaction, ref: EnvironmentRef): Promise<void> {
  const rows: readonly { variables?: number | string; bytes?: number | string }[] = await transaction('variables')
    .where(columnsOf(ref))
    .count({ variables: '*' })
    .sum({ bytes: transaction.raw('LENGTH(value)') });
  const [row] = rows;
  if (Number(row?.variables) <= maxVariables && Number(row?.bytes) <= maxTotalBytes) return;
  throw new Problem(
    'validation_failed',
    `An environment has room for ${maxVariables} variables of ${maxTotalBytes / 1024 / 1024} MiB together.`,
  );
}

/**
 * Removes one variable; returns the new revision of the environment's configuration, null when there was no such
 * variable. Throws Problem `environment_not_found`, `approval_required`.
 */
export function unsetVariable(
  { database, encryption, actor }: VariableWriter,
  ref: EnvironmentRef,
  name: string,
): Promise<number | null> {
  return inTransaction(database, async (transaction) => {
    // What is not there changes nothing: others would read the configuration anew.
    const isThere = (await findVariable({ database: transaction, encryption }, ref, name)) !== undefined;
    const revision = isThere ? await takeRevision(transaction, ref) : 0;
    await requireUnprotected(transaction, ref);
    const removed = await removeVariable({ database: transaction, encryption, actor }, ref, { name, revision });
    return removed ? revision : null;
  });
}

/** Removes the variable within a transaction that has taken the revision. False when there was none. */
export async function removeVariable(
  { database: transaction, encryption, actor }: WithinWrite,
  ref: EnvironmentRef,
  { name, revision }: { readonly name: string; readonly revision: number },
): Promise<boolean> {
  const before = (await findVariable({ database: transaction, encryption }, ref, name))?.variable;
  if (before === undefined) return false;
  await keepVariable(transaction, ref, { name, until: revision });
  await transaction('variables')
    .where({ ...columnsOf(ref), name })
    .delete();
  await appendAuditEntries(transaction, [variableEntry(actor, ref, name, { before: audited(before), after: null })]);
  return true;
}

/** Writes down that all variables of an environment are removed with it, by a transaction that holds the environment. */
export async function tellVariablesRemoved(
  { database: transaction, encryption, actor }: WithinWrite,
  ref: EnvironmentRef,
): Promise<void> {
  const rows = (await rowsOf(transaction, ref).orderBy('name')) as Row[];
  const entries = rows.map((row) => {
    const before = audited(mapRow({ database: transaction, encryption }, ref, row));
    return variableEntry(actor, ref, row.name, { before, after: null });
  });
  await appendAuditEntries(transaction, entries);
}

/** A variable, and the revision of the configuration that it was written with; undefined where there is none. */
export async function findVariable(
  dependencies: VariableDependencies,
  ref: EnvironmentRef,
  name: string,
): Promise<{ readonly variable: Variable; readonly revision: number } | undefined> {
  const [row] = (await rowsOf(dependencies.database, ref).select('revision').where('name', name)) as (Row & {
    readonly revision: number | string;
  })[];
  return row && { variable: mapRow(dependencies, ref, row), revision: Number(row.revision) };
}

/** The variable as the API shows it: without the value of a secret. */
export const shownVariable = ({ name, value, unreadable, secret, updatedAt }: Variable): object =>
  unreadable ? { name, unreadable, secret, updatedAt } : { name, ...(secret ? {} : { value }), secret, updatedAt };

/** Longest JSON text of a value in an audit entry; a longer one is left out. */
const maxToldLength = 4000;

function audited(variable: Variable, isSecret = variable.secret): object {
  const { value, ...rest } = variable;
  return isSecret || rest.unreadable || formatJson(value).length > maxToldLength ? rest : shownVariable(variable);
}

const variableEntry = (
  actor: Actor,
  { workspaceId, environmentId }: EnvironmentRef,
  name: string,
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => {
  const resource = { type: 'variable', id: `${environmentId}/${name}`, key: name } as const;
  return changeEntry(actor, workspaceId, { resource, ...states });
};

const rowsOf = (connection: Connection, ref: EnvironmentRef): Knex.QueryBuilder =>
  connection('variables').select('name', 'value', 'secret', 'updated_at').where(columnsOf(ref));

const mapRow = (dependencies: VariableDependencies, ref: EnvironmentRef, row: Row): Variable => ({
  name: row.name,
  ...openIfPossible(dependencies, ref, row),
  secret: row.secret === 1,
  updatedAt: row.updated_at.toISOString(),
});

/** A value that does not open must not keep anybody from replacing or removing it. */
function openIfPossible(...variable: Parameters<typeof openVariable>): Pick<Variable, 'value' | 'unreadable'> {
  try {
    return { value: openVariable(...variable) };
  } catch {
    return { unreadable: true };
  }
}

/** A page of an environment's variables in the order of their names. Throws Problem `environment_not_found`. */
export async function pageOfVariables(
  dependencies: VariableDependencies,
  ref: EnvironmentRef,
  request: PageRequest<string>,
): Promise<Page<Variable>> {
  await readHosts(dependencies.database, ref);
  const map = (row: Row): Variable => mapRow(dependencies, ref, row);
  const rows = rowsOf(dependencies.database, ref).from(
    dependencies.database.raw('?? FORCE INDEX (PRIMARY)', ['variables']),
  );
  const texts = textsIn(dependencies.database, ['value'], longestSealedBytes);
  return readPageBy(rows, request, map, ({ name }) => Buffer.from(name), { column: 'name', texts });
}

/**
 * The configuration of an environment with its revision, in one statement, so that they are consistent. Undefined when
 * there is no such environment.
 * @param known what the caller has of it: where that has the environment's revision still, it is given again, and no
 * variable is read
 */
export async function loadConfiguration<Known extends { readonly revision: number } = never>(
  { database, encryption }: VariableDependencies,
  workspaceId: string,
  environmentId: string,
  known?: Known,
): Promise<(Configuration & { revision: number }) | Known | undefined> {
  const rows = (await database('environments as e')
    .leftJoin('variables as v', (on) => {
      on.on('v.environment_id', 'e.id').andOn('v.workspace_id', 'e.workspace_id');
      if (known !== undefined) on.andOn('e.config_revision', '<>', database.raw('?', [known.revision]));
    })
    .select('e.config_revision', 'e.http_hosts', 'v.name', 'v.value', 'v.secret')
    .where({ 'e.id': idToBytes(environmentId), 'e.workspace_id': idToBytes(workspaceId) })
    .orderBy('v.name')) as ({ config_revision: number | string; http_hosts: string | null } & (
    Pick<Row, 'name' | 'value' | 'secret'> | { name: null }
  ))[];
  const [first] = rows;
  if (first === undefined) return undefined;
  const revision = Number(first.config_revision);
  if (revision === known?.revision) return known;
  const ref = { workspaceId, environmentId };
  const variables = rows.flatMap((row) => {
    if (row.name === null) return [];
    const value = openVariable({ encryption }, ref, row);
    return [{ name: row.name, value, secret: row.secret === 1 }];
  });
  return {
    revision,
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    secrets: variables.filter(({ secret }) => secret).map(({ name }) => name),
    httpHosts: hostsOf(first.http_hosts),
  };
}
