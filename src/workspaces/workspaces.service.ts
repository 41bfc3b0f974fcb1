import type { Knex } from 'knex';
import { newId } from '../storage/ids.js';
import { checkedName, checkedScopes, invalid, referring } from './checks.js';
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
