import type { Execution } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Copied } from '../parts/copied.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { EnvironmentMark, Fact, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';

/** What ran where, when and for whom; each part leads to more of its kind. */
export function ExecutionFacts({ execution }: { readonly execution: Execution }) {
  const { api } = useSession();
  const { id, decisionId, environmentId, deploymentId, version, reference, principal, requestId, createdAt } =
    execution;
  const names = usePrincipals();
  const named = useLoaded(
    async (signal) => {
      const [decision, environments, deployment] = await Promise.all([
        api.ask('GET /logic/decisions/{id}', { id: decisionId }, signal),
        api.all('GET /logic/environments', {}, signal),
        // It may be gone by now, or withheld.
        api.ask('GET /logic/deployments/{id}', { id: deploymentId }, signal).catch(() => null),
      ]);
      return { decision, environment: environments.find((each) => each.id === environmentId), deployment };
    },
    [api, decisionId, environmentId],
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
          {decisionName(named.value?.decision.key ?? decisionId)} {versionName(version)}
        </Link>
      </Fact>
      <Fact name="Environment">
        <Link to={`/executions?environmentId=${environmentId}`}>
          {named.value === null ? environmentId : <EnvironmentMark environment={named.value.environment} />}
        </Link>
      </Fact>
      <Fact name="Deployment">
        <Link to={`/executions?deploymentId=${deploymentId}`}>{named.value?.deployment?.name ?? deploymentId}</Link>
      </Fact>
      <Fact name="Reference">
        {reference === null ? (
          <span class="soft">none</span>
        ) : (
          <Link to={`/executions?reference=${encodeURIComponent(reference)}`}>{reference}</Link>
        )}
      </Fact>
      <Fact name="By">
        <Principal id={principal} names={names} />
      </Fact>
      <Fact name="Request">
        <Link to={`/executions?requestId=${requestId}`}>{requestId}</Link>
      </Fact>
    </dl>
  );
}
