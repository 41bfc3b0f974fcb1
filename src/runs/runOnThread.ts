import type { RunDone, RunMiss, RunRefused, RunStopped, RunTask } from '../../workers/protocol.js';
import type { Programs } from '../decisions/programs/programs.js';
import type { LoadedConfiguration } from '../environments/configurations.js';
import { Problem } from '../errors.js';
import { requestBytes } from '../http/server/response.js';
import type { LogicRequest } from '../api/logicRoute.js';
import { textBytes, type ExpectedBytes } from '../admission/byteBudget.js';
import type { Pool } from '../admission/pool/pool.js';
import type { RunOptions, RunRequest } from '../admission/pool/queuedRun.js';
import type { RunContext } from './recorder/record.js';

export interface RunDependencies {
  readonly programs: Programs;
  readonly pool: Pick<Pool, 'admit' | 'send' | 'end'>;
  /** Of the results of each workspace: so much is reserved before a run. */
  readonly sizes: ExpectedBytes;
}

/** A reply, and what the run saw besides its fact. */
export interface RunResult {
  readonly reply: RunDone | RunStopped;
  readonly context: RunContext;
}

/** A program with its input and its variables. */
interface Run {
  readonly workspaceId: string;
  readonly programId: string;
  /** Null for evaluations that may call no host: then `$env` is empty, and there is nothing else. */
  readonly configuration: LoadedConfiguration | null;
  /** JSON text whose `fact` is the input. */
  readonly body: string;
  readonly traced: boolean;
  /** It repeats a run that may have called hosts: one that calls any ends with `http_withheld`. */
  readonly withoutHttp?: true | undefined;
  /** Fields of its result that are counted. */
  readonly measured?: readonly string[] | undefined;
}

/** The task of a run, with a clock and 32 bits for random numbers of its own. */
export const taskOf = ({
  workspaceId,
  programId,
  configuration,
  body,
  traced,
  withoutHttp,
  measured,
}: Run): RunRequest => ({
  programId,
  workspaceId,
  configurationId: configuration?.id ?? '',
  body,
  traced,
  clock: Date.now(),
  seed: (Math.random() * 2 ** 32) | 0,
  withoutHttp,
  measured,
});

/** Fetches the program or the variables that a thread does not have yet. */
export type Fetch = (miss: RunMiss) => Promise<Pick<RunTask, 'bundle' | 'configuration'>>;

/** The `Fetch` of a run whose program was found by `programs.programOf`. */
export const fetchFor =
  (programs: Programs, { workspaceId, programId, configuration }: Run): Fetch =>
  async (miss) => ({
    ...(miss.program ? { bundle: await programs.bundle(workspaceId, programId) } : {}),
    ...(miss.configuration && configuration !== null ? { configuration: configuration.text } : {}),
  });

export const resultOf = (
  { programId, clock, seed }: RunRequest,
  { configuration }: Run,
  reply: RunDone | RunStopped,
): RunResult => {
  const configurationRevision = configuration?.revision ?? 0;
  return { reply, context: { programId, configurationRevision, clock, seed, factRedacted: reply.factRedacted } };
};

/** A thread may lack the program; the run may then come to another thread, which lacks the variables. */
const maxMisses = 2;

/** Runs a task on a thread. Rejects with `overloaded`, and with what `fetch` rejects with; then nothing was run. */
export async function runOnThread(
  pool: RunDependencies['pool'],
  task: RunRequest,
  fetch: Fetch,
  options?: RunOptions,
): Promise<RunDone | RunStopped> {
  const admission = pool.admit(task, options);
  // Admission is nearly always immediate. Then the run is queued before any other event is handled.
  const admitted = admission instanceof Promise ? await admission : admission;
  try {
    let reply = await pool.send(admitted);
    for (let misses = 0; reply.kind === 'miss'; misses++) {
      if (misses === maxMisses) throw new Error(`a thread still lacks what it was given: ${JSON.stringify(reply)}`);
      reply = await pool.send(admitted, await fetch(reply));
    }
    if (reply.kind === 'refused') throw selectionUnknown(reply);
    return reply;
  } finally {
    pool.end(admitted);
  }
}

function selectionUnknown({ at, message }: RunRefused): Problem {
  const pointer = `/select/${at}`;
  return new Problem('selection_unknown', 'The model does not have all that is selected. Nothing was run.', {
    errors: [{ in: 'body', pointer, message }],
  });
}

/** The request that a run is for. */
export type RunCaller = Pick<LogicRequest<unknown, unknown, unknown>, 'workspaceId' | 'gone' | 'trace' | 'reservation'>;

/**
 * Runs a task for a request, whose reservation then has the reply's real size. Rejects as `runOnThread` does, and with
 * `overloaded` where the workspace meanwhile holds more than its share.
 */
export async function runForRequest(
  { pool, sizes }: Pick<RunDependencies, 'pool' | 'sizes'>,
  { workspaceId, gone, trace, reservation }: RunCaller,
  task: RunRequest,
  fetch: Fetch,
): Promise<RunDone | RunStopped> {
  try {
    const reply = await runOnThread(pool, task, fetch, { gone: () => gone() || reservation.isAboveShare, trace });
    const bytes = bytesOfReply(reply);
    sizes.learn(workspaceId, bytes);
    reservation.resize(requestBytes + textBytes(task.body) + bytes);
    return reply;
  } catch (error) {
    const refused = error instanceof Problem && error.code === 'overloaded';
    throw refused && !gone() && reservation.isAboveShare ? reservation.refusal() : error;
  }
}

/** What a reply takes in memory. */
export function bytesOfReply(reply: RunDone | RunStopped): number {
  if (reply.kind === 'stopped') return textBytes(reply.message) + textBytes(reply.recordedFact ?? '');
  const { result, recordedResult, recordedFact, trace, error } = reply;
  return (
    textBytes(result) +
    textBytes(recordedFact) +
    textBytes(recordedResult ?? '') +
    textBytes(trace ?? '') +
    textBytes(error ?? '')
  );
}
