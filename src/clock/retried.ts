import { jittered, pause } from './timers.js';

/**
 * Does work again while its failures pass by themselves, after pauses with jitter that double. Rejects with the first failure that
 * does not.
 * @param passes whether another attempt is worth while; attempts are counted from 1
 */
export async function retried<T>(
  work: () => T | PromiseLike<T>,
  passes: (error: unknown, attempt: number) => boolean,
  { firstMs, lastMs = Infinity }: { readonly firstMs: number; readonly lastMs?: number } = { firstMs: 5, lastMs: 250 },
): Promise<T> {
  for (let attempt = 1, ms = firstMs; ; attempt++, ms = Math.min(2 * ms, lastMs)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error, attempt)) throw error;
    }
    await pause(jittered(ms));
  }
}
