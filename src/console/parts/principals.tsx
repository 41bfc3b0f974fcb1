import { permitted } from '../api/client.js';
import { useSession } from '../shell/session.js';
import { useLoaded } from './useLoaded.js';

/** The names of clients by what entries call them (`client:<id>`); empty where the token may not see them. */
export function usePrincipals(): ReadonlyMap<string, string> {
  const { api } = useSession();
  const loaded = useLoaded((signal) => permitted(api.clients(signal), []), [api]);
  return new Map((loaded.value ?? []).map(({ id, name }) => [`client:${id}`, name]));
}

interface PrincipalProps {
  readonly id: string | null;
  readonly names: ReadonlyMap<string, string>;
}

/** Who did something: a name where there is one, with the id beside it. */
export function Principal({ id, names }: PrincipalProps) {
  if (id === null) return <span class="soft">unknown</span>;
  const name = names.get(id);
  if (name === undefined) return <bdi class="wrapped">{id}</bdi>;
  return (
    <span class="principal" title={id}>
      <bdi>{name}</bdi> <code class="soft small">{id.slice(0, 'client:01234567'.length)}…</code>
    </span>
  );
}
