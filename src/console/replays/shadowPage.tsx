import { Freshness } from '../parts/list.js';
import { PageFrame, percentOf, Shown, Time } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { May, useSession } from '../shell/session.js';
import { Report } from './report.js';
import { Tried } from './tried.js';

/** One shadow: what it tries, and what would have come out otherwise. */
export function ShadowPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/shadows/{id}', { id }, signal), [api, id]);
  return (
    <PageFrame title="Shadow" actions={<Link name="Oversight" class="button" to="/oversight" />}>
      <Shown loaded={loaded}>
        {(shadow) => {
          const { decisionId, environmentId, version, sample, status, createdAt, expiresAt, report } = shadow;
          const replay = `/replays?decision=${decisionId}&version=${version}&environment=${environmentId}&from=${createdAt}`;
          const facts = [
            ['State', status.toLowerCase()],
            ['Tried on', `${percentOf(sample)} % of executions`],
            ['Begun', <Time at={createdAt} />],
            ['Until', <Time at={expiresAt} />],
          ] as const;
          return (
            <>
              <Tried {...shadow} of={facts} />
              <Report {...{ report, decisionId, version }} replayId={null} />
              <p>
                A shadow counts, and keeps no execution.
                <May to="replay:write">
                  {' '}
                  <Link name="Replay the executions since it began" to={replay} /> to see each that comes out otherwise,
                  before and after.
                </May>
              </p>
            </>
          );
        }}
      </Shown>
      <Freshness at={loaded.at} reload={loaded.reload} />
    </PageFrame>
  );
}
