import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { deleteRoute, emptyToNull, getRoute, listRoute, patchRoute, represent } from '../api/resource.js';
import type { Routing } from '../deployments/routing.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import { changeEnvironment, createEnvironment, removeEnvironment } from './environments.service.js';
import { environments, type EnvironmentFields } from './environments.store.js';

const path = '/logic/environments';
const onePath = '/logic/environments/{id}';
const tag = 'Environments';

/** The five operations on environments. */
export function environmentRoutes({ database, routing }: { database: Knex; routing: Routing }): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createEnvironment',
      tag,
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
      { path, operationId: 'listEnvironments', tag, summary: 'List environments', scope: 'environments:read' },
      Environment,
      (workspaceId, request) => environments.list(database, workspaceId, request),
    ),
    getRoute(
      { path: onePath, operationId: 'getEnvironment', tag, summary: 'Get an environment', scope: 'environment:read' },
      { schema: Environment, problem: 'environment_not_found' },
      (ref) => environments.require(database, ref),
    ),
    patchRoute(
      {
        path: onePath,
        operationId: 'updateEnvironment',
        tag,
        summary: 'Update an environment',
        scope: 'environment:update',
      },
      { body: UpdateEnvironment, reply: Environment, problems: ['environment_not_found'] },
      ({ body, ...change }) => changeEnvironment(database, { ...change, fields: changedFields(body) }),
    ),
    deleteRoute(
      {
        path: onePath,
        operationId: 'deleteEnvironment',
        tag,
        summary: 'Delete an environment with its deployments',
        scope: 'environment:delete',
      },
      ['execution_history_exists', 'approval_required'],
      (deletion) => removeEnvironment({ database, routing }, deletion),
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
