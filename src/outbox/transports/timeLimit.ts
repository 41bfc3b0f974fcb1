import { after } from '../../clock/timers.js';
/**
 * Runs work under a time limit: its signal aborts with a `TimeoutError` after so many milliseconds, or when `signal`
 * does. Not by `AbortSignal.any` and `AbortSignal.timeout`: Node 20 may garbage-collect the latter, and the limit with
 * it.
 */
export async function withinTime<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  run: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const cancel = after(timeoutMs, () => controller.abort(new DOMException('It took too long.', 'TimeoutError')));
  try {
    return await run(controller.signal);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
