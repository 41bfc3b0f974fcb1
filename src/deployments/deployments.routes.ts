import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { IdParams } from '../http/fields.js';
import { logicRoute, type LogicRoute } from '../http/logicRoute.js';
import { paged, pageOf, readPageRequest } from '../http/paginate.js';
import { requireMatch } from '../http/preconditions.js';
import { emptyToNull, represent, representUnlessCurrent } from '../http/resource.js';
import { inTransaction } from '../storage/database.js';
import { refuseWithHistory } from '../storage/foreignKeys.js';
import type { RevisedResource } from '../storage/revisions.js';
import { CreateDeployment, Deployment, UpdateDeployment } from './deployments.schema.js';
import {
  deleteDeployment,
  findDeployment,
  insertDeployment,
  listDeployments,
  updateDeployment,
  type DeploymentFields,
} from './deployments.store.js';
import { holdDeployment, requireReferences } from './references.js';
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
      async handle({ workspaceId, body }) {
        const fields = newFields(body);
        const { stored, move } = await inTransaction(database, async (transaction) => {
          await requireReferences(transaction, workspaceId, fields);
          const stored = await insertDeployment(transaction, workspaceId, fields);
          const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
          const move = await routing.add(transaction, pair, {
            deploymentId: stored.resource.id,
            version: fields.version,
          });
          return { stored, move };
        });
        await routing.announce([move]);
        return represent(201, stored);
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
        const stored = existing(await findDeployment(database, workspaceId, params.id), params.id);
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
      async handle({ workspaceId, params: { id }, body, header }) {
        return inTransaction(database, async (transaction) => {
          const present = existing(await holdDeployment(transaction, workspaceId, id, body.environmentId), id);
          requireMatch(header('If-Match'), present.revision);
          const fields = changedFields(present.resource, body);
          await requireReferences(transaction, workspaceId, fields);
          await updateDeployment(transaction, workspaceId, id, fields);
          return represent(200, existing(await findDeployment(transaction, workspaceId, id), id));
        });
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
      async handle({ workspaceId, params: { id }, header }) {
        const moves = await inTransaction(database, async (transaction) => {
          const present = await holdDeployment(transaction, workspaceId, id);
          if (present === undefined) return [];
          requireMatch(header('If-Match'), present.revision);
          const moved = await routing.moveDeployment(transaction, workspaceId, id);
          await deleteDeployment(transaction, workspaceId, id).catch(refuseWithHistory('deployment'));
          return moved;
        });
        await routing.announce(moves);
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

const changedFields = (present: Deployment, body: UpdateDeployment): DeploymentFields => ({
  decisionId: body.decisionId?.toLowerCase() ?? present.decisionId,
  version: body.version === undefined ? present.version : (body.version ?? 0),
  environmentId: body.environmentId?.toLowerCase() ?? present.environmentId,
  name: body.name?.trim() ?? present.name,
  message: body.message === undefined ? present.message : emptyToNull(body.message),
  deployedBy: body.deployedBy?.trim() ?? present.deployedBy,
});

function existing(stored: RevisedResource<Deployment> | undefined, id: string): RevisedResource<Deployment> {
  if (stored === undefined)
    throw new Problem('deployment_not_found', `There is no deployment ${id} in this workspace.`);
  return stored;
}
