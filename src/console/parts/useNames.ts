import { decisionName } from '../../decisions/decisionName.js';
import { permitted } from '../api/client.js';
import type { Decision, Environment } from '../api/types.js';
import { useSession } from '../shell/session.js';
import { useLoaded, type Loaded } from './useLoaded.js';

/** What ids in lists stand for; empty where the token may not see it. */
export interface Names {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
  /** What a decision is called. */
  readonly keyOf: (decisionId: string) => string;
  readonly environmentOf: (id: string) => Environment | undefined;
}

/** The workspace's decisions and environments. */
export function useNames(): Loaded<Names> {
  const { api } = useSession();
  return useLoaded(
    async (signal) => {
      const [decisions, environments] = await Promise.all([
        permitted(api.decisions(signal), []),
        permitted(api.all('GET /logic/environments', {}, signal), []),
      ]);
      const keys = new Map(decisions.map(({ id, key }) => [id, decisionName(key)]));
      const byId = new Map(environments.map((environment) => [environment.id, environment]));
      return {
        decisions,
        environments,
        keyOf: (id) => keys.get(id) ?? id,
        environmentOf: (id) => byId.get(id),
      };
    },
    [api],
  );
}
