import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import type { Missed } from './coverage.js';
import type { TestOutcome } from './failedTests.js';

/** What came of the tests, and of which model. */
interface Tried {
  readonly of: Model;
  readonly each: ReadonlyMap<number, TestOutcome>;
  readonly missed: Missed | null;
}

export type TryingState = ReturnType<typeof useTrying>;

/** What came of a model's tests. They are run on while somebody looks at something else, until the model is another one. */
export function useTrying(model: Model) {
  const [tried, setTried] = useState<Tried | null>(null);
  const running = useRef(new AbortController());
  const begin = (): AbortSignal => {
    running.current.abort();
    running.current = new AbortController();
    return running.current.signal;
  };
  // What comes of a draft that is another one by now says nothing.
  useEffect(() => () => running.current.abort(), [model]);
  return { tried, setTried, begin };
}
