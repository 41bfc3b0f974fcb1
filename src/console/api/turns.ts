/** In which order a page's own requests go out. */
export interface Turns {
  /** What a person wants stored: checks that are under way end for it, and wait until it is done. */
  readonly write: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** A check of a draft, begun again where a write ended it. @param signal ends it for good */
  readonly check: <Value>(work: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal) => Promise<Value>;
}

/**
 * The service lets one workspace do only so much at a time. A page that checks a large draft would stand in the way of its
 * own author's save, so the save goes first.
 */
export function createTurns(): Turns {
  const checks = new Set<AbortController>();
  let writes = 0;
  let free = Promise.resolve();
  let release = (): void => undefined;
  return {
    async write(work) {
      if (writes++ === 0) {
        free = new Promise((resolve) => (release = resolve));
        for (const each of checks) each.abort();
      }
      try {
        return await work();
      } finally {
        if (--writes === 0) release();
      }
    },
    async check(work, signal) {
      for (;;) {
        await free;
        signal?.throwIfAborted();
        const own = new AbortController();
        const end = (): void => own.abort();
        signal?.addEventListener('abort', end);
        checks.add(own);
        try {
          return await work(own.signal);
        } catch (error) {
          // A write ended it, and nobody else: it is asked again.
          if (!own.signal.aborted || signal?.aborted === true) throw error;
        } finally {
          checks.delete(own);
          signal?.removeEventListener('abort', end);
        }
      }
    },
  };
}
