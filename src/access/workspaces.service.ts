import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, tenantEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import type { GivingWriter } from './clientTransaction.js';
import { changeGrants } from './clientGrants.js';
import { lockTenant, requireOwn, rightsOfGiver, type Rights } from './giving.js';
import type { Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Limit } from '../rates/limit.js';
import { inTransaction } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import type { Page, PageRequest } from '../storage/pages.js';
import { checkedName, invalid, referring, requireRoom } from '../workspaces/checkedInput.js';
import { scopesOf, type Policy } from '../workspaces/policies.js';
import { insertPolicy, listPolicies, listPoliciesNaming, policies } from '../workspaces/policies.store.js';
import { insertTenant, type Tenant } from '../workspaces/tenants.store.js';
import { pageOfGranted, pageOfWorkspaces, workspaces, type Workspace } from '../workspaces/workspaces.store.js';

/** Rejects with `validation_failed` for a name that is empty, or longer than 255 characters. */
export async function createTenant({ database, actor }: Writer, name: string): Promise<Tenant> {
  const checked = checkedName(name);
  return inTransaction(database, async (transaction) => {
    const tenant = await insertTenant(transaction, checked);
    const { id } = tenant;
    const change = { action: 'tenant.create', resource: { type: 'tenant', id }, before: null, after: tenant } as const;
    await appendAuditEntries(transaction, [tenantEntry(actor, id, change)]);
    return tenant;
  });
}

/** Workspaces of a tenant that are made by HTTP: each has a share of the threads of its own. */
const maxWorkspaces = 100;

/**
 * Makes a workspace; a client that does is granted it. Rejects with `reference_not_found` when there is no such tenant,
 * else as `createTenant`.
 */
export async function createWorkspace(
  { database, actor, giver }: GivingWriter,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<Workspace> {
  const fields = { name: name.trim(), limit: null };
  return inTransaction(database, async (transaction) => {
    await lockTenant(transaction, tenantId);
    const own = await rightsOfGiver(transaction, giver, 'workspace:write');
    if (own !== undefined)
      await requireRoom(transaction('workspaces'), { tenantId, max: maxWorkspaces, what: 'workspaces' });
    const inserting = workspaces.insert(transaction, tenantId, fields);
    const workspace = await referring(inserting, `There is no tenant ${tenantId}.`);
    const resource = { type: 'workspace', id: workspace.id } as const;
    const grant = { before: [], after: giver.kind === 'operator' ? [] : [workspace.id] };
    const client = { id: giver.kind === 'operator' ? '' : giver.id, tenantId };
    await appendAuditEntries(transaction, [
      changeEntry(actor, workspace.id, { resource, before: null, after: workspace }),
      ...(await changeGrants(transaction, actor, { client, ...grant })),
    ]);
    return workspace;
  });
}

/** Rejects with `workspace_not_found`, `exceeds_own_rights` for a workspace that the giver is not granted. */
export function changeWorkspace(
  writer: GivingWriter,
  ref: WorkspaceRef,
  changeOf: (present: Workspace) => { readonly name?: string; readonly limit?: Limit | null },
): Promise<Workspace> {
  return inWorkspace(writer, { ...ref, needed: 'workspace:write' }, async ({ transaction, workspace }) => {
    const { name = workspace.name, limit = workspace.limit } = changeOf(workspace);
    const changed = { ...workspace, name: name.trim(), limit };
    if (JSON.stringify(changed) === JSON.stringify(workspace)) return workspace;
    await workspaces.update(transaction, workspace, { name: changed.name, limit });
    const resource = { type: 'workspace', id: workspace.id } as const;
    await appendAuditEntries(transaction, [
      changeEntry(writer.actor, workspace.id, { resource, before: workspace, after: changed }),
    ]);
    return changed;
  });
}

/**
 * Lists the workspaces that a principal may enter. A client may enter those that it was granted, an end user those in which a
 * policy allows the user something.
 */
export async function listWorkspacesOf(
  database: Knex,
  principal: Principal,
  request: PageRequest,
): Promise<Page<Pick<Workspace, 'id' | 'name'>>> {
  if (principal.kind === 'client') return pageOfGranted(database, principal, request);
  const candidates = await listPoliciesNaming(database, principal);
  const entered = [...candidates].filter(([, naming]) => scopesOf(naming, principal).size > 0).map(([id]) => id);
  return pageOfWorkspaces(database, entered, request);
}

type NewPolicy = Omit<Policy, 'id' | 'createdAt' | 'expiresAt'> & Partial<Pick<Policy, 'expiresAt'>>;

/** Policies of a workspace that are made by HTTP: all of them are read to tell what a user may do. */
const maxPolicies = 1000;
/** Bytes of names of all of them together, and of a list: every process reads them for its users, and keeps them. */
const maxNames = { ofWorkspace: 256 * 1024, ofList: 60_000 };

/**
 * Adds a policy to a workspace; it takes effect within 5 s. Rejects with `validation_failed` where it or all together are too
 * long, `workspace_not_found`, `exceeds_own_rights`.
 */
export async function setPolicy(writer: GivingWriter, ref: WorkspaceRef, fields: NewPolicy): Promise<Policy> {
  const { effect, subjects, roles, scopes, expiresAt = null } = fields;
  const policy: Policy = {
    ...{ id: newId(), effect, subjects, roles, scopes: [...new Set(scopes)], expiresAt },
    createdAt: new Date().toISOString(),
  };
  if ([policy.subjects, policy.roles].some((names) => bytesOf(names) > maxNames.ofList)) {
    throw invalid(`The subjects of a policy have at most ${maxNames.ofList} bytes, and so have its roles.`);
  }
  return inWorkspace(writer, { ...ref, needed: 'policy:write' }, async ({ transaction, workspace, own }) => {
    if (policy.effect === 'allow') requireOwn(own, policy);
    const present = own === undefined ? [] : await listPolicies(transaction, workspace.id);
    if (present.length >= maxPolicies) throw invalid(`A workspace has at most ${maxPolicies} policies.`);
    if (own !== undefined && namesOf([...present, policy]) > maxNames.ofWorkspace) {
      throw invalid(`The policies of a workspace name subjects and roles of at most ${maxNames.ofWorkspace} bytes.`);
    }
    await insertPolicy(transaction, workspace.id, policy);
    const resource = { type: 'policy', id: policy.id } as const;
    await appendAuditEntries(transaction, [
      changeEntry(writer.actor, workspace.id, { resource, before: null, after: policy }),
    ]);
    return policy;
  });
}

const bytesOf = (names: readonly string[]): number => Buffer.byteLength(JSON.stringify(names));
const namesOf = (policies: readonly Policy[]): number =>
  policies.reduce((sum, { subjects, roles }) => sum + bytesOf(subjects) + bytesOf(roles), 0);

/** Removes a policy. Whoever removes a denial gives what it denied, and must have it. Rejects with `policy_not_found`, and as `setPolicy`. */
export function removePolicy(
  writer: GivingWriter,
  ref: WorkspaceRef & { readonly policyId: string },
  precondition: (present: Policy) => void = () => undefined,
): Promise<void> {
  return inWorkspace(writer, { ...ref, needed: 'policy:delete' }, async ({ transaction, workspace, own }) => {
    const policyRef = { workspaceId: workspace.id, id: ref.policyId };
    const policy = await policies.require(transaction, policyRef);
    precondition(policy);
    if (policy.effect === 'deny') requireOwn(own, policy);
    await policies.delete(transaction, policyRef);
    const resource = { type: 'policy', id: policy.id } as const;
    await appendAuditEntries(transaction, [
      changeEntry(writer.actor, workspace.id, { resource, before: policy, after: null }),
    ]);
  });
}

/** Which workspace; of any tenant for operators, whose tenant is undefined. */
interface WorkspaceRef {
  readonly workspaceId: string;
  readonly tenantId?: string | undefined;
}

/**
 * Works on a workspace in a transaction that has its tenant to itself. Rejects with `workspace_not_found`,
 * `exceeds_own_rights` where it is not granted to the giver.
 */
function inWorkspace<T>(
  { database, giver }: Pick<GivingWriter, 'database' | 'giver'>,
  { needed, ...named }: WorkspaceRef & { readonly needed: Scope },
  work: (found: {
    readonly transaction: Knex.Transaction;
    readonly workspace: Workspace;
    readonly own: Rights | undefined;
  }) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (transaction) => {
    const ref = { id: named.workspaceId, tenantId: named.tenantId };
    const { id, tenantId } = await workspaces.require(transaction, ref);
    await lockTenant(transaction, tenantId);
    const own = await rightsOfGiver(transaction, giver, needed);
    if (own !== undefined && !own.workspaces.includes(id)) {
      throw new Problem('exceeds_own_rights', 'The workspace is not granted to the client that asks.');
    }
    return work({ transaction, own, workspace: await workspaces.require(transaction, ref) });
  });
}
