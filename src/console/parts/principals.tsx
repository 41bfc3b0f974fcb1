import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { principalName } from '../../workspaces/principalName.js';
import { useMay, useSession } from '../shell/session.js';

/** Scopes by which something is read that names principals. */
const naming = ['decision:read', 'change:read', 'executions:read', 'execution:read', 'audit:read', 'erasure:read'];

type Names = ReadonlyMap<string, string>;

const none: Names = new Map();

/** Asked for once, for many lists show names; what is known stands at once. */
const asked = new WeakMap<Operations, Promise<Names>>();
const known = new WeakMap<Operations, Names>();

async function namesOf(api: Operations): Promise<Names> {
  const named = await api.all('GET /logic/principals', {});
  const names = new Map(named.map(({ principal, name }) => [principal, name]));
  known.set(api, names);
  return names;
}

/** The names of clients by what entries call them (`client:<id>`); empty where the token may see nothing that names them. */
export function usePrincipals(): Names {
  const { api } = useSession();
  const mayRead = naming.some(useMay());
  const [names, setNames] = useState(known.get(api) ?? none);
  useEffect(() => {
    if (!mayRead) return;
    const asking = asked.get(api) ?? namesOf(api).catch(() => none);
    asked.set(api, asking);
    void asking.then(setNames);
  }, [api, mayRead]);
  return names;
}

/** What somebody is called. */
export const nameOf = (names: Names, id: string): string | undefined => names.get(id) ?? principalName(id);

/** Who did something: a name where there is one; the id is the title. */
export function Principal({ id }: { readonly id: string | null }) {
  const names = usePrincipals();
  if (id === null) return <span class="soft">unknown</span>;
  const name = nameOf(names, id);
  if (name === undefined) return <bdi class="wrapped">{id}</bdi>;
  return (
    <span class="principal" title={id}>
      <bdi>{name}</bdi>
    </span>
  );
}
