import { Problem } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { patienceMs } from '../../admission/constants.js';
import { chunkOfBatch, type Scheduler } from '../../admission/scheduler.js';
import type { Semaphores } from '../../admission/semaphore.js';
import type { MeasuredFields } from '../liveExecution.js';
import { recordOf } from '../responseBody.js';
import {
  bytesOfReply,
  fetchFor,
  resultOf,
  runOnThread,
  taskOf,
  type RunDependencies,
  type RunResult,
} from '../runOnThread.js';
import { faultyAnswer, unrecordedAnswer, type ItemAnswer } from './answers.js';
import type { Batch } from './batch.js';
import { bytesOf, isRunnable, type FaultyItem, type Item } from './item.js';
import { ItemKeys, roundsOf, type Answers, type ItemKeysDependencies } from './itemKeys.js';
import { answerOfRun, refusalOf, type ItemRun } from './itemRun.js';
import { retryWhileOverloaded } from '../../storage/retryWhileOverloaded.js';

export interface ChunkDependencies extends RunDependencies, ItemKeysDependencies {
  readonly measures: MeasuredFields;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
  /** One for each thread, and one more: threads are kept busy by one chunk each and one that waits. */
  readonly chunkSlots: Semaphores;
}

/** Runs the items of a chunk, records them, and gives the answers of all, in order. */
export function runChunk(
  dependencies: ChunkDependencies,
  batch: Batch,
  items: readonly (Item | FaultyItem)[],
  held: Reservation,
): Promise<readonly ItemAnswer[]> {
  const { scheduler } = dependencies;
  const work = async (): Promise<readonly ItemAnswer[]> => {
    const runnable = items.filter(isRunnable);
    const answers: Answers = new Map();
    if (batch.idempotencyKey === undefined) await runUnkeyed(dependencies, batch, runnable, { held, answers });
    else await runKeyed(dependencies, batch, runnable, { held, answers });
    return items.map((item) => (isRunnable(item) ? answerOf(answers, item) : faultyAnswer(item)));
  };
  return scheduler.yieldToLive(batch.origin.workspaceId, work, chunkOfBatch);
}

interface Chunk {
  readonly held: Reservation;
  readonly answers: Answers;
}

async function runUnkeyed(
  dependencies: ChunkDependencies,
  batch: Batch,
  items: readonly Item[],
  { held, answers }: Chunk,
): Promise<void> {
  const { runs, failure } = await runAll(dependencies, batch, items, { held, answers });
  await recordAll(dependencies, batch, runs, answers);
  if (failure !== undefined) throw failure as Error;
}

async function runKeyed(
  dependencies: ChunkDependencies,
  batch: Batch,
  items: readonly Item[],
  { held, answers }: Chunk,
): Promise<void> {
  const keys = new ItemKeys(dependencies, batch, answers);
  for (const round of roundsOf(keys, items)) {
    const fresh = await keys.answerRepeated(round);
    const { runs, failure } = await runAll(dependencies, batch, fresh, { held, answers });
    await keys.record(runs);
    if (failure !== undefined) throw failure as Error;
  }
}

function answerOf(answers: Answers, item: Item): ItemAnswer {
  const answer = answers.get(item.index);
  if (answer === undefined) throw new Error(`item ${item.index} was not answered`);
  return answer;
}

interface Outcome {
  readonly runs: readonly ItemRun[];
  /** Why some were not run. */
  readonly failure: unknown;
}

/** Runs items, within what the workspace may hold and has of the threads. Never rejects: what ran is to be recorded. */
async function runAll(
  dependencies: ChunkDependencies,
  batch: Batch,
  items: readonly Item[],
  { held, answers }: Chunk,
): Promise<Outcome> {
  const { chunkSlots, recorder, sizes, programs } = dependencies;
  const { route, programId } = batch;
  const { workspaceId, params, requestId, principal } = batch.origin;
  if (items.length === 0) return { runs: [], failure: undefined };
  let failure: unknown;
  const replies = await chunkSlots.within(workspaceId, async () => {
    try {
      await retryWhileOverloaded(batch.over, () => recorder.admit());
      // For as long as the batch lasts, a working copy is kept before records name it.
      if (route.version === 0) await retryWhileOverloaded(batch.over, () => programs.keep(workspaceId, programId));
      await retryWhileOverloaded(batch.over, () => held.grow(items.length * sizes.of(workspaceId)));
    } catch (error) {
      failure = error;
      return [];
    }
    const run = (item: Item): Promise<RunResult> => runOne(dependencies, batch, item);
    // Most find a thread at once.
    return Promise.all(
      items.map((item) => {
        const noted = (error: unknown): null => {
          if (isSelectionUnknown(error)) answers.set(item.index, unrecordedAnswer(item, error));
          else failure ??= error;
          return null;
        };
        return run(item).catch(() => retryWhileOverloaded(batch.over, () => run(item)).catch(noted));
      }),
    );
  });
  const runs: ItemRun[] = [];
  let bytes = bytesOf(items);
  replies.forEach((result, at) => {
    const item = items[at];
    if (result === null || item === undefined) return;
    const { reply } = result;
    const replyBytes = bytesOfReply(reply);
    sizes.learn(workspaceId, replyBytes);
    bytes += replyBytes;
    // Not by a spread, which costs microseconds here.
    const origin = { workspaceId, params, requestId, principal, reference: item.reference };
    runs.push({ item, reply, record: recordOf(origin, route, result) });
  });
  held.resize(bytes);
  return { runs, failure };
}

/** That an item selects what the model does not have is no fault of the others. */
const isSelectionUnknown = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'selection_unknown';

async function runOne(
  { pool, programs, measures }: ChunkDependencies,
  { origin: { workspaceId }, route, configuration, programId, over }: Batch,
  { text: body }: Item,
): Promise<RunResult> {
  const measured = measures.fieldsOf(route.deploymentId);
  const run = { workspaceId, programId, configuration, body, traced: false, measured };
  const task = taskOf(run);
  return resultOf(task, run, await runOnThread(pool, task, fetchFor(programs, run), { gone: over }));
}

async function recordAll(
  { recorder, log }: ChunkDependencies,
  batch: Batch,
  runs: readonly ItemRun[],
  answers: Answers,
): Promise<void> {
  const until = performance.now() + patienceMs.batch;
  let left = runs;
  // What the database did not take in time may be written all the same; under the same ids nothing is written twice.
  for (let repeated = false; left.length > 0; repeated = true) {
    const unsure: ItemRun[] = [];
    const errors = await recorder.recordExecutions(
      left.map(({ record }) => record),
      { repeated },
    );
    left.forEach((run, at) => {
      const error = errors[at];
      const isUnsure = error instanceof Problem && error.code === 'dependency_unavailable';
      if (!isUnsure) answers.set(run.item.index, error === undefined ? answerOfRun(run) : refusalOf(run, error, log));
      else if (batch.over() || performance.now() > until) throw error;
      else unsure.push(run);
    });
    if (unsure.length > 0) await retryWhileOverloaded(batch.over, () => recorder.admit());
    left = unsure;
  }
}
