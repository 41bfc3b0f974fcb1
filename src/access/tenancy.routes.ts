import type { Knex } from 'knex';
import type { ClientRequest, ClientRoute } from '../api/clientRoute.js';
import { IdParams } from '../api/fields.js';
import type { Violation } from '../errors.js';
import { byContent } from '../resource/answers.js';
import { byTenantsId, ofTenant, refOfTenant } from '../resource/kinds.js';
import { requireGranted } from '../workspaces/grants.store.js';
import type { Policy as StoredPolicy } from '../workspaces/policies.js';
import { policies } from '../workspaces/policies.store.js';
import { workspaces, type Workspace } from '../workspaces/workspaces.store.js';
import { utc } from './clients.routes.js';
import { writerOf } from './giving.js';
import { CreatePolicy, Policy, PolicyParams, TenantWorkspace, WriteWorkspace } from './workspaces.schema.js';
import { changeWorkspace, createWorkspace, removePolicy, setPolicy } from './workspaces.service.js';

const path = '/core/v1/workspaces';
const shared = { tag: 'Access', problems: ['too_many_requests'] } as const;

const workspace = ofTenant({
  ...shared,
  ...byTenantsId(path),
  ...byContent((stored: Workspace) => stored),
  name: 'Workspace',
  schema: TenantWorkspace,
  absent: 'workspace_not_found',
});

const policy = ofTenant({
  ...shared,
  ...byContent((stored: StoredPolicy) => stored),
  name: 'Policy',
  plural: 'Policies',
  path: `${path}/{id}/policies`,
  onePath: `${path}/{id}/policies/{policyId}`,
  params: PolicyParams,
  refOf: ({ params, principal: { tenantId } }) => ({ tenantId, workspaceId: params.id, policyId: params.policyId }),
  schema: Policy,
  parent: 'workspace_not_found',
  absent: 'policy_not_found',
});
const ofPolicy = { params: IdParams, problems: ['exceeds_own_rights'] } as const;

/** That a policy applies to nobody. */
const findSubjectViolations = ({ subjects, roles }: Readonly<Record<string, unknown>>): readonly Violation[] =>
  [subjects, roles].every((names) => names === undefined || (Array.isArray(names) && names.length === 0))
    ? [{ in: 'body', pointer: '', message: 'must name a subject or a role; the subject * is everybody' }]
    : [];

/** What a tenant does with its workspaces, and with what end users may do in those that the client is granted. */
export function tenancyRoutes({ database }: { readonly database: Knex }): ClientRoute[] {
  return [
    workspace.list(
      { operationId: 'listTenantWorkspaces', summary: "List the tenant's workspaces", scope: 'workspaces:read' },
      ({ principal }, page) => workspaces.list(database, principal.tenantId, page),
    ),
    workspace.create(
      {
        summary: 'Create a workspace; the client that asks is granted it',
        scope: 'workspace:write',
        body: WriteWorkspace,
      },
      (request) => {
        const fields = { tenantId: request.principal.tenantId, name: request.body.name };
        return createWorkspace(writerOf(database, request), fields);
      },
    ),
    workspace.get({ operationId: 'getTenantWorkspace', summary: 'Get a workspace', scope: 'workspaces:read' }, (ref) =>
      workspaces.require(database, ref),
    ),
    workspace.update(
      {
        summary: 'Rename a workspace that the client is granted',
        scope: 'workspace:write',
        body: WriteWorkspace,
        problems: ['exceeds_own_rights'],
      },
      ({ body, ref: { id, tenantId }, match }, request) =>
        changeWorkspace(writerOf(database, request), { workspaceId: id, tenantId }, (present) => {
          match(present);
          return { name: body.name };
        }),
    ),
    policy.list(
      {
        ...ofPolicy,
        summary: 'List what end users may do in a workspace: what some policy allows and none denies',
        scope: 'policies:read',
      },
      async (request, page) => policies.list(database, await readable(refOfTenant(request), request), page),
    ),
    policy.create(
      {
        ...ofPolicy,
        summary: 'Add a policy, within 5 s; it allows at most what the client has that asks',
        scope: 'policy:write',
        body: CreatePolicy,
        findBodyViolations: findSubjectViolations,
      },
      (request) => {
        const { effect, subjects = [], roles = [], scopes, expiresAt = null } = request.body;
        const fields = { effect, subjects, roles, scopes, expiresAt: utc(expiresAt) };
        const { id, tenantId } = refOfTenant(request);
        return setPolicy(writerOf(database, request), { workspaceId: id, tenantId }, fields);
      },
    ),
    policy.get(
      { summary: 'Get a policy', scope: 'policies:read', problems: ['exceeds_own_rights'] },
      async ({ workspaceId: id, tenantId, policyId }, request) =>
        policies.require(database, { workspaceId: await readable({ id, tenantId }, request), id: policyId }),
    ),
    policy.remove(
      {
        summary: 'Remove a policy, within 5 s; to remove what denies is to give what it denies',
        scope: 'policy:delete',
        problems: ['exceeds_own_rights'],
      },
      ({ ref, match }, request) => removePolicy(writerOf(database, request), ref, match),
    ),
  ];

  /** The id of a workspace whose policies the client may read: one of its own. */
  async function readable(
    { id, tenantId }: { readonly id: string; readonly tenantId: string },
    { principal }: Pick<ClientRequest<unknown, unknown, unknown>, 'principal'>,
  ): Promise<string> {
    await workspaces.require(database, { id, tenantId });
    if (principal.kind === 'client')
      await requireGranted(database, { tenantId, clientId: principal.id, workspaceId: id });
    return id;
  }
}
