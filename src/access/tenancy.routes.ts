import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { Problem } from '../errors.js';
import { clientRoute, type ClientRequest, type ClientRoute } from '../api/clientRoute.js';
import { IdParams } from '../api/fields.js';
import { paged, pageOf, readPageRequest } from '../api/paginate.js';
import { requireMatchTag } from '../api/preconditions.js';
import {
  conditionalGet,
  conditionalWrite,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../api/resource.js';
import { utc } from './clients.routes.js';
import { requireGranted } from '../workspaces/grants.store.js';
import { pageOfPolicies } from '../workspaces/policies.store.js';
import { CreatePolicy, Policy, PolicyParams, TenantWorkspace, WriteWorkspace } from './workspaces.schema.js';
import {
  changeWorkspace,
  createWorkspace,
  removePolicy,
  requirePolicy,
  requireWorkspace,
  setPolicy,
} from './workspaces.service.js';
import { pageOfTenant } from '../workspaces/workspaces.store.js';

const path = '/core/v1/workspaces';
const onePath = `${path}/{id}`;
const policiesPath = `${onePath}/policies`;
const policyPath = `${policiesPath}/{policyId}`;
const tag = 'Access';

type Request = ClientRequest<unknown, unknown, unknown>;

/** What a tenant does with its workspaces, and with what end users may do in those that the client is granted. */
export function tenancyRoutes({ database }: { readonly database: Knex }): ClientRoute[] {
  const writerOf = (request: Request) => ({ database, actor: actorOf(request), giver: request.principal });

  return [
    clientRoute({
      method: 'GET',
      path,
      operationId: 'listTenantWorkspaces',
      tag,
      summary: "List the tenant's workspaces",
      scope: 'workspaces:read',
      ...paged,
      replies: { 200: pageOf(TenantWorkspace) },
      problems: ['too_many_requests'],
      async handle({ principal: { tenantId }, query }) {
        return { status: 200, body: await pageOfTenant(database, tenantId, readPageRequest(query)) };
      },
    }),
    clientRoute({
      method: 'POST',
      path,
      operationId: 'createWorkspace',
      tag,
      summary: 'Create a workspace; the client that asks is granted it',
      scope: 'workspace:write',
      body: WriteWorkspace,
      replies: { 201: TenantWorkspace },
      replyHeaders: ['ETag'],
      problems: ['too_many_requests'],
      async handle(request) {
        const fields = { tenantId: request.principal.tenantId, name: request.body.name };
        return representTagged(201, await createWorkspace(writerOf(request), fields));
      },
    }),
    clientRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getTenantWorkspace',
      tag,
      summary: 'Get a workspace',
      scope: 'workspaces:read',
      params: IdParams,
      ...conditionalGet(TenantWorkspace),
      problems: ['workspace_not_found', 'too_many_requests'],
      async handle(request) {
        const workspace = await requireWorkspace(database, refOf(request));
        return representTaggedUnlessCurrent(request.header('If-None-Match'), workspace);
      },
    }),
    clientRoute({
      method: 'PATCH',
      path: onePath,
      operationId: 'updateWorkspace',
      tag,
      summary: 'Rename a workspace that the client is granted',
      scope: 'workspace:write',
      params: IdParams,
      body: WriteWorkspace,
      ...conditionalWrite(TenantWorkspace),
      problems: ['workspace_not_found', 'exceeds_own_rights', 'precondition_failed', 'too_many_requests'],
      async handle(request) {
        const changed = await changeWorkspace(writerOf(request), refOf(request), (present) => {
          requireMatchTag(request.header('If-Match'), tagOf(present));
          return { name: request.body.name };
        });
        return representTagged(200, changed);
      },
    }),
    clientRoute({
      method: 'GET',
      path: policiesPath,
      operationId: 'listPolicies',
      tag,
      summary: 'List what end users may do in a workspace: what some policy allows and none denies',
      scope: 'policies:read',
      params: IdParams,
      ...paged,
      replies: { 200: pageOf(Policy) },
      problems: ['workspace_not_found', 'exceeds_own_rights', 'too_many_requests'],
      async handle(request) {
        const id = await readable(request);
        return { status: 200, body: await pageOfPolicies(database, id, readPageRequest(request.query)) };
      },
    }),
    clientRoute({
      method: 'POST',
      path: policiesPath,
      operationId: 'createPolicy',
      tag,
      summary: 'Add a policy, within 5 s; it allows at most what the client has that asks',
      scope: 'policy:write',
      params: IdParams,
      body: CreatePolicy,
      replies: { 201: Policy },
      replyHeaders: ['ETag'],
      problems: ['workspace_not_found', 'exceeds_own_rights', 'too_many_requests'],
      async handle(request) {
        const { effect, subjects = [], roles = [], scopes, expiresAt = null } = request.body;
        const fields = { effect, subjects, roles, scopes: scopes.join(' '), expiresAt: utc(expiresAt) };
        return representTagged(201, await setPolicy(writerOf(request), refOf(request), fields));
      },
    }),
    clientRoute({
      method: 'GET',
      path: policyPath,
      operationId: 'getPolicy',
      tag,
      summary: 'Get a policy',
      scope: 'policies:read',
      params: PolicyParams,
      ...conditionalGet(Policy),
      problems: ['workspace_not_found', 'policy_not_found', 'exceeds_own_rights', 'too_many_requests'],
      async handle(request) {
        const policy = await requirePolicy(database, await readable(request), request.params.policyId);
        return representTaggedUnlessCurrent(request.header('If-None-Match'), policy);
      },
    }),
    clientRoute({
      method: 'DELETE',
      path: policyPath,
      operationId: 'deletePolicy',
      tag,
      summary: 'Remove a policy, within 5 s; to remove what denies is to give what it denies',
      scope: 'policy:delete',
      params: PolicyParams,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      problems: ['workspace_not_found', 'exceeds_own_rights', 'precondition_failed', 'too_many_requests'],
      async handle(request) {
        const ref = { ...refOf(request), policyId: request.params.policyId };
        const removing = removePolicy(writerOf(request), ref, (present) =>
          requireMatchTag(request.header('If-Match'), tagOf(present)),
        );
        await removing.catch((error: unknown) => {
          if (!(error instanceof Problem && error.code === 'policy_not_found')) throw error;
        });
        return { status: 204 };
      },
    }),
  ];

  /** The id of a workspace whose policies the client may read: one of its own. */
  async function readable(request: ClientRequest<{ readonly id: string }, unknown, unknown>): Promise<string> {
    const { id, tenantId } = await requireWorkspace(database, refOf(request));
    await requireGranted(database, { tenantId, clientId: request.principal.id, workspaceId: id });
    return id;
  }
}

const refOf = ({ principal, params }: ClientRequest<{ readonly id: string }, unknown, unknown>) => ({
  workspaceId: params.id,
  tenantId: principal.tenantId,
});
