import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { parseScopes, scopesFault } from '../oauth/scopeList.js';
import { mysqlErrno, mysqlErrors } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import type { Policy } from './policies.js';
import { deletePolicy, insertPolicy } from './policies.store.js';
import { insertTenant, type Tenant } from './tenants.store.js';
import { insertWorkspace, type Workspace } from './workspaces.store.js';

/** Tenants, workspaces and policies have no HTTP API: these functions are what the command line calls. */

/** Rejects with `validation_failed` for a name that is empty, or longer than 255 characters. */
export async function createTenant(database: Knex, name: string): Promise<Tenant> {
  return insertTenant(database, checkedName(name));
}

/** Rejects with `reference_not_found` when there is no such tenant, else as `createTenant`. */
export async function createWorkspace(
  database: Knex,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<Workspace> {
  return referring(insertWorkspace(database, { tenantId, name: checkedName(name) }), `There is no tenant ${tenantId}.`);
}

export interface NewPolicy {
  readonly effect: 'allow' | 'deny';
  readonly subjects: readonly string[];
  readonly roles: readonly string[];
  /** Space separated. */
  readonly scopes: string;
}

/**
 * Adds a policy to a workspace; it takes effect within 5 s. Rejects with `validation_failed` for unknown scopes or
 * when it names nobody, `reference_not_found` when there is no such workspace.
 */
export async function setPolicy(database: Knex, workspaceId: string, fields: NewPolicy): Promise<Policy> {
  const policy: Policy = {
    id: newId(),
    ...fields,
    scopes: checkedScopes(fields.scopes),
    createdAt: new Date().toISOString(),
  };
  if (policy.subjects.length + policy.roles.length === 0) {
    throw invalid('A policy must name a subject or a role; the subject * is everybody.');
  }
  if ([...policy.subjects, ...policy.roles].includes('')) throw invalid('A subject or role must not be empty.');
  await referring(insertPolicy(database, workspaceId, policy), `There is no workspace ${workspaceId}.`);
  return policy;
}

/** Rejects with `validation_failed` when the workspace has no such policy. */
export async function removePolicy(database: Knex, workspaceId: string, id: string): Promise<void> {
  if (!(await deletePolicy(database, workspaceId, id))) throw invalid(`The workspace has no policy ${id}.`);
}

/** The name, trimmed. Throws `validation_failed`. */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  // Characters as MySQL counts them, not UTF-16 units.
  const length = Array.from(trimmed).length;
  if (length === 0 || length > 255) throw invalid('A name has 1 to 255 characters.');
  return trimmed;
}

/** The scopes of a space-separated list. Throws `validation_failed`, with the list of those there are. */
export function checkedScopes(text: string): readonly string[] {
  const scopes = parseScopes(text);
  const fault = scopesFault(scopes);
  if (fault !== undefined) throw invalid(fault);
  return scopes;
}

export const invalid = (detail: string): Problem => new Problem('validation_failed', detail);

/** Awaits an INSERT, and turns a missing parent into `reference_not_found`. */
export async function referring<T>(writing: Promise<T>, detail: string): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.noReferencedRow) throw new Problem('reference_not_found', detail);
    throw error;
  }
}
