import { useRef, useEffect, useState } from 'preact/hooks';
import { isSame } from '../api/sameJson.js';
import type { Fault, Model, TestReport } from '../api/types.js';
import { useSession } from '../shell/session.js';
import { readStored, type Draft, type Stored } from './useDraft.js';
import { ApiError } from '../api/client.js';
import { isRefusedForNow, untilDone } from '../api/tries.js';

/** How the draft comes to the service. Both resolve once it is stored, and reject where the service will not have it. */
export interface Saving extends Pick<Tries, 'isBusy' | 'failure' | 'isTriedAgain' | 'dismiss'> {
  /** Stores the draft as the working copy. */
  readonly keep: () => Promise<Stored>;
  /** Makes a version of a working copy. */
  readonly saveVersion: (of: Stored, message: string) => Promise<void>;
  /** What the tests gave that ran before a version was saved. */
  readonly tested: Tested | null;
  readonly onTested: (tested: Tested) => void;
}

export interface Tested {
  readonly of: Model;
  readonly report: TestReport;
}

/** Stores the draft; what cannot be stored for a moment is tried until it is. */
export function useSaving(draft: Draft, faults: readonly Fault[]): Saving {
  const { api } = useSession();
  const tries = useTries();
  const [tested, onTested] = useState<Tested | null>(null);
  const latest = useRef({ api, draft, faults });
  latest.current = { api, draft, faults };
  const going = useRef<Promise<Stored> | null>(null);
  /** One try, of the draft as it is by now. */
  const store = async (): Promise<Stored> => {
    const { api, draft, faults } = latest.current;
    const { model: content, stored } = draft;
    // A model with errors is kept as a working copy, which nothing runs unless somebody deploys working copies.
    const force = faults.some(({ severity }) => severity === 'error');
    try {
      return { ...(await api.updateDecision(stored.decision.id, content, { force, tag: stored.tag })), content };
    } catch (error) {
      if (!isConflict(error)) throw error;
      // The answer to an earlier try may have been lost.
      const found = await readStored(api, stored.decision.id);
      if (!isSame(found.content, content)) throw error;
      return { ...found, content };
    }
  };
  const make = async ({ decision, tag, content }: Stored, message: string): Promise<Stored> => {
    const { api } = latest.current;
    try {
      await api.saveVersion(decision.id, { message: message.trim(), tag });
      return { ...(await api.decisionWithTag(decision.id)), content };
    } catch (error) {
      if (!isConflict(error)) throw error;
      const found = await readStored(api, decision.id);
      const { latestVersion } = found.decision;
      if (latestVersion === null || latestVersion === decision.latestVersion) throw error;
      if (!isSame((await api.version(decision.id, latestVersion)).content, content)) throw error;
      return { ...found, content };
    }
  };
  const settled = (kept: Stored): Stored => {
    latest.current.draft.settle(kept);
    return kept;
  };
  return {
    ...{ ...tries, tested, onTested },
    keep() {
      tries.now();
      going.current ??= tries
        .until(store)
        .then(settled)
        .finally(() => (going.current = null));
      return going.current;
    },
    async saveVersion(of, message) {
      tries.now();
      settled(await tries.until(() => make(of, message)));
    },
  };
}

/** What is done until it is done. */
interface Tries {
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

/** A check that the service ended before the time says nothing of what was sent, either. */
const isPassing = (error: unknown): boolean =>
  isRefusedForNow(error) || (error instanceof ApiError && error.code === 'engine_timeout');

/** Somebody else changed it since it was read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'precondition_failed';

/** Tries what the service refuses for a moment again, later and later, until it takes it. */
function useTries(): Tries {
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
    until: (work) =>
      untilDone(
        async () => {
          setBusy(true);
          try {
            const value = await work();
            setFailure(null);
            return value;
          } finally {
            setBusy(false);
          }
        },
        (error, ms) => {
          setFailure(error);
          if (!isPassing(error) || isGone.current) throw error;
          return pause(ms);
        },
      ),
    isBusy,
    failure,
    isTriedAgain: isPassing(failure),
    now,
    dismiss: () => setFailure(null),
  };
}
