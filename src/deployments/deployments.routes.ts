import type { Knex } from 'knex';
import { actorOf } from '../audit/actor.js';
import { IdParams } from '../http/routes/fields.js';
import { logicRoute, type LogicRoute } from '../http/routes/logicRoute.js';
import { paged, pageOf, readPageRequest } from '../http/routes/paginate.js';
import { emptyToNull, represent, representUnlessCurrent } from '../http/routes/resource.js';
import { CreateDeployment, Deployment, UpdateDeployment } from './deployments.schema.js';
import { changeDeployment, createDeployment, deploymentNotFound, removeDeployment } from './deployments.service.js';
import { findDeployment, listDeployments, type DeploymentFields } from './deployments.store.js';
import type { Routing } from './routing.js';

/** The five operations on deployments. */
export function deploymentRoutes({ database, routing }: { database: Knex; routing: Routing }): LogicRoute[] {
  const path = '/logic/deployments';
  const onePath = '/logic/deployments/{id}';
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createDeployment',
      tag: 'Deployments',
      summary: 'Deploy a version and route all traffic of its decision and environment to it',
      scope: 'deployment:write',
      body: CreateDeployment,
      replies: { 201: Deployment },
      replyHeaders: ['ETag'],
      problems: ['reference_not_found'],
      async handle(request) {
        const writer = { database, routing, actor: actorOf(request) };
        return represent(201, await createDeployment(writer, request.workspaceId, newFields(request.body)));
      },
    }),
    logicRoute({
      method: 'GET',
      path,
      operationId: 'listDeployments',
      tag: 'Deployments',
      summary: 'List deployments',
      scope: 'deployments:read',
      ...paged,
      replies: { 200: pageOf(Deployment) },
      problems: [],
      async handle({ workspaceId, query }) {
        return { status: 200, body: await listDeployments(database, workspaceId, readPageRequest(query)) };
      },
    }),
    logicRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getDeployment',
      tag: 'Deployments',
      summary: 'Get a deployment',
      scope: 'deployment:read',
      params: IdParams,
      requestHeaders: ['If-None-Match'],
      replies: { 200: Deployment, 304: null },
      replyHeaders: ['ETag'],
      problems: ['deployment_not_found'],
      async handle({ workspaceId, params, header }) {
        const stored = await findDeployment(database, workspaceId, params.id);
        if (stored === undefined) throw deploymentNotFound(params.id);
        return representUnlessCurrent(header('If-None-Match'), stored);
      },
    }),
    logicRoute({
      method: 'PATCH',
      path: onePath,
      operationId: 'updateDeployment',
      tag: 'Deployments',
      summary: 'Update a deployment; routing stays as it is',
      scope: 'deployment:update',
      params: IdParams,
      body: UpdateDeployment,
      requestHeaders: ['If-Match'],
      replies: { 200: Deployment },
      replyHeaders: ['ETag'],
      problems: ['deployment_not_found', 'reference_not_found', 'precondition_failed'],
      async handle(request) {
        const place = { workspaceId: request.workspaceId, id: request.params.id };
        const change = { changes: changedFields(request.body), ifMatch: request.header('If-Match') };
        return represent(200, await changeDeployment({ database, actor: actorOf(request) }, place, change));
      },
    }),
    logicRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'deleteDeployment',
      tag: 'Deployments',
      summary: 'Delete a deployment; an older one of the same pair comes into force again',
      scope: 'deployment:delete',
      params: IdParams,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      problems: ['execution_history_exists', 'precondition_failed'],
      async handle(request) {
        const writer = { database, routing, actor: actorOf(request) };
        const place = { workspaceId: request.workspaceId, id: request.params.id };
        await removeDeployment(writer, place, request.header('If-Match'));
        return { status: 204 };
      },
    }),
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
