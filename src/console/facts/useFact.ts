import { useEffect, useRef, useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { ModelTest } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';

/** The fact that a page is about. */
export interface FactState {
  /** JSON, as the person wrote it. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** A recorded fact was chosen, and is not here yet: the text is another one's. */
  readonly isLoading: boolean;
  /** Where the address says that it comes from: `test:0`, `execution:<id>`; empty for the person's own. */
  readonly source: string;
}

/** A decision's fact: that which the address names, else the one that was run last. */
export function useFact(decisionId: string, tests: readonly ModelTest[]): FactState {
  const { api, facts } = useSession();
  const { query } = useRouter();
  const source = query.get('fact') ?? '';
  const [text, setText] = useState(() => facts.last(decisionId)[0] ?? '{}');
  const [isLoading, setLoading] = useState(false);
  /** Since the source was chosen: what was typed is the person's, and neither a late answer nor a model that is read again replaces it. */
  const isTyped = useRef(false);
  useEffect(() => {
    isTyped.current = false;
  }, [source]);
  useEffect(() => {
    const [kind, name = ''] = source.split(':');
    const take = (taken: unknown): void => {
      if (!isTyped.current) setText(formatJson(taken ?? {}));
    };
    if (kind === 'test') take(tests[Number(name)]?.input);
    if (kind !== 'execution') return;
    const controller = new AbortController();
    setLoading(!isTyped.current);
    api
      .execution(name, controller.signal)
      .then(
        ({ fact }) => take(fact),
        // Without the scope, or after its removal, the person's own stays.
        () => undefined,
      )
      .finally(() => {
        if (!controller.signal.aborted) setLoading(false);
      });
    return () => {
      controller.abort();
      setLoading(false);
    };
  }, [api, source, tests]);
  const type = (typed: string): void => {
    isTyped.current = true;
    setLoading(false);
    setText(typed);
  };
  return { text, setText: type, isLoading, source };
}
