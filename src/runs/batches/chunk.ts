import type { Logger } from 'pino';
import { Problem } from '../../errors.js';
import type { Reservation } from '../../http/body/byteBudget.js';
import type { Recorded } from '../liveRun.js';
import { chunkOfBatch, maxRetryMs } from '../../scheduler/constants.js';
import type { Scheduler } from '../../scheduler/scheduler.js';
import type { WorkspaceSemaphores } from '../../scheduler/semaphore.js';
import { recordOf } from '../execute.js';
import type { Recorder } from '../recorder.js';
import { runKnown, type Ran as RanProgram, type RunDependencies } from '../runProgram.js';
import { faultyAnswer, type ItemAnswer } from './answers.js';
import type { Batch, RunChunk } from './batch.js';
import { bytesOf, isRunnable, type Item } from './item.js';
import type { ItemKeys } from './itemKeys.js';
import { retryWhileOverloaded } from './retry.js';
import { answerOfRun, refusalOf, type Ran } from './ran.js';

export interface ChunkDependencies extends RunDependencies {
  readonly recorder: Recorder;
  readonly shadows: Recorded;
  readonly itemKeys: ItemKeys;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
  /** One for each thread, and one more: threads are kept busy by one chunk each and one that waits. */
  readonly chunkSlots: WorkspaceSemaphores;
  readonly log: Pick<Logger, 'error'>;
}

export function createRunChunk(dependencies: ChunkDependencies, batch: Batch): RunChunk {
  const { scheduler } = dependencies;
  const runChunk: RunChunk = async (items, held) => {
    const runnable = items.filter(isRunnable);
    const answers = new Map<number, ItemAnswer>();
    const answered = (item: Item, answer: ItemAnswer): void => void answers.set(item.index, answer);
    if (batch.idempotencyKey === undefined) {
      const ran = await runAll(dependencies, batch, runnable, held);
      await recordAll(dependencies, batch, ran.runs, answered);
      if (ran.failure !== undefined) throw ran.failure as Error;
    } else {
      await dependencies.itemKeys.once(batch, runnable, answered, async (fresh, record) => {
        const ran = await runAll(dependencies, batch, fresh, held);
        await record(ran.runs);
        if (ran.failure !== undefined) throw ran.failure as Error;
      });
    }
    return items.map((item) => (isRunnable(item) ? answerOf(answers, item) : faultyAnswer(item)));
  };
  const { workspaceId } = batch.asked;
  return (items, held) => scheduler.yieldToLive(workspaceId, () => runChunk(items, held), chunkOfBatch);
}

function answerOf(answers: ReadonlyMap<number, ItemAnswer>, item: Item): ItemAnswer {
  const answer = answers.get(item.index);
  if (answer === undefined) throw new Error(`item ${item.index} was not answered`);
  return answer;
}

interface Outcome {
  readonly runs: readonly Ran[];
  /** Why some were not run. */
  readonly failure: unknown;
}

/** Runs items, within what the workspace may hold and has of the threads. Never rejects: what ran is to be recorded. */
async function runAll(
  dependencies: ChunkDependencies,
  batch: Batch,
  items: readonly Item[],
  held: Reservation,
): Promise<Outcome> {
  const { chunkSlots, recorder, sizes, programs } = dependencies;
  const { route, programId } = batch;
  const { workspaceId, params, requestId, principal } = batch.asked;
  if (items.length === 0) return { runs: [], failure: undefined };
  let failure: unknown;
  const replies = await chunkSlots.within(workspaceId, async () => {
    try {
      await retryWhileOverloaded(batch, () => recorder.admit());
      // A working copy is kept before records name it.
      if (route.version === 0) await retryWhileOverloaded(batch, () => programs.keep(workspaceId, programId));
      await retryWhileOverloaded(batch, () => held.grow(items.length * sizes.expected(workspaceId)));
    } catch (error) {
      failure = error;
      return [];
    }
    const run = (item: Item): Promise<RanProgram> => runOne(dependencies, batch, item);
    const noted = (error: unknown): null => {
      failure ??= error;
      return null;
    };
    // Most find a thread at once.
    return Promise.all(
      items.map((item) => run(item).catch(() => retryWhileOverloaded(batch, () => run(item)).catch(noted))),
    );
  });
  const runs: Ran[] = [];
  let bytes = bytesOf(items);
  replies.forEach((ran, at) => {
    const item = items[at];
    if (ran === null || item === undefined) return;
    const { reply } = ran;
    bytes += sizes.learn(workspaceId, reply);
    // Not by a spread, which costs microseconds here.
    const asked = { workspaceId, params, requestId, principal, reference: item.reference };
    runs.push({ item, reply, record: recordOf(asked, { route, claim: undefined }, ran) });
  });
  held.resize(bytes);
  return { runs, failure };
}

const runOne = (
  dependencies: ChunkDependencies,
  { asked: { workspaceId }, configuration, programId, over }: Batch,
  { text: body }: Item,
): Promise<RanProgram> =>
  runKnown(dependencies, { workspaceId, programId, configuration, body, traced: false }, { gone: over });

async function recordAll(
  { recorder, shadows, log }: ChunkDependencies,
  batch: Batch,
  runs: readonly Ran[],
  answered: (item: Item, answer: ItemAnswer) => void,
): Promise<void> {
  const until = performance.now() + maxRetryMs;
  let left = runs;
  // What the database did not take in time may be written all the same; under the same ids nothing is written twice.
  for (let repeated = false; left.length > 0; repeated = true) {
    const unsure: Ran[] = [];
    const errors = await recorder.recordExecutions(
      left.map(({ record }) => record),
      { repeated },
    );
    left.forEach((run, at) => {
      const error = errors[at];
      const isUnsure = error instanceof Problem && error.code === 'dependency_unavailable';
      if (error === undefined) shadows.offer(run.record);
      if (!isUnsure) answered(run.item, error === undefined ? answerOfRun(run) : refusalOf(run, error, log));
      else if (batch.over() || performance.now() > until) throw error;
      else unsure.push(run);
    });
    if (unsure.length > 0) await retryWhileOverloaded(batch, () => recorder.admit());
    left = unsure;
  }
}
