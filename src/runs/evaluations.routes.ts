import type { Programs } from '../decisions/programs.js';
import { logicRoute, type LogicRoute } from '../http/logicRoute.js';
import type { Pool } from '../pool/pool.js';
import { newId } from '../storage/ids.js';
import type { Recorder } from './recorder.js';
import { evaluationBody, outcomeOf, stoppedProblem } from './responseBody.js';
import { runProgram } from './runProgram.js';
import { DecisionParams, Evaluation, EvaluationRequest } from './runs.schema.js';

/** Runs exactly the version asked for, without an environment, and always with a trace. */
export function evaluationRoutes({
  programs,
  pool,
  recorder,
}: {
  programs: Programs;
  pool: Pool;
  recorder: Recorder;
}): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/decisions/{decisionId}/evaluations',
      operationId: 'evaluate',
      tag: 'Runs',
      summary: 'Evaluate a saved version, or the working copy, with a trace',
      scope: 'evaluation:write',
      params: DecisionParams,
      body: EvaluationRequest,
      replies: { 201: Evaluation },
      problems: ['decision_not_found', 'version_not_found', 'engine_failure', 'engine_timeout', 'overloaded'],
      async handle({
        workspaceId,
        params: { decisionId },
        body: { version },
        bodyText,
        requestId,
        principal,
        gone,
        trace,
      }) {
        const reply = await runProgram(
          { programs, pool },
          { workspaceId, decisionId, version, bodyText, gone, trace, traced: true, configuration: null },
        );
        const id = newId();
        const { status, fact, result, error, engineUs } = outcomeOf(reply);
        recorder.recordEvaluation({
          id,
          status,
          fact,
          result,
          error,
          engineUs,
          workspaceId,
          decisionId,
          version,
          requestId,
          principal: principal.name,
          createdAt: new Date(),
        });
        if (reply.kind === 'stopped') throw stoppedProblem(reply);
        return { status: 201, body: evaluationBody(id, reply) };
      },
    }),
  ];
}
