import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which work may block the event loop. */
const sliceMs = 3;

/** For long loops: gives a promise to await whenever the loop has blocked the event loop for some milliseconds. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
