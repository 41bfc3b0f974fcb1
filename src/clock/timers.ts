import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Resolves in the next round of the event loop, after what has arrived meanwhile. */
export const nextRound = (): Promise<void> => setImmediate();

/** Resolves after that time, or at once when the signal is aborted, so the caller looks at the signal afterwards. Never rejects. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Between half of that time and one and a half, so that work which was put off at one moment does not come back at one moment. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random());

/** What the work gives, or `otherwise` once that time is over. After that the work's result, or its failure, is ignored. */
export async function within<T, U>(ms: number, work: PromiseLike<T>, otherwise: () => U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(otherwise);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does it after that time, unless what this returns is called before. A process that has nothing else to do ends before. What the
 * work throws is an uncaught exception, so work that can fail says itself what follows.
 */
export function after(ms: number, work: () => unknown): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

/** Does it again and again at that interval, by the rules of `after`. Work that takes longer than a moment is a `PollLoop`. */
export function every(ms: number, work: () => unknown): () => void {
  const timer = setInterval(work, ms).unref();
  return () => clearInterval(timer);
}
