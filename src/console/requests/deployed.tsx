import { useState } from 'preact/hooks';
import type { ChangeRequest, Deployment } from '../api/types.js';
import { permitted } from '../api/client.js';
import { Comparison, type Compared } from '../compare/comparePage.js';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface DeployedProps {
  readonly request: ChangeRequest;
  readonly names: Names;
}

/** Each version that would be deployed, beside the one that is in force there. */
export function Deployed({ request, names }: DeployedProps) {
  const { api } = useSession();
  const deployments = useLoaded(async (signal) => permitted(api.deployments(signal), []), [api]);
  return (
    <Shown loaded={deployments}>
      {(list) =>
        request.changes.map(
          ({ type, decisionId, version }) =>
            type === 'deploy' &&
            decisionId !== undefined &&
            version !== undefined && (
              <Version
                key={decisionId}
                decisionId={decisionId}
                name={names.keyOf(decisionId)}
                version={version}
                before={before(list, request, decisionId)}
              />
            ),
        )
      }
    </Shown>
  );
}

/** The version in force, or the one that was when the request was applied. @param list oldest first */
function before(list: readonly Deployment[], request: ChangeRequest, decisionId: string): number | null {
  const there = list.filter((each) => each.decisionId === decisionId && each.environmentId === request.environmentId);
  const own = there.findIndex(({ id }) => request.deploymentIds.includes(id));
  return (own < 0 ? there.at(-1) : there[own - 1])?.version ?? null;
}

interface VersionProps {
  readonly decisionId: string;
  readonly name: string;
  readonly version: number;
  readonly before: number | null;
}

function Version({ decisionId, name, version, before: from }: VersionProps) {
  const { api } = useSession();
  const [isOpen, setOpen] = useState(true);
  const compared = useLoaded(
    async (signal): Promise<Compared | null> => {
      if (from === null) return null;
      const [before, after, differences] = await Promise.all([
        api.version(decisionId, from, signal),
        api.version(decisionId, version, signal),
        api.differences(decisionId, from, version, signal),
      ]);
      return { before, after, differences };
    },
    [api, decisionId, from, version],
  );
  const address = `/decisions/${decisionId}`;
  if (from === null) {
    return (
      <p>
        <Link to={`${address}?version=${version}`}>
          {name} {versionName(version)}
        </Link>
        : nothing of it is deployed there.
      </p>
    );
  }
  return (
    <>
      <p>
        <Link to={`${address}/compare?from=${from}&to=${version}`}>
          {name}: {versionName(from)} to {versionName(version)}
        </Link>{' '}
        <button type="button" aria-expanded={isOpen} aria-description={name} onClick={() => setOpen(!isOpen)}>
          Comparison
        </button>
      </p>
      {isOpen && <Shown loaded={compared}>{(value) => value !== null && <Comparison {...value} />}</Shown>}
    </>
  );
}
