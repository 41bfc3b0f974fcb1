import { useRef } from 'preact/hooks';
import type { Schemas } from '../api/types.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

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
