import { largeBody } from '../http/body/jsonText.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { execute, type ExecutionDependencies } from './execute.js';
import type { Scheduler } from '../admission/scheduler.js';
import { DeployedParams, Execution, ExecutionRequest } from './runs.schema.js';

/** Executes what is deployed. */
export function executionRoutes(
  dependencies: ExecutionDependencies & { readonly scheduler: Pick<Scheduler, 'noteLive'> },
): LogicRoute[] {
  const { scheduler } = dependencies;
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/{environmentId}/decisions/{decisionId}/executions',
      direct: true,
      operationId: 'execute',
      tag: 'Runs',
      summary: 'Execute the version that is deployed to the environment',
      scope: 'execution:write',
      params: DeployedParams,
      body: ExecutionRequest,
      factAsText: true,
      requestHeaders: ['Idempotency-Key', 'Execution-Reference'],
      replies: { 201: Execution },
      replyHeaders: ['Idempotency-Replayed'],
      problems: [
        'environment_not_found',
        'decision_not_found',
        'routing_not_found',
        'model_too_large',
        'idempotency_in_progress',
        'idempotency_key_reused',
        'record_erased',
        'selection_unknown',
        'engine_failure',
        'engine_timeout',
      ],
      async handle(request) {
        const { workspaceId, bodyText } = request;
        // Bulk work of others gives way to single executions, but not to large ones, which are bulk work too.
        if (bodyText.length >= largeBody) return execute(dependencies, request);
        scheduler.noteLive(workspaceId);
        try {
          return await execute(dependencies, request);
        } finally {
          scheduler.noteLive(workspaceId);
        }
      },
    }),
  ];
}
