import type { RunDone, RunStopped } from '../../workers/protocol.js';
import type { BroughtProgram } from '../decisions/programs/broughtProgram.js';
import type { Configurations } from '../environments/configurations.js';
import { logicRoute, type LogicRequest, type LogicRoute } from '../api/logicRoute.js';
import type { Pool } from '../pool/pool.js';
import { newId } from '../storage/ids.js';
import { draftKey, draftProgram, type DraftReaders } from './draftProgram.js';
import { callsOut } from './evaluations.routes.js';
import { evaluationBody, stoppedProblem } from './responseBody.js';
import type { ResultSizes } from './resultSizes.js';
import { randomSeed } from './runProgram.js';
import { DraftRequest, Evaluation } from './runs.schema.js';

export interface DraftDependencies extends DraftReaders {
  readonly pool: DraftReaders['pool'] & Pick<Pool, 'run'>;
  readonly sizes: ResultSizes;
  readonly configurations: Configurations;
}

type Request = LogicRequest<unknown, unknown, unknown>;

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
      factAsText: true,
      replies: { 201: Evaluation },
      problems: ['model_has_faults', 'model_too_large', 'engine_failure', 'engine_timeout', 'overloaded'],
      async handle(request) {
        const key = draftKey(request.body.key);
        dependencies.sizes.reserve(request.workspaceId, request.reservation);
        const program = await draftProgram(dependencies, request, key);
        const reply = await run(dependencies, request, program);
        if (reply.kind === 'stopped') throw stoppedProblem(reply);
        return { status: 201, body: evaluationBody(newId(), reply) };
      },
    }),
  ];
}

async function run(
  { pool, sizes, configurations }: DraftDependencies,
  { workspaceId, bodyText, gone, trace, reservation }: Request,
  { programId, bundle }: BroughtProgram,
): Promise<RunDone | RunStopped> {
  const configuration = await configurations.ofEvaluations(workspaceId);
  const reply = await pool.run(
    workspaceId,
    {
      programId,
      workspaceId,
      configurationId: configuration?.id ?? '',
      body: bodyText,
      traced: true,
      clock: Date.now(),
      seed: randomSeed(),
    },
    {
      gone: () => gone() || reservation.isAboveShare,
      trace,
      provide: () =>
        Promise.resolve({ bundle, ...(configuration === null ? {} : { configuration: configuration.text }) }),
    },
  );
  sizes.settle(workspaceId, reservation, { bodyText, reply });
  return reply;
}
