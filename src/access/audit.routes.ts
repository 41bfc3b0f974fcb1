import type { Knex } from 'knex';
import { parseTimestamp } from '../formats.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { listOf } from '../resource/lists.js';
import { isUuid } from '../storage/ids.js';
import type { PageRequest } from '../storage/pages.js';
import { AuditEntry, AuditQuery } from './audit.schema.js';
import { namesIn } from '../workspaces/names.store.js';
import { resourcesAbout } from '../audit/filter.js';
import { listAuditEntries } from '../audit/audit.store.js';

const list = listOf(AuditEntry);

/** The only operation on audit entries, which are written with the changes that they describe. */
export function auditRoutes({ database }: { database: Knex }): LogicRoute[] {
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/audit-entries',
      operationId: 'listAuditEntries',
      tag: 'Audit',
      summary: 'List who changed what in the workspace',
      scope: 'audit:read',
      query: AuditQuery,
      ...list.declared,
      problems: ['overloaded'],
      async handle(request) {
        const { workspaceId, query } = request;
        const { from, to, resourceType, resourceId, about, principal, action } = query;
        const filter = {
          resourceType,
          resourceId: resourceId !== undefined && isUuid(resourceId) ? resourceId.toLowerCase() : resourceId,
          about: about === undefined ? undefined : await resourcesAbout(database, workspaceId, about.toLowerCase()),
          principal,
          action,
          from: from === undefined ? undefined : parseTimestamp(from),
          to: to === undefined ? undefined : parseTimestamp(to),
        };
        const read = (wanted: PageRequest) => listAuditEntries(database, workspaceId, filter, wanted);
        return list.answer(request, read, ({ text }) => text, namesIn(database, workspaceId));
      },
    }),
  ];
}
