import type { BatchAnswer, RunTask, ThreadReply, ThreadTask } from './protocol.js';

/** Milliseconds after which a batch is not continued: its remaining tasks go to other threads. */
const budgetMs = 2;

/** Runs one task. Null, without running it, when it may be asynchronous and is not `alone`. */
export type RunOne<T = RunTask> = (task: T, alone: boolean) => ThreadReply | Promise<ThreadReply> | null;

/**
 * Runs tasks one after the other, each to its end before the next begins. The answer has replies of only the first tasks where the
 * time was used up, the next task cannot share a batch, or the pool took the rest back.
 * @param begun counts the runs that have begun, for this thread and the pool's: once the pool sets it to `tasks.length` or above, no more begin
 * @param now milliseconds of a clock that never goes back
 */
export function runBatch<T extends ThreadTask>(
  tasks: readonly (T | RunTask)[],
  begun: Int32Array,
  runOne: RunOne<T | RunTask>,
  now = monotonic,
): BatchAnswer | Promise<BatchAnswer> {
  const replies: ThreadReply[] = [];
  const us: number[] = [];
  const start = now();
  let time = start;
  for (const task of tasks) {
    if (time - start > budgetMs || Atomics.add(begun, 0, 1) >= tasks.length) break;
    const reply = runOne(task, tasks.length === 1);
    if (reply === null) return { replies, us, alone: true };
    if (reply instanceof Promise) return withLast(reply, { replies, us, since: time, now });
    replies.push(reply);
    const end = now();
    us.push(microseconds(end - time));
    time = end;
  }
  return { replies, us, alone: false };
}

async function withLast(
  pending: Promise<ThreadReply>,
  { replies, us, since, now }: Omit<BatchAnswer, 'alone'> & { readonly since: number; readonly now: () => number },
): Promise<BatchAnswer> {
  const last = await pending;
  return { replies: [...replies, last], us: [...us, microseconds(now() - since)], alone: false };
}

const monotonic = (): number => performance.now();

const microseconds = (ms: number): number => Math.round(ms * 1000);
