import type { Configurations } from '../environments/configurations.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { newId } from '../storage/ids.js';
import { textBytes } from '../admission/byteBudget.js';
import type { Recorder } from './recorder.js';
import { evaluationBody, outcomeOf, stoppedProblem } from './responseBody.js';
import { fetchFor, runForRequest, taskOf, type RunDependencies } from './runOnThread.js';
import { DecisionParams, Evaluation, EvaluationRequest } from './runs.schema.js';

/** Of evaluations and drafts. */
export const callsOut =
  '`$env` is empty. Function nodes may call the hosts of `/logic/evaluation-hosts`, so an evaluation may have effects elsewhere.';

interface Dependencies extends RunDependencies {
  readonly configurations: Configurations;
  readonly recorder: Recorder;
}

/** Runs exactly the version asked for, without an environment, and always with a trace. */
export function evaluationRoutes(dependencies: Dependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/decisions/{decisionId}/evaluations',
      direct: true,
      operationId: 'evaluate',
      tag: 'Runs',
      summary: 'Evaluate a saved version, or the working copy, with a trace',
      description: callsOut,
      scope: 'evaluation:write',
      params: DecisionParams,
      body: EvaluationRequest,
      factAsText: true,
      replies: { 201: Evaluation },
      problems: [
        'decision_not_found',
        'version_not_found',
        'model_too_large',
        'selection_unknown',
        'engine_failure',
        'engine_timeout',
      ],
      async handle(request) {
        const { programs } = dependencies;
        const { workspaceId, principal, requestId, reservation } = request;
        const { decisionId } = request.params;
        const { version } = request.body;
        // Versions stay cached after their decision is deleted.
        if (version > 0) await programs.requireDecision(workspaceId, decisionId);
        reservation.grow(dependencies.sizes.of(workspaceId));
        const configuration = await dependencies.configurations.ofEvaluations(workspaceId);
        const { programId } = await programs.programOf(workspaceId, decisionId, version);
        const run = { workspaceId, programId, configuration, body: request.bodyText, traced: true };
        const reply = await runForRequest(dependencies, request, taskOf(run), fetchFor(programs, run));
        const { status, fact, result, error, engineUs } = outcomeOf(reply);
        const id = newId();
        const record = {
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
        };
        // The record may wait for longer than the response takes.
        const kept = reservation.split(textBytes(result) + textBytes(fact ?? ''));
        void dependencies.recorder.recordEvaluation(record).then(() => kept.release());
        if (reply.kind === 'stopped') throw stoppedProblem(reply);
        return { status: 201, body: evaluationBody(id, reply) };
      },
    }),
  ];
}
