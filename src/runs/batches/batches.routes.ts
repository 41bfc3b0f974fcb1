import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { DeployedParams } from '../runs.schema.js';
import { executeBatch, type BatchDependencies } from './batches.js';
import { Batch, BatchItem, BatchItemAnswer, BatchQuery, BatchRequest, BatchSummary } from './batches.schema.js';
import Type from 'typebox';

/** Many executions for one request. */
export function batchRoutes(dependencies: BatchDependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/{environmentId}/decisions/{decisionId}/batches',
      operationId: 'executeBatch',
      tag: 'Runs',
      summary: 'Execute the deployed version on many facts',
      description:
        'As one JSON object of up to 1,000 items, or as `application/x-ndjson`: one item a line, any number of lines, ' +
        'answered line by line in order while the request is still coming in. The last line is the summary.',
      scope: 'execution:write',
      params: DeployedParams,
      query: BatchQuery,
      body: BatchRequest,
      itemsBody: 'items',
      fileBody: ['xlsx', 'csv'],
      fileReply: ['xlsx', 'csv'],
      lines: { body: BatchItem, reply: Type.Union([BatchItemAnswer, BatchSummary], { title: 'BatchAnswer' }) },
      requestHeaders: ['Idempotency-Key'],
      replies: { 200: Batch },
      problems: [
        'environment_not_found',
        'decision_not_found',
        'routing_not_found',
        'model_too_large',
        // Of the thread that reads a spreadsheet.
        'engine_failure',
        'engine_timeout',
      ],
      handle: (request) => executeBatch(dependencies, request),
    }),
  ];
}
