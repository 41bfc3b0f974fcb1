/**
 * Runs what listens to a signal under a time limit: its signal aborts with a `TimeoutError` after so many milliseconds,
 * or with `signal`. Node 20 has `AbortSignal.any` hold a signal of `AbortSignal.timeout` so weakly that a garbage
 * collection takes the limit away.
 */
export async function withinTime<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  run: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => controller.abort(new DOMException('It took too long.', 'TimeoutError')), timeoutMs);
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
