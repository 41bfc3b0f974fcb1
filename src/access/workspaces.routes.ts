import type { Knex } from 'knex';
import { PageQuery } from '../api/paginate.js';
import { principalRoute, type PrincipalRoute } from '../api/principalRoute.js';
import { listOf } from '../resource/lists.js';
import { Workspace } from './workspaces.schema.js';
import { listWorkspacesOf } from './workspaces.service.js';

const list = listOf(Workspace);

export function workspaceRoutes({ database }: { database: Knex }): PrincipalRoute[] {
  return [
    principalRoute({
      method: 'GET',
      path: '/logic/workspaces',
      operationId: 'listWorkspaces',
      tag: 'Workspaces',
      summary: 'List the workspaces that the token may be used in',
      description:
        'Of a client, those that it is granted; of an end user, those whose policies allow something. No scope.',
      query: PageQuery,
      ...list.declared,
      problems: ['overloaded'],
      handle: (request) => list.answer(request, (wanted) => listWorkspacesOf(database, request.principal, wanted)),
    }),
  ];
}
