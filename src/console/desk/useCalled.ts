import { useMemo } from 'preact/hooks';
import type { Decision, Model } from '../api/types.js';
import type { Called } from '../editor/called.js';
import { membersOf, textOf } from '../graph/fields.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

const nothing: Called = new Map();

/** What the decisions take and give that a draft runs, as their working copies have it; those that cannot be read are not among them. */
export function useCalled({ nodes }: Model, usedBy: string): Called {
  const { api } = useSession();
  const names = [
    ...new Set(
      nodes.flatMap(({ type, content }) => (type === 'decisionNode' ? textOf(membersOf(content)['key']) : [])),
    ),
  ];
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

/** The decision that a node's name means: by its own key, or seen from the folder of the decision that uses it, with or without `.json`. */
export function decisionMeant(name: string, usedBy: string, decisions: readonly Decision[]): Decision | undefined {
  if (name === '') return undefined;
  const folder = usedBy.slice(0, usedBy.lastIndexOf('/') + 1);
  const path = new URL((folder + name).split('/').map(encodeURIComponent).join('/'), 'http://key/').pathname.slice(1);
  const relative = decodeURIComponent(path);
  return [name, relative, `${relative}.json`, `${name}.json`]
    .map((key) => decisions.find((each) => each.key === key || each.id === key))
    .find((decision) => decision !== undefined);
}
