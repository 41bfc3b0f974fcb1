import type { Knex } from 'knex';
import type { Programs } from '../decisions/programs.js';
import type { Route, Routing } from '../deployments/routing.js';
import type { Configurations } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import { logicRoute, type LogicRoute, type Reply } from '../http/logicRoute.js';
import type { Pool } from '../pool/pool.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import { during, type RequestTrace } from '../tracing/requestTrace.js';
import { notFoundReason } from './notFoundReason.js';
import {
  readIdempotencyKey,
  type Answer,
  type Claim,
  type Idempotency,
  type IdempotentRequest,
} from './idempotency.js';
import type { Recorder } from './recorder.js';
import { executionBody, outcomeOf, stoppedProblem } from './responseBody.js';
import { runProgram } from './runProgram.js';
import { DeployedParams, Execution, ExecutionRequest } from './runs.schema.js';

export interface ExecutionDependencies {
  readonly database: Knex;
  readonly routing: Routing;
  readonly programs: Programs;
  readonly configurations: Configurations;
  readonly pool: Pool;
  readonly recorder: Recorder;
  readonly idempotency: Idempotency;
}

/** One execution on its way: who asks, and for what. */
interface Request {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly bodyText: string;
  readonly requestId: string;
  readonly principal: string;
  readonly path: string;
  readonly gone: () => boolean;
  readonly trace: RequestTrace | undefined;
}

/** The operation that everything else exists for. */
export function executionRoutes(dependencies: ExecutionDependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/{environmentId}/decisions/{decisionId}/executions',
      operationId: 'execute',
      tag: 'Runs',
      summary: 'Execute the version that is deployed to the environment',
      scope: 'execution:write',
      params: DeployedParams,
      body: ExecutionRequest,
      requestHeaders: ['Idempotency-Key'],
      replies: { 201: Execution },
      replyHeaders: ['Idempotency-Replayed'],
      problems: [
        'environment_not_found',
        'decision_not_found',
        'routing_not_found',
        'idempotency_in_progress',
        'idempotency_key_reused',
        'engine_failure',
        'engine_timeout',
        'overloaded',
      ],
      async handle({ workspaceId, params, bodyText, requestId, principal, path, header, gone, trace }) {
        dependencies.recorder.admit();
        const { environmentId, decisionId } = params;
        const request: Request = {
          workspaceId,
          environmentId,
          decisionId,
          bodyText,
          requestId,
          principal: principal.name,
          path,
          gone,
          trace,
        };
        const key = readIdempotencyKey(header('Idempotency-Key'));
        if (key === undefined) return execute(dependencies, request, undefined);
        return executeOnce(dependencies, request, {
          workspaceId,
          principal: principal.name,
          key,
          path,
          body: bodyText,
        });
      },
    }),
  ];
}

const replayed = ({ status, body }: Answer): Reply => ({
  status,
  body,
  headers: {
    'Idempotency-Replayed': 'true',
    ...(status >= 400 ? { 'Content-Type': 'application/problem+json' } : {}),
  },
});

async function executeOnce(
  dependencies: ExecutionDependencies,
  request: Request,
  once: IdempotentRequest,
): Promise<Reply> {
  const begun = await begin(dependencies, request, once);
  if ('replay' in begun) return replayed(begun.replay);
  const { claim } = begun;
  try {
    return await execute(dependencies, request, claim);
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.duplicateKey) return answerOfAnother(dependencies, once, error);
    if (!isRecorded(error)) await giveBack(claim, error);
    throw error;
  }
}

/** What is absent (404) is found before a key that was used for another request (422): contract.md, section 1. */
async function begin(
  dependencies: ExecutionDependencies,
  request: Request,
  once: IdempotentRequest,
): ReturnType<Idempotency['begin']> {
  try {
    return await dependencies.idempotency.begin(once);
  } catch (error) {
    if (error instanceof Problem && error.code === 'idempotency_key_reused') await routeOf(dependencies, request);
    throw error;
  }
}

/** The lease passed while this process stood still; another one ran the request meanwhile, and its answer counts. */
async function answerOfAnother(
  { idempotency }: ExecutionDependencies,
  once: IdempotentRequest,
  error: unknown,
): Promise<Reply> {
  const again = await idempotency.begin(once);
  if ('replay' in again) return replayed(again.replay);
  await again.claim.release();
  throw error;
}

const isRecorded = (error: unknown): boolean =>
  error instanceof Problem && error.options.extensions?.executionId !== undefined;

/** A run that left no record leaves the key free, so that a repeat runs. While MySQL is away nobody waits for that. */
async function giveBack(claim: Claim, error: unknown): Promise<void> {
  const released = claim.release();
  if (!isConnectionLoss(error) && !(error instanceof Problem && error.code === 'dependency_unavailable'))
    await released;
}

async function execute(
  dependencies: ExecutionDependencies,
  request: Request,
  claim: Claim | undefined,
): Promise<Reply> {
  const route = await routeOf(dependencies, request);
  try {
    return await executeOn(dependencies, request, claim, route);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'routing_not_found')) throw error;
    // Removed while it ran, or through another process so lately that this one had not heard: an older one may be in force.
    const { value } = await dependencies.routing.reread(request);
    return executeOn(dependencies, request, claim, await requireRoute(dependencies, request, value));
  }
}

/** Throws `routing_not_found`, with nothing recorded, when the deployment is gone by the time of the record. */
async function executeOn(
  dependencies: ExecutionDependencies,
  request: Request,
  claim: Claim | undefined,
  { deploymentId, version }: Route,
): Promise<Reply> {
  const { workspaceId, environmentId, decisionId, bodyText, requestId, principal, gone } = request;
  const configuration = await dependencies.configurations.of(workspaceId, environmentId);
  const reply = await runProgram(dependencies, {
    workspaceId,
    decisionId,
    version,
    bodyText,
    gone,
    trace: request.trace,
    traced: false,
    configuration,
  });
  const { status, fact, result, error, trace, engineUs } = outcomeOf(reply);
  // Written out: a spread costs more than all the rest of this function.
  const record = {
    id: claim?.executionId ?? newId(),
    status,
    fact,
    result,
    error,
    trace,
    engineUs,
    workspaceId,
    environmentId,
    deploymentId,
    decisionId,
    version,
    requestId,
    principal,
    createdAt: new Date(),
  };
  // The answer stands once the record does, and not before.
  const commit = (answer: Answer): Promise<void> =>
    during(
      request.trace,
      'record.commit',
      dependencies.recorder.recordExecution(record, claim && ((transaction) => claim.settle(transaction, answer))),
    );

  if (reply.kind === 'done') {
    const body = executionBody(record, reply);
    await commit({ status: 201, body });
    return { status: 201, body };
  }
  const problem = stoppedProblem(reply, record.id);
  await commit({ status: problem.status, body: JSON.stringify(problem.body(request.path, requestId)) });
  throw problem;
}

async function routeOf(dependencies: ExecutionDependencies, request: Request): Promise<Route> {
  const { value } = await dependencies.routing.routeOf(request);
  return value ?? requireRoute(dependencies, request, null);
}

async function requireRoute(
  { database }: ExecutionDependencies,
  request: Request,
  route: Route | null,
): Promise<Route> {
  if (route === null) throw await notFoundReason(database, request);
  return route;
}
