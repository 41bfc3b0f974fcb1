import { nextRound } from '../clock/timers.js';
import { messageMs } from './constants.js';

/** For long loops, which call what this returns in each round and await the promise that it gives whenever they have blocked the event loop for some milliseconds. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < 3 * messageMs) return undefined;
    return nextRound().then(() => {
      since = performance.now();
    });
  };
}

/** What becomes of items, one after the other: some have a megabyte, and others have their turn between two of them. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  const pause = createPause();
  for (const item of items) {
    mapped.push(map(item));
    await pause();
  }
  return mapped;
}
