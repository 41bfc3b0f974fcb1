import type { Knex } from 'knex';
import Type from 'typebox';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { exampleIds, Principal } from '../api/fields.js';
import { PageQuery } from '../api/paginate.js';
import { principalRoute, type PrincipalRoute } from '../api/principalRoute.js';
import { listOf } from '../resource/lists.js';
import { pageOfNames } from '../workspaces/names.store.js';
import { Workspace } from './workspaces.schema.js';
import { listWorkspacesOf } from './workspaces.service.js';

const NamedPrincipal = Type.Object(
  { principal: Principal('`client:<id>`, as records name it'), name: Type.String() },
  {
    title: 'NamedPrincipal',
    examples: [{ principal: `client:${exampleIds.deployment}`, name: 'Anna Approver' }],
  },
);

const list = listOf(NamedPrincipal);
const enterable = listOf(Workspace);

/** Who is meant where a version, a request, a record or an entry names a principal: names, and nothing else of clients. */
export const principalRoutes = ({ database }: { readonly database: Knex }): LogicRoute[] => [
  logicRoute({
    method: 'GET',
    path: '/logic/principals',
    operationId: 'listPrincipals',
    tag: 'Access',
    summary: 'List what the clients are called that may enter the workspace, the disabled ones too',
    description:
      'For whoever may read what names them: versions, change requests, executions, the audit trail, erasures.',
    scope: 'decision:read',
    orScopes: ['change:read', 'executions:read', 'execution:read', 'audit:read', 'erasure:read'],
    query: PageQuery,
    ...list.declared,
    problems: ['overloaded'],
    handle: (request) => list.answer(request, (wanted) => pageOfNames(database, request.workspaceId, wanted)),
  }),
];

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
      ...enterable.declared,
      problems: ['overloaded'],
      handle: (request) => enterable.answer(request, (wanted) => listWorkspacesOf(database, request.principal, wanted)),
    }),
  ];
}
