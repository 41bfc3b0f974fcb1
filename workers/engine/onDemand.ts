import { isMainThread } from 'node:worker_threads';

/**
 * Gives what a thread loads when it is first needed. Node remembers a failed import for ever, so where loading fails, because
 * no file descriptor is free, say, the worker thread ends, and another begins without that memory.
 */
export async function onDemand<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!isMainThread) {
      setImmediate(() => {
        throw error;
      });
    }
    throw error;
  }
}

/** Loads once, at the first call; after a failure the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}
