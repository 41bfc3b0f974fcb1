import { ApiError } from './client.js';

const [firstWaitMs, longestWaitMs] = [1000, 15_000];

/** The service is busy, or away: that says nothing of what was sent. */
export const isRefusedForNow = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 503 || ['too_many_requests', 'unreachable'].includes(error.code));

/** Waits; rejects where nobody waits for it any more. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}

/** Asks until it is answered, as long as the service refuses it for a moment, and somebody waits for it. */
export const untilAnswered = <Value>(ask: () => Promise<Value>, signal?: AbortSignal): Promise<Value> =>
  untilDone(ask, async (error, ms) => {
    if (!isRefusedForNow(error)) throw error;
    await pause(ms, signal);
  });

/** Does something until it is done, later and later. @param pause rejects where it is not to be done again */
export async function untilDone<Value>(
  work: () => Promise<Value>,
  pause: (error: unknown, ms: number) => Promise<void>,
): Promise<Value> {
  for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      await pause(error, wait);
    }
  }
}
