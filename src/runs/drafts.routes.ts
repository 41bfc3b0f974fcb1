import type { Configurations } from '../environments/configurations.js';
import { findKeyViolations } from '../decisions/keys.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { newId } from '../storage/ids.js';
import { draftProgram, type DraftReaders } from './draftProgram.js';
import { callsOut } from './evaluations.routes.js';
import { evaluationBody, stoppedProblem } from './responseBody.js';
import { runForRequest, taskOf, type RunDependencies } from './runOnThread.js';
import { DraftRequest, Evaluation } from './runs.schema.js';

interface DraftDependencies extends DraftReaders {
  readonly pool: RunDependencies['pool'];
  readonly sizes: RunDependencies['sizes'];
  readonly configurations: Configurations;
}

/** Runs a model that is not stored. */
export function draftRoutes(dependencies: DraftDependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/evaluations',
      operationId: 'evaluateDraft',
      tag: 'Runs',
      summary: 'Evaluate a draft, which is stored nowhere, with a trace',
      description: `Its sub-decisions are the workspace's working copies, seen from \`key\`. ${callsOut}`,
      scope: 'evaluation:write',
      body: DraftRequest,
      findBodyViolations: findKeyViolations,
      factAsText: true,
      modelBody: true,
      replies: { 201: Evaluation },
      problems: [
        'model_has_faults',
        'model_too_large',
        'selection_unknown',
        'engine_failure',
        'engine_timeout',
        'overloaded',
      ],
      async handle(request) {
        const { workspaceId, bodyText, reservation } = request;
        reservation.grow(dependencies.sizes.of(workspaceId));
        const { programId, bundle } = await draftProgram(dependencies, request, request.body.key);
        const configuration = await dependencies.configurations.ofEvaluations(workspaceId);
        const task = taskOf({ workspaceId, programId, configuration, body: bodyText, traced: true });
        const lacked = configuration === null ? { bundle } : { bundle, configuration: configuration.text };
        const reply = await runForRequest(dependencies, request, task, () => Promise.resolve(lacked));
        if (reply.kind === 'stopped') throw stoppedProblem(reply);
        return { status: 201, body: evaluationBody(newId(), reply) };
      },
    }),
  ];
}
