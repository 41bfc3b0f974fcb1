import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { IdParams } from '../http/fields.js';
import { logicRoute, type LogicRoute } from '../http/logicRoute.js';
import { paged, pageOf, readPageRequest } from '../http/paginate.js';
import { requireMatch } from '../http/preconditions.js';
import { emptyToNull, represent, representUnlessCurrent } from '../http/resource.js';
import type { Routing } from '../deployments/routing.js';
import { inTransaction } from '../storage/database.js';
import { refuseWithHistory } from '../storage/foreignKeys.js';
import type { RevisedResource } from '../storage/revisions.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import {
  deleteEnvironment,
  findEnvironment,
  insertEnvironment,
  listEnvironments,
  updateEnvironment,
  type EnvironmentFields,
} from './environments.store.js';

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
      async handle({ workspaceId, body }) {
        const { name, description, color = randomColor() } = body;
        const fields = { name: name.trim(), description: emptyToNull(description ?? null), color };
        return represent(201, await insertEnvironment(database, workspaceId, fields));
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
        const stored = existing(await findEnvironment(database, workspaceId, params.id), params.id);
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
      async handle({ workspaceId, params: { id }, body, header }) {
        return inTransaction(database, async (transaction) => {
          const present = existing(await findEnvironment(transaction, workspaceId, id, true), id);
          requireMatch(header('If-Match'), present.revision);
          await updateEnvironment(transaction, workspaceId, id, changedFields(body));
          return represent(200, existing(await findEnvironment(transaction, workspaceId, id), id));
        });
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
      async handle({ workspaceId, params: { id }, header }) {
        const changes = await inTransaction(database, async (transaction) => {
          const present = await findEnvironment(transaction, workspaceId, id, true);
          if (present === undefined) return [];
          requireMatch(header('If-Match'), present.revision);
          const moved = await routing.moveAllOf(transaction, workspaceId, id);
          await deleteEnvironment(transaction, workspaceId, id).catch(refuseWithHistory('environment'));
          return moved;
        });
        await routing.announce(changes);
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

function existing(stored: RevisedResource<Environment> | undefined, id: string): RevisedResource<Environment> {
  if (stored === undefined)
    throw new Problem('environment_not_found', `There is no environment ${id} in this workspace.`);
  return stored;
}
