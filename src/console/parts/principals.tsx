import { principalName } from '../../workspaces/principalName.js';
import { usePrincipals, type ClientNames } from '../shell/session.js';

/** What somebody is called. */
export const nameOf = (names: ClientNames, id: string): string | undefined => names.get(id) ?? principalName(id);

/** Who did something: a name where there is one; the id is the title. */
export function Principal({ id }: { readonly id: string | null }) {
  const names = usePrincipals(id);
  if (id === null) return <span class="soft">unknown</span>;
  const name = nameOf(names, id);
  if (name === undefined) return <bdi class="wrapped">{id}</bdi>;
  return (
    <span class="principal" title={id}>
      <bdi>{name}</bdi>
    </span>
  );
}

interface ByProps {
  /** Whose token it was; undefined where that is not known, or may not be read. */
  readonly principal: string | undefined;
  /** Who it was by the deployment's own words. */
  readonly claim: string;
}

/** Who deployed: the token's principal first, then what was claimed where that says anything else. */
export function By({ principal, claim }: ByProps) {
  const names = usePrincipals();
  if (principal === undefined) return <bdi>{claim}</bdi>;
  const isSame = [principal, names.get(principal), 'console'].includes(claim);
  return (
    <>
      <Principal id={principal} />
      {!isSame && [' for ', <bdi key="claim">{claim}</bdi>]}
    </>
  );
}
