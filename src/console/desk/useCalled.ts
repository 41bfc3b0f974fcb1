import { useMemo } from 'preact/hooks';
import type { Model } from '../api/types.js';
import type { Called } from '../editor/called.js';
import { decisionMeant, namesRun } from '../graph/decisionsRun.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

const nothing: Called = new Map();

/** What the decisions take and give that a draft runs, as their working copies have it; those that cannot be read are not among them. */
export function useCalled({ nodes }: Model, usedBy: string): Called {
  const { api } = useSession();
  const names = namesRun(nodes);
  const { value: decisions } = useLoaded(
    async (signal) => (names.length === 0 ? [] : api.decisions(signal)),
    [api, names.length === 0],
  );
  const found = names.flatMap((name) => {
    const decision = decisionMeant(name, usedBy, decisions ?? []);
    return decision === undefined ? [] : [[name, decision.id] as const];
  });
  const { value } = useLoaded(
    async (signal) => {
      const read = found.map(async ([name, id]) => {
        const fields = { id, version: 0 };
        const schemas = await api.ask('GET /logic/decisions/{id}/versions/{version}/schema', fields, signal);
        return [name, schemas] as const;
      });
      return (await Promise.allSettled(read)).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    },
    [api, JSON.stringify(found)],
  );
  return useMemo(() => (value === null ? nothing : new Map(value)), [value]);
}
