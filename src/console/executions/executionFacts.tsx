import type { Execution } from '../api/types.js';
import { Copied } from '../parts/copied.js';
import { Principal } from '../parts/principals.js';
import { EnvironmentMark, Fact, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames } from '../parts/useNames.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';

/** What ran where, when and for whom; each part leads to more of its kind. */
export function ExecutionFacts({ execution }: { readonly execution: Execution }) {
  const { api } = useSession();
  const { id, decisionId, environmentId, deploymentId, version, reference, principal, requestId, createdAt } =
    execution;
  const named = useNames().value;
  const deployment = useLoaded(
    // It may be gone by now, or withheld.
    (signal) => api.ask('GET /logic/deployments/{id}', { id: deploymentId }, signal).catch(() => null),
    [api, deploymentId],
  );
  return (
    <dl class="facts">
      <Fact name="Id">
        <Copied text={id} name="id" />
      </Fact>
      <Fact name="When">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Decision">
        <Link to={`/decisions/${decisionId}?version=${version}`}>
          {named?.keyOf(decisionId) ?? decisionId} {versionName(version)}
        </Link>
      </Fact>
      <Fact name="Environment">
        <Link to={`/executions?environmentId=${environmentId}`}>
          {named === null ? environmentId : <EnvironmentMark environment={named.environmentOf(environmentId)} />}
        </Link>
      </Fact>
      <Fact name="Deployment">
        <Link to={`/executions?deploymentId=${deploymentId}`}>{deployment.value?.name ?? deploymentId}</Link>
      </Fact>
      <Fact name="Reference">
        {reference === null ? (
          <span class="soft">none</span>
        ) : (
          <Link to={`/executions?reference=${encodeURIComponent(reference)}`}>{reference}</Link>
        )}
      </Fact>
      <Fact name="By">
        <Principal id={principal} />
      </Fact>
      <Fact name="Request">
        <Link to={`/executions?requestId=${requestId}`}>{requestId}</Link>
      </Fact>
    </dl>
  );
}
