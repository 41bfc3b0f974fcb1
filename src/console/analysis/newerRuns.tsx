import { decisionName } from '../../decisions/decisionName.js';
import type { Subject } from '../desk/subject.js';
import { versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { useVersions, type Run } from './notLookedAt.js';

const none: readonly Run[] = [];

/** Which decisions have a newer version than the one that a saved version runs; of a draft its newest version is looked at. */
export function NewerRuns({ subject: { decision, version } }: { readonly subject: Subject }) {
  const { api } = useSession();
  const saved = version === null || version === 0 ? decision.latestVersion : version;
  const { value: found } = useLoaded(
    async (signal) =>
      saved === null
        ? null
        : {
            runs: (await api.version(decision.id, saved, signal)).dependencies,
            newest: new Map((await api.decisions(signal)).map((each) => [each.id, each.latestVersion])),
          },
    [api, decision.id, saved],
  );
  const { value: versions } = useVersions(found?.runs ?? none);
  if (saved === null || found === null || versions === null) return null;
  return (
    <>
      {found.runs.map(({ key, decisionId: id }) => {
        const [run, newest] = [versions.get(id), found.newest.get(id) ?? null];
        // Its working copy, which no version has yet, is newer than all of them.
        if (run === undefined || run === 0 || newest === null || run === newest) return null;
        return (
          <p key={id}>
            {versionName(saved)} runs {decisionName(key)}{' '}
            {run === null ? (
              `as it was when ${versionName(saved)} was saved`
            ) : (
              <Link to={`/decisions/${id}?version=${run}`}>{versionName(run)}</Link>
            )}
            , of which <Link to={`/decisions/${id}?version=${newest}`}>{versionName(newest)}</Link> is the newest: that
            comes with the next version of this one.
          </p>
        );
      })}
    </>
  );
}
