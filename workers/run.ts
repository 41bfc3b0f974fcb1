import { constants, setPriority } from 'node:os';
import { resourceLimits, workerData } from 'node:worker_threads';
import { runBatch } from './batch.js';
import { createConfigurations, type LoadedConfiguration } from './configurations.js';
import {
  EngineError,
  failedOutcome,
  type Diagnostic,
  type Outcome,
  type Program,
  type RunOptions,
  type RunSecrets,
  unknownSelection,
  type Value,
} from './engine/index.js';
import { createSandbox } from './engine/sandbox/sandbox.js';
import { factFor, factText, readFact } from './fact.js';
import type { ModelTask } from './models/tasks.js';
import { workOn } from './models/work.js';
import { createPrograms, type Loaded } from './programs.js';
import {
  defaultRunLimits,
  type BatchAnswer,
  type Preparation,
  type RunDone,
  type RunReply,
  type RunStopped,
  type RunTask,
  type ThreadMessage,
  type ThreadReply,
  type ThreadTask,
  type WorkerData,
} from './protocol.js';
import { randomFrom } from './random.js';
import { brokenReply, redactedTrace, replyOf, type ReplyContext } from './reply.js';

const heapBytes = (resourceLimits.maxOldGenerationSizeMb ?? 128) * 1024 * 1024;
/** Null where tests import this file without a pool. */
const data = workerData as WorkerData | null;
const { engine: limits, functions } = data?.limits ?? defaultRunLimits;
const sandbox = createSandbox(functions);
const programs = createPrograms(heapBytes, { limits, sandbox });
const configurations = createConfigurations(heapBytes / 20);
/** `WorkerData.begun`, which the pool shares with this thread. */
const sharedBegun = new Int32Array(data?.begun ?? new ArrayBuffer(8));

/** Runs a small model, so that the first request does not wait for code to be loaded and compiled. */
export function ready(): void {
  const body = '{"fact":{"a":1}}';
  const task = { programId: 'ready', workspaceId: '', configurationId: '', body, timeoutMs: 1000, clock: 0, seed: 0 };
  const nodes = [
    { id: 'i', name: 'i', type: 'inputNode' },
    { id: 'e', name: 'e', type: 'expressionNode', content: { expressions: [{ id: 'x', key: 'x', value: 'a + 0.1' }] } },
  ];
  const model = { nodes, edges: [{ id: 'ie', sourceId: 'i', targetId: 'e' }] };
  const manifest = { entries: [{ content: 'model', links: {} }] };
  const bundle = JSON.stringify({ manifest, contents: { model: JSON.stringify(model) } });
  for (const traced of [false, true]) void run({ ...task, bundle, traced });
}

/** Compiles a program and all that it can reach, unless it is held already. Its faults are reported by its runs. */
export function prepare({ programId, bundle, workspaceId }: Preparation): void {
  if (programs.get(programId) === undefined) isScripted(programs.load(programId, { bundle, workspaceId }));
}

/** What Piscina calls, with the tasks alone. */
export function runAll(message: ThreadMessage, begun = sharedBegun): BatchAnswer | Promise<BatchAnswer> {
  if (begun[1] === 1) lowerPriority();
  return runBatch<ThreadTask>(message, begun, (task, alone) => {
    if ('kind' in task) return alone ? work(task) : null;
    const program = alone ? undefined : programs.get(task.programId);
    return program !== undefined && isScripted(program) ? null : run(task);
  });
}

let isLowered = false;

/**
 * Lowers this thread's priority for good: Linux lets a thread raise it again only with CAP_SYS_NICE or RLIMIT_NICE, so
 * the pool gives this thread only runs of slow workspaces from then on. On other systems it would lower the whole
 * process's priority.
 */
function lowerPriority(): void {
  if (isLowered || process.platform !== 'linux') return;
  isLowered = true;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // Where the system forbids even that, the runs compete at equal priority.
  }
}

/** Work on a model beside its runs; what is wrong with the model is part of the answer. */
function work(task: Extract<ThreadTask, ModelTask>): ThreadReply | Promise<ThreadReply> {
  const started = performance.now();
  const broken = (error: unknown): ThreadReply => ({
    kind: 'stopped',
    reason: 'crash',
    message: 'The work on the model ended without a result.',
    ...(error instanceof Error && error.stack !== undefined ? { detail: error.stack } : {}),
    engineUs: Math.round((performance.now() - started) * 1000),
    recordedFact: null,
    factRedacted: false,
  });
  try {
    const reply = workOn(task, task.timeoutMs, { limits, programs, configurations, sandbox });
    return reply instanceof Promise ? reply.catch(broken) : reply;
  } catch (error) {
    return broken(error);
  }
}

/**
 * Runs one task, from now until its time limit. Never throws for what a model, a fact or the engine does: that is data,
 * without a stack, and with the environment's secrets taken out.
 */
export function run(task: RunTask): RunReply | Promise<RunReply> {
  const deadline = performance.now() + task.timeoutMs;
  const { programId, workspaceId, configurationId, configuration: text } = task;
  const configuration =
    configurations.get(configurationId) ??
    (text === undefined ? undefined : configurations.load(configurationId, text));
  const program = programs.get(programId);
  if (configuration === undefined || (program ?? task.bundle) === undefined) {
    return { kind: 'miss', program: program === undefined, configuration: configuration === undefined };
  }
  const read = readFact(task.body);
  // The run and its repetition with a trace share one, since both read the same variables.
  const secrets = configuration.redactor.forRun();
  const context: ReplyContext = {
    secrets,
    traced: task.traced === true,
    factText: () => factText(task.body, read),
    select: read instanceof EngineError ? undefined : read.select,
    measured: task.measured,
  };
  const broken = (error: unknown): RunReply => brokenReply(error, context);
  try {
    const loaded = program ?? programs.load(programId, { bundle: task.bundle ?? '', workspaceId });
    const given = factFor(loaded, read);
    if (given instanceof EngineError) return replyOf(failedOutcome(given), context);
    const { fact, plain, select } = given;
    const unknown = select && !(loaded instanceof EngineError) ? unknownSelection(loaded, select) : undefined;
    if (unknown !== undefined) return { kind: 'refused', ...unknown };
    const execution = { configuration, secrets, deadline, task, plain, select };
    const outcome = outcomeOf(loaded, fact, execution);
    if (outcome instanceof Promise) {
      const shown = task.traced === 'apart' ? { ...context, traced: true } : context;
      return outcome.then((settled) => replyOf(settled, shown)).catch(broken);
    }
    const reply = replyOf(outcome, context);
    return task.traced === 'apart' ? tracedApart(reply, loaded, fact, execution) : reply;
  } catch (error) {
    return broken(error);
  }
}

interface ExecutionContext {
  readonly configuration: LoadedConfiguration;
  readonly secrets: RunSecrets;
  readonly deadline: number;
  readonly task: RunTask;
  /** Of the fact. */
  readonly plain: boolean;
  readonly select: readonly string[] | undefined;
}

function outcomeOf(program: Loaded, fact: Value, execution: ExecutionContext): Outcome | Promise<Outcome> {
  if (program instanceof EngineError) return failedOutcome(program);
  const scripted = isScripted(program);
  const options = optionsOf(execution, execution.task.traced === true || scripted);
  const outcome = program.run(fact, options);
  if (options.trace || outcome instanceof Promise) return outcome;
  return withTrace(outcome, () => program.run(fact, optionsOf(execution, true)));
}

/** The options of one run; its random numbers begin anew. */
function optionsOf(
  { configuration, secrets, deadline, task, plain, select }: ExecutionContext,
  trace: boolean,
): RunOptions {
  const { env, http: allowed } = configuration;
  const http = task.withoutHttp === true ? 'withheld' : allowed;
  return {
    env,
    deadline,
    now: task.clock,
    random: randomFrom(task.seed),
    ...(http === undefined ? {} : { http }),
    secrets,
    trace,
    plainFact: plain,
    select,
  };
}

/**
 * The reply with the trace of a second run. Secrets that only the second run reads are taken out of the trace alone: the reply stays as
 * that of an execution.
 */
function tracedApart(
  reply: RunDone | RunStopped,
  program: Loaded,
  fact: Value,
  execution: ExecutionContext,
): RunDone | RunStopped {
  if (reply.kind === 'stopped' || reply.trace !== null || program instanceof EngineError) return reply;
  const secrets = execution.configuration.redactor.forRun();
  const again = program.run(fact, optionsOf({ ...execution, secrets }, true));
  return again instanceof Promise ? reply : { ...reply, trace: redactedTrace(again, secrets) };
}

/**
 * Whether a run may reach function nodes. Such a run is never repeated, because it may have side effects, so it is
 * traced from the start.
 */
function isScripted(program: Loaded): boolean {
  if (program instanceof EngineError) return false;
  try {
    return program.async;
  } catch (error) {
    // A sub-decision that does not compile hides what lies behind it.
    if (error instanceof EngineError) return true;
    throw error;
  }
}

/** Faults whose repetition would take as long, or as much memory, again. */
const costly: ReadonlySet<Diagnostic['code']> = new Set(['timeout', 'limit_memory', 'limit_steps', 'limit_iterations']);

/** A run without a trace that failed is repeated with one, by the same clock and the same random numbers. */
function withTrace(outcome: Outcome, repeat: () => ReturnType<Program['run']>): Outcome {
  if (outcome.status === 'COMPLETED' || costly.has(outcome.error.code)) return outcome;
  const again = repeat();
  // Where it ended differently this time, such as by its deadline, the trace does not fit the outcome.
  if (again instanceof Promise || again.status === 'COMPLETED' || again.error.code !== outcome.error.code)
    return outcome;
  return again.trace === undefined ? outcome : { ...outcome, trace: again.trace, plain: again.plain };
}
