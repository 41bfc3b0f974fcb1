import { nextRound } from '../clock/timers.js';
import { messageMs } from './constants.js';

/** For long loops: gives a promise to await whenever the loop has blocked the event loop for some milliseconds. */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < 3 * messageMs) return undefined;
    return nextRound().then(() => {
      since = performance.now();
    });
  };
}
