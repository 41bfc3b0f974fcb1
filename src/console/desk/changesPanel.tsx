import type { Decision } from '../api/types.js';
import { Shown, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';

/** The versions of a decision, the newest first: who saved each, when and why. */
export function ChangesPanel({ decision: { id, latestVersion } }: { readonly decision: Decision }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.versions(id, signal), [api, id, latestVersion]);
  return (
    <Shown loaded={loaded}>
      {(versions) =>
        versions.length === 0 ? (
          <p class="soft">No version was saved yet.</p>
        ) : (
          <ol class="changes">
            {[...versions].reverse().map(({ version, message, savedBy, createdAt }) => (
              <li key={version}>
                <Link to={`/decisions/${id}?version=${version}`}>{versionName(version)}</Link>{' '}
                {message === null ? <span class="soft">no message</span> : <b>{message}</b>}
                <div class="soft small">
                  <bdi>{savedBy}</bdi>, <Time at={createdAt} /> ·{' '}
                  <Link to={`/decisions/${id}/compare?from=${version}&to=0`}>compare with the working copy</Link>
                </div>
              </li>
            ))}
          </ol>
        )
      }
    </Shown>
  );
}
