import type { Knex } from 'knex';
import { actorOf } from '../audit/actor.js';
import { IdParams } from '../http/routes/fields.js';
import { logicRoute, type LogicRoute } from '../http/routes/logicRoute.js';
import { paged, pageOf, readPageRequest } from '../http/routes/paginate.js';
import { emptyToNull, represent, representUnlessCurrent } from '../http/routes/resource.js';
import type { Routing } from '../deployments/routing.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import {
  changeEnvironment,
  createEnvironment,
  environmentNotFound,
  removeEnvironment,
} from './environments.service.js';
import { findEnvironment, listEnvironments, type EnvironmentFields } from './environments.store.js';

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
    logicRoute({
      method: 'GET',
      path,
      operationId: 'listEnvironments',
      tag: 'Environments',
      summary: 'List environments',
      scope: 'environments:read',
      ...paged,
      replies: { 200: pageOf(Environment) },
      problems: [],
      async handle({ workspaceId, query }) {
        return { status: 200, body: await listEnvironments(database, workspaceId, readPageRequest(query)) };
      },
    }),
    logicRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getEnvironment',
      tag: 'Environments',
      summary: 'Get an environment',
      scope: 'environment:read',
      params: IdParams,
      requestHeaders: ['If-None-Match'],
      replies: { 200: Environment, 304: null },
      replyHeaders: ['ETag'],
      problems: ['environment_not_found'],
      async handle({ workspaceId, params, header }) {
        const stored = await findEnvironment(database, workspaceId, params.id);
        if (stored === undefined) throw environmentNotFound(params.id);
        return representUnlessCurrent(header('If-None-Match'), stored);
      },
    }),
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
        const place = { workspaceId: request.workspaceId, id: request.params.id };
        const change = { fields: changedFields(request.body), ifMatch: request.header('If-Match') };
        return represent(200, await changeEnvironment({ database, actor: actorOf(request) }, place, change));
      },
    }),
    logicRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'deleteEnvironment',
      tag: 'Environments',
      summary: 'Delete an environment with its deployments',
      scope: 'environment:delete',
      params: IdParams,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      problems: ['execution_history_exists', 'precondition_failed'],
      async handle(request) {
        const writer = { database, routing, actor: actorOf(request) };
        const place = { workspaceId: request.workspaceId, id: request.params.id };
        await removeEnvironment(writer, place, request.header('If-Match'));
        return { status: 204 };
      },
    }),
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
