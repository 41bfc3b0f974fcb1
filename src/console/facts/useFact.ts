import { useEffect, useRef, useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { ModelTest, Schemas } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { useLoaded } from '../parts/useLoaded.js';

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

/** Of a decision whose schemas could not be read, facts are JSON. */
const none = { input: null, output: null };

/**
 * The schemas of a version's facts and results, 0 for the working copy; null until they are known. They stay while newer ones cannot
 * be read: no form becomes a text, and no text a form, under the fingers of somebody who types in it.
 * @param state another one for each state of what is stored
 */
export function useSchemas(
  id: string,
  version: number,
  state: string | null,
): Pick<Schemas, 'input' | 'output'> | null {
  const { api } = useSession();
  const { value, error } = useLoaded(
    (signal) => api.ask('GET /logic/decisions/{id}/versions/{version}/schema', { id, version }, signal),
    [api, id, version, state],
  );
  const last = useRef<Schemas | null>(null);
  last.current = value ?? last.current;
  return last.current ?? (error === null ? null : none);
}
