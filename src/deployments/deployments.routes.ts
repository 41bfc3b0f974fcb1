import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { deleteRoute, emptyToNull, getRoute, listRoute, patchRoute, represent } from '../api/resource.js';
import { CreateDeployment, Deployment, UpdateDeployment } from './deployments.schema.js';
import { changeDeployment, createDeployment, removeDeployment } from './deployments.service.js';
import { deployments, type DeploymentFields } from './deployments.store.js';
import type { Routing } from './routing.js';

const path = '/logic/deployments';
const onePath = '/logic/deployments/{id}';
const tag = 'Deployments';

/** The five operations on deployments. */
export function deploymentRoutes({ database, routing }: { database: Knex; routing: Routing }): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createDeployment',
      tag,
      summary: 'Deploy a version and route all traffic of its decision and environment to it',
      scope: 'deployment:write',
      body: CreateDeployment,
      replies: { 201: Deployment },
      replyHeaders: ['ETag'],
      problems: ['reference_not_found', 'approval_required'],
      async handle(request) {
        const writer = { database, routing, actor: actorOf(request) };
        return represent(201, await createDeployment(writer, request.workspaceId, newFields(request.body)));
      },
    }),
    listRoute(
      { path, operationId: 'listDeployments', tag, summary: 'List deployments', scope: 'deployments:read' },
      Deployment,
      (workspaceId, request) => deployments.list(database, workspaceId, request),
    ),
    getRoute(
      { path: onePath, operationId: 'getDeployment', tag, summary: 'Get a deployment', scope: 'deployment:read' },
      { schema: Deployment, problem: 'deployment_not_found' },
      (ref) => deployments.require(database, ref),
    ),
    patchRoute(
      {
        path: onePath,
        operationId: 'updateDeployment',
        tag,
        summary: 'Update a deployment; routing stays as it is',
        scope: 'deployment:update',
      },
      {
        body: UpdateDeployment,
        reply: Deployment,
        problems: ['deployment_not_found', 'reference_not_found', 'approval_required'],
      },
      ({ body, ...change }) => changeDeployment(database, { ...change, changes: changedFields(body) }),
    ),
    deleteRoute(
      {
        path: onePath,
        operationId: 'deleteDeployment',
        tag,
        summary: 'Delete a deployment; an older one of the same pair comes into force again',
        scope: 'deployment:delete',
      },
      ['execution_history_exists', 'approval_required'],
      (deletion) => removeDeployment({ database, routing }, deletion),
    ),
  ];
}

const newFields = (body: CreateDeployment): DeploymentFields => ({
  decisionId: body.decisionId.toLowerCase(),
  version: body.version ?? 0,
  environmentId: body.environmentId.toLowerCase(),
  name: body.name.trim(),
  message: emptyToNull(body.message ?? null),
  deployedBy: body.deployedBy.trim(),
});

function changedFields(body: UpdateDeployment): Partial<DeploymentFields> {
  const { decisionId, version, environmentId, name, message, deployedBy } = body;
  return {
    ...(decisionId === undefined ? {} : { decisionId: decisionId.toLowerCase() }),
    ...(version === undefined ? {} : { version: version ?? 0 }),
    ...(environmentId === undefined ? {} : { environmentId: environmentId.toLowerCase() }),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(message === undefined ? {} : { message: emptyToNull(message) }),
    ...(deployedBy === undefined ? {} : { deployedBy: deployedBy.trim() }),
  };
}
