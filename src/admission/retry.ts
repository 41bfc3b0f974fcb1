import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses between attempts grow from the first to the longest, in milliseconds. */
const pausesMs = { first: 5, longest: 250 } as const;

export interface Retries {
  /** By `performance.now()`: no attempt begins later. */
  readonly until: number;
  /** Whether another attempt after this error may succeed. */
  readonly mayPass: (error: unknown) => boolean;
}

/** Repeats what fails of something that passes, after growing pauses with jitter; rejects with the error of the last attempt. */
export async function retried<T>(work: () => T | Promise<T>, { until, mayPass }: Retries): Promise<T> {
  for (let pauseMs: number = pausesMs.first; ; pauseMs = Math.min(2 * pauseMs, pausesMs.longest)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
    }
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}
