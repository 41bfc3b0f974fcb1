import { constants, setPriority } from 'node:os';
import { resourceLimits, workerData } from 'node:worker_threads';
import { runBatch } from './batch.js';
import { createConfigurations, type LoadedConfiguration } from './configurations.js';
import {
  EngineError,
  faultLine,
  type Fault,
  type Outcome,
  type Program,
  type RunOptions,
  type RunSecrets,
  type Value,
} from './engine/index.js';
import { createSandbox } from './engine/sandbox/sandbox.js';
import { factText } from './fact.js';
import type { ModelTask } from './models/tasks.js';
import { workOn } from './models/work.js';
import { createPrograms, type Loaded } from './programs.js';
import {
  defaultRunLimits,
  type BatchAnswer,
  type Preparation,
  type RunReply,
  type RunTask,
  type ThreadReply,
  type ThreadTask,
  type WorkerData,
} from './protocol.js';
import { randomFrom } from './random.js';
import { brokenReply, replyOf, type Saying } from './reply.js';

const heapBytes = (resourceLimits.maxOldGenerationSizeMb ?? 128) * 1024 * 1024;
/** Null where tests import this file without a pool. */
const data = workerData as WorkerData | null;
const { engine: limits, functions } = data?.limits ?? defaultRunLimits;
const programs = createPrograms(heapBytes, { limits, sandbox: createSandbox(functions) });
const configurations = createConfigurations(heapBytes / 20);
/** Shared with the pool. */
const ofThread = new Int32Array(data?.begun ?? new ArrayBuffer(8));

/** Runs a small model, so that the first request does not pay for it. */
export function ready(): void {
  const task = { programId: 'ready', workspaceId: '', configurationId: '', body: '{"fact":{"a":1}}', timeoutMs: 1000 };
  const nodes = [
    { id: 'i', name: 'i', type: 'inputNode' },
    { id: 'e', name: 'e', type: 'expressionNode', content: { expressions: [{ id: 'x', key: 'x', value: 'a + 0.1' }] } },
  ];
  const model = { nodes, edges: [{ id: 'ie', sourceId: 'i', targetId: 'e' }] };
  const manifest = { entries: [{ content: 'model', links: {} }] };
  const bundle = JSON.stringify({ manifest, contents: { model: JSON.stringify(model) } });
  for (const traced of [false, true]) void run({ ...task, bundle, traced });
}

/** Compiles a program and all that it can reach, unless it is held already. What is wrong with it is said by its runs. */
export function prepare({ programId, bundle, workspaceId }: Preparation): void {
  if (programs.get(programId) === undefined) isScripted(programs.load(programId, { bundle, workspaceId }));
}

/** What Piscina calls, with the tasks alone. */
export function runAll(tasks: readonly ThreadTask[], begun = ofThread): BatchAnswer | Promise<BatchAnswer> {
  if (begun[1] === 1) giveWay();
  return runBatch(tasks, begun, (task, alone) => {
    if ('kind' in task) return alone ? work(task) : null;
    const program = alone ? undefined : programs.get(task.programId);
    return program !== undefined && isScripted(program) ? null : run(task);
  });
}

let gaveWay = false;

/**
 * Has other threads of the machine come first from now on: Linux lets a thread come back only with CAP_SYS_NICE or
 * RLIMIT_NICE, so the pool gives this one nothing but such runs. Elsewhere it would be the process's priority.
 */
function giveWay(): void {
  if (gaveWay || process.platform !== 'linux') return;
  gaveWay = true;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // A system that forbids even that; then the runs compete with the others'.
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
  });
  try {
    const reply = workOn(task, task.timeoutMs, { limits, programs });
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
  const { fact } = JSON.parse(task.body) as { fact: Value };
  // One for all that the task runs: what a run has read, its repetition for the trace has read too.
  const secrets = configuration.redactor.forRun();
  const saying: Saying = { secrets, traced: task.traced, factText: () => factText(task.body, fact) };
  const broken = (error: unknown): RunReply => brokenReply(error, saying);
  try {
    const loaded = program ?? programs.load(programId, { bundle: task.bundle ?? '', workspaceId });
    const outcome = outcomeOf(loaded, fact, { configuration, secrets, deadline, traced: task.traced });
    if (!(outcome instanceof Promise)) return replyOf(outcome, saying);
    return outcome.then((settled) => replyOf(settled, saying)).catch(broken);
  } catch (error) {
    return broken(error);
  }
}

interface Circumstances {
  readonly configuration: LoadedConfiguration;
  readonly secrets: RunSecrets;
  readonly deadline: number;
  readonly traced: boolean;
}

function outcomeOf(
  program: Loaded,
  fact: Value,
  { configuration: { env, http }, secrets, deadline, traced }: Circumstances,
): Outcome | Promise<Outcome> {
  if (program instanceof EngineError) return failedToLoad(program);
  const scripted = isScripted(program);
  const seed = (Math.random() * 2 ** 32) | 0;
  const at = Date.now();
  const options: RunOptions = {
    env,
    deadline,
    // Code may wait for the clock; for expressions it stands still, so that a second run gives the same.
    now: scripted ? Date.now : () => at,
    random: randomFrom(seed),
    ...(http === undefined ? {} : { http }),
    secrets,
    trace: traced || scripted,
  };
  const outcome = program.run(fact, options);
  if (options.trace || outcome instanceof Promise) return outcome;
  return withTrace(outcome, () => program.run(fact, { ...options, trace: true, random: randomFrom(seed) }));
}

const failedToLoad = (error: EngineError): Outcome => {
  const fault = error.toFault();
  return { status: 'FAILED', error: fault, message: faultLine(fault), engineMs: 0, plain: true };
};

/** Function nodes run once, and so with a trace from the start: they may have effects outside, and keep no clock. */
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

/** Faults that would take as long, or as much, again. */
const costly: ReadonlySet<Fault['code']> = new Set(['timeout', 'limit_memory', 'limit_steps', 'limit_iterations']);

/** A run without a trace that failed is repeated with one, by the same clock and the same random numbers. */
function withTrace(outcome: Outcome, repeat: () => ReturnType<Program['run']>): Outcome {
  if (outcome.status === 'COMPLETED' || costly.has(outcome.error.code)) return outcome;
  const again = repeat();
  // It may have met its deadline this time; then the trace would tell another story.
  if (again instanceof Promise || again.status === 'COMPLETED' || again.error.code !== outcome.error.code)
    return outcome;
  return again.trace === undefined ? outcome : { ...outcome, trace: again.trace, plain: again.plain };
}
