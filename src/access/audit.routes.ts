import type { Knex } from 'knex';
import { parseTimestamp } from '../formats.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { paged, pageOf, pageText, readPageRequest } from '../api/paginate.js';
import { isUuid } from '../storage/ids.js';
import { AuditEntry, AuditQuery } from './audit.schema.js';
import { listAuditEntries } from '../audit/audit.store.js';

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
      ...paged,
      query: AuditQuery,
      replies: { 200: pageOf(AuditEntry) },
      problems: ['overloaded'],
      async handle({ workspaceId, query, reservation }) {
        const { from, to, resourceType, resourceId, principal, action } = query;
        const filter = {
          resourceType,
          resourceId: resourceId !== undefined && isUuid(resourceId) ? resourceId.toLowerCase() : resourceId,
          principal,
          action,
          from: from === undefined ? undefined : parseTimestamp(from),
          to: to === undefined ? undefined : parseTimestamp(to),
        };
        const page = await listAuditEntries(database, workspaceId, filter, readPageRequest(query, reservation));
        return { status: 200, body: pageText(page, ({ text }) => text) };
      },
    }),
  ];
}
