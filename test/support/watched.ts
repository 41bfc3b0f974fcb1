import { Worker } from 'node:worker_threads';

/** A function to run, with a deadline in the milliseconds of the clock. */
export interface WatchedCase {
  readonly source: string;
  readonly timeoutMs: number;
}

export interface WatchedCases {
  readonly cases: readonly WatchedCase[];
  /** `looks`: a millisecond passes each time that somebody looks, so that deadlines fall where they fell before. */
  readonly clock: 'real' | 'looks';
}

export interface WatchedReply {
  readonly code: string;
  /** What a function that returns 1 returned in the run after it. */
  readonly next: unknown;
  /** What was written to standard error meanwhile. */
  readonly reported: readonly unknown[];
}

/** Far longer than a case takes on a busy machine. */
const withinMs = 90_000;

/**
 * Runs cases one after the other in a thread of their own. Where one hangs, which no deadline inside could end, the
 * thread is ended and the promise rejects: a hang is a failing test, and not a test run that never ends.
 */
export async function watched(cases: WatchedCases): Promise<WatchedReply[]> {
  const replies: WatchedReply[] = [];
  const thread = new Worker(new URL('./watched-worker.js', import.meta.url), {
    workerData: cases,
    resourceLimits: { stackSizeMb: 8 },
  });
  await new Promise<void>((resolve, reject) => {
    const hang = (): void => {
      reject(new Error(`case ${replies.length} hangs: ${cases.cases[replies.length]?.source ?? 'the end'}`));
      void thread.terminate();
    };
    let timer = setTimeout(hang, withinMs);
    thread.on('message', (reply: WatchedReply) => {
      replies.push(reply);
      clearTimeout(timer);
      timer = setTimeout(hang, withinMs);
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return replies;
}
