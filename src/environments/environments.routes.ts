import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { deleteRoute, emptyToNull, getRoute, listRoute, placeOf, represent } from '../api/resource.js';
import type { Routing } from '../deployments/routing.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import { changeEnvironment, createEnvironment, removeEnvironment } from './environments.service.js';
import { environments, type EnvironmentFields } from './environments.store.js';

/** The five operations on environments. */
export function environmentRoutes({ database, routing }: { database: Knex; routing: Routing }): LogicRoute[] {
  const path = '/logic/environments';
  const onePath = '/logic/environments/{id}';
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createEnvironment',
      tag: 'Environments',
      summary: 'Create an environment',
      scope: 'environment:write',
      body: CreateEnvironment,
      replies: { 201: Environment },
      replyHeaders: ['ETag'],
      problems: [],
      async handle(request) {
        const { name, description, color = randomColor() } = request.body;
        const fields = { name: name.trim(), description: emptyToNull(description ?? null), color };
        const writer = { database, actor: actorOf(request) };
        return represent(201, await createEnvironment(writer, request.workspaceId, fields));
      },
    }),
    listRoute(
      {
        path,
        operationId: 'listEnvironments',
        tag: 'Environments',
        summary: 'List environments',
        scope: 'environments:read',
      },
      Environment,
      (workspaceId, request) => environments.list(database, workspaceId, request),
    ),
    getRoute(
      {
        path: onePath,
        operationId: 'getEnvironment',
        tag: 'Environments',
        summary: 'Get an environment',
        scope: 'environment:read',
      },
      { schema: Environment, problem: 'environment_not_found' },
      (place) => environments.require(database, place),
    ),
    logicRoute({
      method: 'PATCH',
      path: onePath,
      operationId: 'updateEnvironment',
      tag: 'Environments',
      summary: 'Update an environment',
      scope: 'environment:update',
      params: IdParams,
      body: UpdateEnvironment,
      requestHeaders: ['If-Match'],
      replies: { 200: Environment },
      replyHeaders: ['ETag'],
      problems: ['environment_not_found', 'precondition_failed'],
      async handle(request) {
        const change = { fields: changedFields(request.body), ifMatch: request.header('If-Match') };
        return represent(200, await changeEnvironment({ database, actor: actorOf(request) }, placeOf(request), change));
      },
    }),
    deleteRoute(
      {
        path: onePath,
        operationId: 'deleteEnvironment',
        tag: 'Environments',
        summary: 'Delete an environment with its deployments',
        scope: 'environment:delete',
      },
      ['execution_history_exists', 'approval_required'],
      (removal) => removeEnvironment({ database, routing }, removal),
    ),
  ];
}

const randomColor = (): string => palette[Math.floor(Math.random() * palette.length)] ?? palette[0];

function changedFields({ name, description, color }: UpdateEnvironment): Partial<EnvironmentFields> {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(description === undefined ? {} : { description: emptyToNull(description) }),
    ...(color === undefined ? {} : { color }),
  };
}
