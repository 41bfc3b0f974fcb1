import type { Knex } from 'knex';
import type { Static } from 'typebox';
import type { Route, Routing } from '../deployments/routing.js';
import type { Configurations } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import type { LogicRequest, Reply } from '../api/logicRoute.js';
import { readVisible } from '../api/visibleHeader.js';
import { idTime, newId } from '../storage/ids.js';
import { during } from '../tracing/requestTrace.js';
import { executeOnce } from './executeOnce.js';
import type { Answer, Claim, Idempotency } from './idempotency.js';
import { notFoundReason } from './notFoundReason.js';
import type { Recorded } from './liveRun.js';
import type { Recorder } from './recorder.js';
import type { ExecutionRecord } from './recorder/record.js';
import { executionBody, isWithheld, outcomeOf, stoppedProblem } from './responseBody.js';
import { runProgram, type Ran, type RunDependencies } from './runProgram.js';
import type { DeployedParams } from './runs.schema.js';

export interface ExecutionDependencies extends RunDependencies {
  readonly database: Knex;
  readonly routing: Routing;
  readonly configurations: Configurations;
  readonly recorder: Recorder;
  readonly idempotency: Idempotency;
  readonly shadows: Recorded;
}

type Deployments = Pick<ExecutionDependencies, 'database' | 'routing'>;
type Located = Pick<Request, 'workspaceId' | 'params'>;
type Params = Static<typeof DeployedParams>;

type Request = LogicRequest<Params, unknown, unknown> & { readonly reference: string | null };

/**
 * An execution from its checked request to its answer: admit, claim the idempotency key if there is one, find the
 * route, the configuration and the program, run it, record it, reply. Errors before the run mean that nothing was run.
 */
export function execute(
  dependencies: ExecutionDependencies,
  received: LogicRequest<Params, unknown, unknown>,
): Promise<Reply> {
  const reference = readVisible('Execution-Reference', received.header('Execution-Reference')) ?? null;
  // Not a spread, which takes microseconds here.
  const request: Request = Object.assign(received, { reference });
  admit(dependencies, request);
  const key = readVisible('Idempotency-Key', request.header('Idempotency-Key'));
  if (key === undefined) return executeDeployed(dependencies, request, undefined);
  return executeOnce(
    dependencies.idempotency,
    { ...identityOf(request), key },
    {
      execute: (claim) => executeDeployed(dependencies, request, claim),
      requireRoute: () => routeOf(dependencies, request),
    },
  );
}

/** Throws `dependency_unavailable` or `overloaded` where the record could not be written, or the result not be held. */
function admit({ recorder, sizes }: ExecutionDependencies, { workspaceId, reservation }: Request): void {
  recorder.admit();
  sizes.reserve(workspaceId, reservation);
}

const identityOf = ({ workspaceId, principal, path, bodyText }: Request) => ({
  workspaceId,
  principal: principal.name,
  path,
  body: bodyText,
});

async function executeDeployed(
  dependencies: ExecutionDependencies,
  request: Request,
  claim: Claim | undefined,
): Promise<Reply> {
  const route = await routeOf(dependencies, request);
  try {
    return await runAndRecord(dependencies, request, { claim, route });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'routing_not_found')) throw error;
    // The deployment was removed while it ran, or by another process just before: an older one may be in force.
    const { value } = await dependencies.routing.reread(pairOf(request));
    const older = await requireRoute(dependencies, request, value);
    return runAndRecord(dependencies, request, { claim, route: older, before: error });
  }
}

const pairOf = ({
  workspaceId,
  params: { environmentId, decisionId },
}: Located): Parameters<Routing['routeOf']>[0] => ({
  workspaceId,
  environmentId,
  decisionId,
});

/** What is executed: the newest deployment of the pair. Throws the 404 of what is absent. */
export async function routeOf(dependencies: Deployments, request: Located): Promise<Route> {
  const { value } = await dependencies.routing.routeOf(pairOf(request));
  return value ?? requireRoute(dependencies, request, null);
}

async function requireRoute({ database }: Deployments, request: Located, route: Route | null): Promise<Route> {
  if (route === null) throw await notFoundReason(database, pairOf(request));
  return route;
}

interface Circumstances {
  readonly claim: Claim | undefined;
  readonly route: Route;
  /** Why this is the second run: the first may have called hosts, so this one calls none, and fails so where it would. */
  readonly before?: Problem;
}

/** Throws `routing_not_found`, with nothing recorded, when the deployment is gone by the time of the record. */
async function runAndRecord(
  dependencies: ExecutionDependencies,
  request: Request,
  circumstances: Circumstances,
): Promise<Reply> {
  const { workspaceId, params, path, requestId, trace } = request;
  const { claim, route, before } = circumstances;
  const configuration = await dependencies.configurations.of(workspaceId, params.environmentId);
  const ran = await runProgram(dependencies, request, {
    decisionId: params.decisionId,
    version: route.version,
    traced: false,
    configuration,
    withoutHttp: before === undefined ? undefined : true,
    kept: true,
  });
  const { reply } = ran;
  if (before !== undefined && isWithheld(reply)) throw before;
  const record = recordOf(request, circumstances, ran);
  // The response is sent only once the record is durable.
  const commit = (answer: Answer): Promise<void> =>
    during(
      trace,
      'record.commit',
      dependencies.recorder.recordExecution(record, claim && ((transaction) => claim.settle(transaction, answer))),
    );

  if (reply.kind === 'done') {
    const body = executionBody(record, reply);
    await commit({ status: 201, body });
    dependencies.shadows.offer(record);
    return { status: 201, body };
  }
  const problem = stoppedProblem(reply, record.id);
  await commit({ status: problem.status, body: JSON.stringify(problem.body(path, requestId)) });
  dependencies.shadows.offer(record);
  throw problem;
}

/** What a record says of who asked for what. */
export type Asked = Pick<Request, 'workspaceId' | 'params' | 'requestId' | 'principal' | 'reference'>;

/** Written out, because a spread costs more than all other steps of an execution here. */
export function recordOf(
  { workspaceId, params, requestId, principal, reference }: Asked,
  { claim, route }: Pick<Circumstances, 'route'> & { readonly claim: Pick<Claim, 'executionId'> | undefined },
  { reply, circumstances }: Ran,
): ExecutionRecord {
  const { status, fact, result, error, trace, engineUs } = outcomeOf(reply);
  const id = claim?.executionId ?? newId();
  return {
    id,
    status,
    fact,
    result,
    error,
    trace,
    engineUs,
    workspaceId,
    environmentId: params.environmentId,
    deploymentId: route.deploymentId,
    decisionId: params.decisionId,
    version: route.version,
    requestId,
    principal: principal.name,
    // The time within the id, because history filters time by id; a claimed id is as old as its request.
    createdAt: idTime(id),
    reference,
    circumstances,
  };
}
