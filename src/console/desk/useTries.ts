import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';

/** What is done until it is done. */
export interface Tries {
  /** Resolves once `work` did, however often it has to be begun; rejects with a failure that does not pass. */
  readonly until: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly isBusy: boolean;
  /** Why the last try failed; null where none did. */
  readonly failure: unknown;
  /** The failure is one that passes: it is tried again by itself. */
  readonly isTriedAgain: boolean;
  /** Who asks again while it waits does not wait any longer. */
  readonly now: () => void;
  /** The failure has been read. */
  readonly dismiss: () => void;
}

const [firstWaitMs, longestWaitMs] = [1000, 15_000];

/** The service is busy, or away, or ended its check before the time: that says nothing of what was sent. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 503 || ['too_many_requests', 'unreachable', 'engine_timeout'].includes(error.code));

/** Somebody else changed it since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'precondition_failed';

/** Tries what the service refuses for a moment again, later and later, until it takes it. */
export function useTries(): Tries {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const wake = useRef((): void => undefined);
  const isGone = useRef(false);
  const now = (): void => wake.current();
  useEffect(
    () => () => {
      isGone.current = true;
      now();
    },
    [],
  );
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake.current = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    async until(work) {
      for (let wait = firstWaitMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
        setBusy(true);
        try {
          const value = await work();
          setFailure(null);
          return value;
        } catch (error) {
          setFailure(error);
          if (!isPassing(error) || isGone.current) throw error;
        } finally {
          setBusy(false);
        }
        await pause(wait);
      }
    },
    isBusy,
    failure,
    isTriedAgain: isPassing(failure),
    now,
    dismiss: () => setFailure(null),
  };
}
