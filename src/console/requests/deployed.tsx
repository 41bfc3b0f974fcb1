import { useState } from 'preact/hooks';
import type { ChangeRequest } from '../api/types.js';
import { compare, Comparison } from '../compare/comparePage.js';
import { ModelView } from '../graph/modelView.js';
import { Button, Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { Names } from '../parts/useNames.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';

/** Each version that would be deployed, beside the one that it replaces. */
export function Deployed({ request, names }: { readonly request: ChangeRequest; readonly names: Names }) {
  return request.changes.map(
    ({ type, decisionId, version, replaces }) =>
      type === 'deploy' &&
      decisionId !== undefined &&
      version !== undefined && (
        <Version
          key={decisionId}
          decisionId={decisionId}
          name={names.keyOf(decisionId)}
          version={version}
          before={replaces?.version ?? null}
          isOver={request.state === 'APPLIED'}
        />
      ),
  );
}

interface VersionProps {
  readonly decisionId: string;
  readonly name: string;
  readonly version: number;
  readonly before: number | null;
  /** It is deployed by now. */
  readonly isOver: boolean;
}

function Version({ decisionId, name, version, before: from, isOver }: VersionProps) {
  const { api } = useSession();
  const [isOpen, setOpen] = useState(true);
  const compared = useLoaded(
    async (signal) => (from === null ? null : compare(api, { id: decisionId, from, to: version }, signal)),
    [api, decisionId, from, version],
  );
  // Nothing stands beside it: who approves sees all of it.
  const alone = useLoaded(
    async (signal) => (from === null ? api.version(decisionId, version, signal) : null),
    [api, decisionId, from, version],
  );
  const address = `/decisions/${decisionId}`;
  if (from === null) {
    return (
      <>
        <p>
          <Link to={`${address}?version=${version}`}>
            {name} {versionName(version)}
          </Link>
          : {isOver ? 'nothing of it was deployed there before.' : 'nothing of it is deployed there.'}
        </p>
        <Shown loaded={alone}>
          {(shown) => shown !== null && <ModelView {...{ shown }} label={`Graph of ${name}`} opensOnlyNode />}
        </Shown>
      </>
    );
  }
  return (
    <>
      <p>
        <Link to={`${address}/compare?from=${from}&to=${version}`}>
          {name}: {versionName(from)} to {versionName(version)}
        </Link>{' '}
        <Button name="Comparison" aria-expanded={isOpen} aria-description={name} onClick={() => setOpen(!isOpen)} />
      </p>
      {isOpen && <Shown loaded={compared}>{(value) => value !== null && <Comparison {...value} />}</Shown>}
    </>
  );
}
