import type { Knex } from 'knex';
import { paged, pageOf, readPageRequest } from '../api/paginate.js';
import { principalRoute, type PrincipalRoute } from '../api/principalRoute.js';
import { Workspace } from './workspaces.schema.js';
import { listWorkspacesOf } from './workspaces.service.js';

/** What anybody with a token may ask. */
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
      ...paged,
      replies: { 200: pageOf(Workspace) },
      problems: ['overloaded'],
      async handle({ principal, query }) {
        return { status: 200, body: await listWorkspacesOf(database, principal, readPageRequest(query)) };
      },
    }),
  ];
}
