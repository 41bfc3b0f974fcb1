import Type, { type TObject } from 'typebox';
import { clientRoute, type ClientRequest, type ClientRoute } from '../api/clientRoute.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRequest, type LogicRoute } from '../api/logicRoute.js';
import type { EnvironmentRef, ResourceRef } from '../storage/resourceTable.js';
import { ResourceRoutes, type Kind } from './routes.js';

// Kinds of resources by whose they are (a workspace's, a tenant's, an environment's): who may ask for them, under which paths, and
// what a request names by them.

type InWorkspace = Pick<LogicRequest<unknown, unknown, unknown>, 'workspaceId' | 'principal' | 'scopes'>;
type OfTenant = Pick<ClientRequest<unknown, unknown, unknown>, 'principal'>;

export type WorkspaceRoutes<Ref, S, P extends TObject> = ResourceRoutes<InWorkspace, LogicRoute, Ref, S, P>;

/** A kind of resource of workspaces. */
export const ofWorkspace = <Ref, S, P extends TObject>(
  kind: Kind<InWorkspace, Ref, S, P>,
): WorkspaceRoutes<Ref, S, P> => new ResourceRoutes(logicRoute, kind);

/** A kind of resource of tenants, which their clients work with. */
export const ofTenant = <Ref, S, P extends TObject>(
  kind: Kind<OfTenant, Ref, S, P>,
): ResourceRoutes<OfTenant, ClientRoute, Ref, S, P> => new ResourceRoutes(clientRoute, kind);

/** A kind whose resources have ids, in a workspace. */
export const byId = (path: string) => ({ path, onePath: `${path}/{id}`, params: IdParams, refOf });

/** The resource that a request names. */
export const refOf = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): ResourceRef => ({
  workspaceId,
  id: params.id,
});

/** A kind whose resources have ids, of a tenant. */
export const byTenantsId = (path: string) => ({ path, onePath: `${path}/{id}`, params: IdParams, refOf: refOfTenant });

/** The resource of a tenant that a request of one of its clients names. */
export const refOfTenant = ({ principal, params }: OfTenant & { params: { id: string } }) => ({
  tenantId: principal.tenantId,
  id: params.id,
});

/** A kind of which a workspace has one. */
export const oneOfWorkspace = (path: string) => ({
  path,
  onePath: path,
  params: Type.Object({}, { additionalProperties: false }),
  refOf: ({ workspaceId }: { workspaceId: string }): { readonly workspaceId: string } => ({ workspaceId }),
});

/** A kind of which an environment has one. */
export const ofEnvironment = (path: string) => ({
  path,
  onePath: path,
  params: IdParams,
  refOf: ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): EnvironmentRef => ({
    workspaceId,
    environmentId: params.id,
  }),
  parent: 'environment_not_found' as const,
});
