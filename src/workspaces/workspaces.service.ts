import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, tenantEntry, type Writer } from '../audit/audit.store.js';
import type { Principal } from '../oauth/principal.js';
import { inTransaction } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import type { Page, PageRequest } from '../storage/pages.js';
import { checkedName, checkedScopes, invalid, referring } from './checks.js';
import { scopesOf, type Policy } from './policies.js';
import { deletePolicy, findPolicy, insertPolicy, listPoliciesNaming } from './policies.store.js';
import { insertTenant, type Tenant } from './tenants.store.js';
import { insertWorkspace, pageOfGranted, pageOfWorkspaces, type Workspace } from './workspaces.store.js';

/** Tenants, workspaces and policies are written by the command line: there is no HTTP API for that. */

/** Rejects with `validation_failed` for a name that is empty, or longer than 255 characters. */
export async function createTenant({ database, actor }: Writer, name: string): Promise<Tenant> {
  const checked = checkedName(name);
  return inTransaction(database, async (transaction) => {
    const tenant = await insertTenant(transaction, checked);
    const { id } = tenant;
    const told = { action: 'tenant.create', resource: { type: 'tenant', id }, before: null, after: tenant };
    await appendAuditEntries(transaction, [tenantEntry(actor, id, told)]);
    return tenant;
  });
}

/** Rejects with `reference_not_found` when there is no such tenant, else as `createTenant`. */
export async function createWorkspace(
  { database, actor }: Writer,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<Workspace> {
  const fields = { tenantId, name: checkedName(name) };
  return inTransaction(database, async (transaction) => {
    const workspace = await referring(insertWorkspace(transaction, fields), `There is no tenant ${tenantId}.`);
    const resource = { type: 'workspace', id: workspace.id };
    await appendAuditEntries(transaction, [
      changeEntry(actor, workspace.id, { resource, before: null, after: workspace }),
    ]);
    return workspace;
  });
}

/** The workspaces that a principal may enter: a client's grants; those whose policies allow an end user something. */
export async function listWorkspacesOf(
  database: Knex,
  principal: Principal,
  request: PageRequest,
): Promise<Page<Pick<Workspace, 'id' | 'name'>>> {
  if (principal.kind === 'client') return pageOfGranted(database, principal, request);
  const candidates = await listPoliciesNaming(database, principal);
  const entered = [...candidates].filter(([, policies]) => scopesOf(policies, principal).size > 0).map(([id]) => id);
  return pageOfWorkspaces(database, entered, request);
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
export async function setPolicy({ database, actor }: Writer, workspaceId: string, fields: NewPolicy): Promise<Policy> {
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
  return inTransaction(database, async (transaction) => {
    await referring(insertPolicy(transaction, workspaceId, policy), `There is no workspace ${workspaceId}.`);
    const resource = { type: 'policy', id: policy.id };
    await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, before: null, after: policy })]);
    return policy;
  });
}

/** Rejects with `validation_failed` when the workspace has no such policy. */
export function removePolicy({ database, actor }: Writer, workspaceId: string, id: string): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const policy = await findPolicy(transaction, workspaceId, id);
    if (policy === undefined) throw invalid(`The workspace has no policy ${id}.`);
    await deletePolicy(transaction, workspaceId, id);
    const resource = { type: 'policy', id };
    await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, before: policy, after: null })]);
  });
}
