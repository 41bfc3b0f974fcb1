import type { Decision, Version } from '../api/types.js';
import { useSession } from '../shell/session.js';
import { useLoaded, type Loaded } from './useLoaded.js';

interface About {
  readonly decision: Decision;
  readonly versions: readonly Version[];
}

/** A decision and its versions. */
export function useAbout(id: string): Loaded<About> {
  const { api } = useSession();
  return useLoaded(
    async (signal) => {
      const [decision, versions] = await Promise.all([
        api.ask('GET /logic/decisions/{id}', { id }, signal),
        api.all('GET /logic/decisions/{id}/versions', { id }, signal),
      ]);
      return { decision, versions };
    },
    [api, id],
  );
}
