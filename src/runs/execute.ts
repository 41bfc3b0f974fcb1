import type { Knex } from 'knex';
import type { Static } from 'typebox';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import type { Pair, Route, RouteInForce, Routing } from '../deployments/routing.js';
import type { Configurations, LoadedConfiguration } from '../environments/configurations.js';
import { Problem, type ProblemCode } from '../errors.js';
import type { LogicRequest } from '../api/logicRoute.js';
import type { Reply } from '../http/server/response.js';
import { readVisible } from '../http/server/context.js';
import { ChangedMeanwhile } from '../storage/mysqlErrors.js';
import { during } from '../tracing/requestTrace.js';
import type { Answer, Begun, Claim, Idempotency } from './idempotency.js';
import { notFoundReason } from './notFoundReason.js';
import type { MeasuredFields } from './liveExecution.js';
import type { Recorder } from './recorder.js';
import type { ExecutionRecord } from './recorder/record.js';
import { executionBody, isWithheld, recordOf, stoppedProblem } from './responseBody.js';
import { fetchFor, resultOf, runForRequest, taskOf, type RunDependencies } from './runOnThread.js';
import type { DeployedParams } from './runs.schema.js';

export interface ExecutionDependencies extends RunDependencies {
  readonly database: Knex;
  readonly routing: Routing;
  readonly configurations: Configurations;
  readonly recorder: Recorder;
  readonly idempotency: Idempotency;
  readonly measures: MeasuredFields;
}

type Request = LogicRequest<Static<typeof DeployedParams>, unknown, unknown>;

/** What is in force and runs, for a request or for all items of a batch. */
export interface Deployed {
  readonly route: Route;
  readonly configuration: LoadedConfiguration | null;
  readonly programId: string;
}

/** An execution that has run. */
interface Executed {
  readonly reply: RunDone | RunStopped;
  readonly record: ExecutionRecord;
  readonly answer: Answer;
  /** Where a limit stopped the run: `answer` has its text. */
  readonly problem: Problem | undefined;
}

/**
 * An execution from its checked request to its answer: admit, claim the key, find what is deployed, run, record, reply.
 * What is thrown before the run means that nothing was run.
 */
export async function execute(dependencies: ExecutionDependencies, request: Request): Promise<Reply> {
  const reference = readVisible('Execution-Reference', request.header('Execution-Reference')) ?? null;
  admit(dependencies, request);
  const begun = await claimKey(dependencies, request);
  if (begun !== undefined && 'replay' in begun) return repeated(begun.replay);
  const claim = begun?.claim;
  const ran: Executed[] = [];
  let executed: Executed;
  try {
    executed = await runAndRecord(dependencies, request, { reference, claim, ran });
  } catch (error) {
    if (claim === undefined) throw error;
    // Frees the key and throws the error; or gives the key's answer, where the record was durable after all.
    const answer = await claim.withdraw(error);
    // The record is this request's own, unless another one has run it meanwhile.
    const own = ran.at(-1);
    if (own?.answer.body === answer.body) dependencies.recorder.tell(own.record);
    return repeated(answer);
  }
  if (executed.problem !== undefined) throw executed.problem;
  return executed.answer;
}

/** @throws Problem `dependency_unavailable` while no record can be written, `overloaded` without memory for the result */
function admit({ recorder, sizes }: ExecutionDependencies, { workspaceId, reservation }: Request): void {
  recorder.admit();
  reservation.grow(sizes.of(workspaceId));
}

/** Claims the request's Idempotency-Key, if it has one; or gives the answer of the request that used the key before. */
async function claimKey(dependencies: ExecutionDependencies, request: Request): Promise<Begun | undefined> {
  const key = readVisible('Idempotency-Key', request.header('Idempotency-Key'));
  if (key === undefined) return undefined;
  const { workspaceId: owner, principal, path: target, bodyText } = request;
  try {
    return await dependencies.idempotency.begin({ owner, principal: principal.name, key, target, bodyText });
  } catch (error) {
    // A missing resource (404) is told before a reused key (422).
    if (isProblem(error, 'idempotency_key_reused')) {
      const pair = pairOf(request);
      await requireRoute(dependencies, pair, dependencies.routing.routeOf(pair));
    }
    throw error;
  }
}

interface Origin {
  readonly reference: string | null;
  readonly claim: Claim | undefined;
  /** Gets what has run, before it is recorded. */
  readonly ran: Executed[];
}

async function runAndRecord(dependencies: ExecutionDependencies, request: Request, origin: Origin): Promise<Executed> {
  const pair = pairOf(request);
  const deployed = await findDeployed(dependencies, pair, dependencies.routing.routeOf(pair));
  const executed = await run(dependencies, request, { origin, deployed });
  try {
    await record(dependencies, request, executed, origin.claim);
    return executed;
  } catch (error) {
    if (!isProblem(error, 'routing_not_found')) throw error;
    // The deployment was removed while the program ran, or by another process just before. An older one may be in force now.
    const older = await findDeployed(dependencies, pair, dependencies.routing.reread(pair));
    // The first run may have called other hosts, so the second run may call none: where it tries, the execution fails.
    const again = await run(dependencies, request, { origin, deployed: older, withoutHttp: true });
    if (isWithheld(again.reply)) throw error;
    await record(dependencies, request, again, origin.claim);
    return again;
  }
}

const pairOf = ({
  workspaceId,
  params: { environmentId, decisionId },
}: Pick<Request, 'workspaceId' | 'params'>): Pair => ({
  workspaceId,
  environmentId,
  decisionId,
});

type Routes = Pick<ExecutionDependencies, 'database' | 'routing'>;
type Found = ReturnType<Routing['routeOf']>;

/** Rejects with the 404 of what is absent where nothing is deployed. */
async function requireRoute({ database }: Routes, pair: Pair, found: Found): Promise<RouteInForce> {
  const { value } = await found;
  if (value === null) throw await notFoundReason(database, pair);
  return value;
}

/** Attempts to read a route and a configuration between two changes. */
const maxReads = 10;

/**
 * The route and the configuration of one moment: a change request may bring both, and nobody approved one without the other.
 */
async function findInForce(
  dependencies: Routes & Pick<ExecutionDependencies, 'configurations'>,
  pair: Pair,
  found: Found,
): Promise<Pick<Deployed, 'route' | 'configuration'>> {
  const { routing, configurations } = dependencies;
  const { workspaceId, environmentId } = pair;
  let versioned = await found;
  for (let reads = 0; reads < maxReads; reads++) {
    const route = await requireRoute(dependencies, pair, versioned);
    const configuration = await configurations.of(workspaceId, environmentId, route.configuration);
    if (configuration === null || configuration.revision === route.configuration) return { route, configuration };
    versioned = await routing.routeSince(pair, versioned, configuration.revision);
  }
  throw new ChangedMeanwhile();
}

/**
 * What is in force of a pair. A working copy's program is kept, because a record will name it. Rejects with the 404 of what
 * is absent.
 */
export async function findDeployed(
  dependencies: Routes & Pick<ExecutionDependencies, 'configurations' | 'programs'>,
  pair: Pair,
  found: Found,
): Promise<Deployed> {
  const { programs } = dependencies;
  const { route, configuration } = await findInForce(dependencies, pair, found);
  const { programId } = await programs.programOf(pair.workspaceId, pair.decisionId, route.version);
  if (route.version === 0) await programs.keep(pair.workspaceId, programId);
  return { route, configuration, programId };
}

interface Running {
  readonly origin: Origin;
  readonly deployed: Deployed;
  readonly withoutHttp?: true;
}

/** Runs the program on a thread, and makes the record and the answer of its reply. Rejects with `overloaded`. */
async function run(
  dependencies: ExecutionDependencies,
  request: Request,
  { origin: { reference, claim, ran }, deployed: { route, programId, configuration }, withoutHttp }: Running,
): Promise<Executed> {
  const { workspaceId, params, requestId, principal, path, bodyText: body } = request;
  const measured = dependencies.measures.fieldsOf(route.deploymentId);
  const program = { workspaceId, programId, configuration, body, traced: false, withoutHttp, measured };
  const task = taskOf(program);
  const reply = await runForRequest(dependencies, request, task, fetchFor(dependencies.programs, program));
  const requestOrigin = { workspaceId, params, requestId, principal, reference };
  const row = recordOf(requestOrigin, route, resultOf(task, program, reply), claim?.executionId);
  const executed = executedOf(reply, row, { path, requestId });
  ran.push(executed);
  return executed;
}

function executedOf(
  reply: RunDone | RunStopped,
  record: ExecutionRecord,
  { path, requestId }: Pick<Request, 'path' | 'requestId'>,
): Executed {
  if (reply.kind === 'done') {
    return { reply, record, answer: { status: 201, body: executionBody(record, reply) }, problem: undefined };
  }
  const problem = stoppedProblem(reply, record.id);
  const answer = { status: problem.status, body: JSON.stringify(problem.body(path, requestId)) };
  return { reply, record, answer, problem };
}

/** Resolves once the record is durable, together with the answer that is kept for the key. Rejects with `routing_not_found`. */
function record(
  { recorder }: ExecutionDependencies,
  { trace }: Request,
  { record: row, answer }: Executed,
  claim: Claim | undefined,
): Promise<void> {
  const written = claim === undefined ? recorder.recordExecution(row) : recorder.recordClaimed(row, claim, answer);
  return trace === undefined ? written : during(trace, 'record.commit', written);
}

/** The answer of the first request with a key. */
const repeated = ({ status, body }: Answer): Reply => ({
  status,
  body,
  headers: {
    'Idempotency-Replayed': 'true',
    ...(status >= 400 ? { 'Content-Type': 'application/problem+json' } : {}),
  },
});

const isProblem = (error: unknown, code: ProblemCode): boolean => error instanceof Problem && error.code === code;
