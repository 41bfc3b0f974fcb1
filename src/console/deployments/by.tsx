import { Principal } from '../parts/principals.js';
import { usePrincipals } from '../shell/session.js';

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
      {!isSame && (
        <>
          {' '}
          for <bdi>{claim}</bdi>
        </>
      )}
    </>
  );
}
