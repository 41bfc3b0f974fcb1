import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { IdParams } from '../http/routes/fields.js';
import { parseTimestamp } from '../http/routes/formats.js';
import { logicRoute, type LogicRoute } from '../http/routes/logicRoute.js';
import { paged, pageOf, readPageRequest } from '../http/routes/paginate.js';
import { entityTag, isCurrent } from '../http/routes/preconditions.js';
import { ExecutionSummary, HistoryQuery, RecordedExecution } from './history.schema.js';
import { findWholeExecution, pageOfExecutions, type HistoryFilter } from './history.store.js';
import { recordText, summaryText } from './responseBody.js';

/** Records never change. */
const revision = 1;

/** What was executed, as it was recorded. */
export function historyRoutes({ database }: { database: Knex }): LogicRoute[] {
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/executions',
      operationId: 'listExecutions',
      tag: 'History',
      summary: 'List recorded executions, without fact, result and trace',
      description: 'Filters can be combined. The total is not counted.',
      scope: 'executions:read',
      ...paged,
      query: HistoryQuery,
      replies: { 200: pageOf(ExecutionSummary, false) },
      problems: ['overloaded'],
      async handle({ workspaceId, query }) {
        const found = await pageOfExecutions(database, workspaceId, filterOf(query), readPageRequest(query));
        const data = found.data.map(summaryText).join(',');
        return { status: 200, body: `{"data":[${data}],"page":${JSON.stringify(found.page)}}` };
      },
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/executions/{id}',
      operationId: 'getExecution',
      tag: 'History',
      summary: 'Get all that is recorded of an execution',
      scope: 'execution:read',
      params: IdParams,
      requestHeaders: ['If-None-Match'],
      replies: { 200: RecordedExecution, 304: null },
      replyHeaders: ['ETag'],
      problems: ['execution_not_found', 'overloaded'],
      async handle({ workspaceId, params: { id }, header }) {
        const found = await findWholeExecution(database, workspaceId, id);
        if (found === undefined) {
          throw new Problem('execution_not_found', `There is no execution ${id} in this workspace.`);
        }
        const headers = { ETag: entityTag(revision) };
        if (isCurrent(header('If-None-Match'), revision)) return { status: 304, headers };
        return { status: 200, body: recordText(found), headers };
      },
    }),
  ];
}

function filterOf(query: HistoryQuery): HistoryFilter {
  const { environmentId, decisionId, deploymentId, version, status, reference, requestId, from, to } = query;
  return {
    environmentId,
    decisionId,
    deploymentId,
    version: version === undefined ? undefined : Number(version),
    status,
    reference,
    requestId,
    from: from === undefined ? undefined : parseTimestamp(from),
    to: to === undefined ? undefined : parseTimestamp(to),
  };
}
