import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { useSession } from '../shell/session.js';

type Names = ReadonlyMap<string, string>;

const none: Names = new Map();

/** Asked for once, for many lists show names. */
const asked = new WeakMap<Operations, Promise<Names>>();

const namesOf = async (api: Operations): Promise<Names> =>
  new Map((await api.all('GET /core/v1/clients', {})).map(({ id, name }) => [`client:${id}`, name]));

/** The names of clients by what entries call them (`client:<id>`); empty where the token may not see them. */
export function usePrincipals(): Names {
  const { api, who } = useSession();
  const [names, setNames] = useState(none);
  const mayRead = who.scopes === null || who.scopes.has('clients:read');
  useEffect(() => {
    if (!mayRead) return;
    let isCurrent = true;
    const asking = asked.get(api) ?? namesOf(api).catch(() => none);
    asked.set(api, asking);
    void asking.then((found) => {
      if (isCurrent) setNames(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [api, mayRead]);
  return names;
}

interface PrincipalProps {
  readonly id: string | null;
  readonly names: Names;
}

/** Who did something: a name where there is one; the id is the title. */
export function Principal({ id, names }: PrincipalProps) {
  if (id === null) return <span class="soft">unknown</span>;
  const name = names.get(id);
  if (name === undefined) return <bdi class="wrapped">{id}</bdi>;
  return (
    <span class="principal" title={id}>
      <bdi>{name}</bdi>
    </span>
  );
}
