import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { useMay, useSession } from '../shell/session.js';

type Names = ReadonlyMap<string, string>;

const none: Names = new Map();

/** Asked for once, for many lists show names; what is known stands at once. */
const asked = new WeakMap<Operations, Promise<Names>>();
const known = new WeakMap<Operations, Names>();

async function namesOf(api: Operations): Promise<Names> {
  const clients = await api.all('GET /core/v1/clients', {});
  const names = new Map(clients.map(({ id, name }) => [`client:${id}`, name]));
  known.set(api, names);
  return names;
}

/** The names of clients by what entries call them (`client:<id>`); empty where the token may not see them. */
export function usePrincipals(): Names {
  const { api } = useSession();
  const mayRead = useMay()('clients:read');
  const [names, setNames] = useState(known.get(api) ?? none);
  useEffect(() => {
    if (!mayRead) return;
    const asking = asked.get(api) ?? namesOf(api).catch(() => none);
    asked.set(api, asking);
    void asking.then(setNames);
  }, [api, mayRead]);
  return names;
}

/** Who did something: a name where there is one; the id is the title. */
export function Principal({ id }: { readonly id: string | null }) {
  const name = usePrincipals().get(id ?? '');
  if (id === null) return <span class="soft">unknown</span>;
  if (name === undefined) return <bdi class="wrapped">{id}</bdi>;
  return (
    <span class="principal" title={id}>
      <bdi>{name}</bdi>
    </span>
  );
}
