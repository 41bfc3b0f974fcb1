import { permitted } from '../api/client.js';
import type { Environment } from '../api/types.js';
import { ProtectedNote } from '../deployments/protected.js';
import { EnvironmentMark, PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { Hosts } from './hosts.js';
import { Variables } from './variables.js';

/** What an environment gives to the decisions that run in it: variables, and the hosts that they may call. */
export function EnvironmentPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.environment(id, signal), [api, id]);
  return (
    <PageFrame
      title={loaded.value?.name ?? 'Environment'}
      actions={
        <>
          <Link class="button" to={`/executions?environmentId=${id}`}>
            Executions
          </Link>
          <Link class="button" to={`/audit?resourceId=${id}`}>
            Audit
          </Link>
        </>
      }
    >
      <Shown loaded={loaded}>{(environment) => <About environment={environment} />}</Shown>
      <ProtectionOf environment={loaded.value} />
      <Variables environmentId={id} />
      <Hosts environmentId={id} />
    </PageFrame>
  );
}

const About = ({ environment }: { readonly environment: Environment }) => (
  <p>
    <EnvironmentMark environment={environment} />
    {environment.description !== null && <span class="soft"> {environment.description}</span>}
  </p>
);

function ProtectionOf({ environment }: { readonly environment: Environment | null }) {
  const { api } = useSession();
  const { value } = useLoaded((signal) => permitted(api.protections(signal), []), [api]);
  const protection = value?.find(({ environmentId }) => environmentId === environment?.id);
  if (environment === null || protection === undefined) return null;
  return <ProtectedNote environment={environment} protection={protection} />;
}
