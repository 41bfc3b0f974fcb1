import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which work may hold the main thread. */
const sliceMs = 3;

/** For long loops: gives a promise, to be waited for, each time the work has held the main thread for some milliseconds. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
