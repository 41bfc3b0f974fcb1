import { decisionName } from '../../decisions/decisionName.js';
import { mostNamed, notLookedAt } from '../../changes/notLookedAt.js';
import type { Dependency, PinnedDependency } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import { decisionMeant, namesRun } from '../graph/decisionsRun.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';

/** A decision that another one runs; of a saved version with the content that it keeps. */
export type Run = Dependency & Partial<PinnedDependency>;

/** Which decisions what is told of a version says nothing of, each a link to its own analysis; nothing where it runs none. */
export function NotLookedAt({ runs }: { readonly runs: readonly Run[] }) {
  const named = runs.slice(0, mostNamed);
  const { value: versions } = useVersions(named);
  if (runs.length === 0) return null;
  return (
    <>
      {named.map(({ key, decisionId }, at) => (
        <span key={decisionId}>
          {at > 0 && ', '}
          <Link to={`/decisions/${decisionId}?version=${versions?.get(decisionId) ?? 0}&tab=analysis`}>
            {decisionName(key)}
          </Link>
        </span>
      ))}
      {notLookedAt(runs.length)}.
    </>
  );
}

/** The newest version of each that has the content which is run, 0 for the working copy; null where none has it any more. */
export function useVersions(runs: readonly Run[]) {
  const { api } = useSession();
  return useLoaded<ReadonlyMap<string, number | null>>(
    async (signal) => {
      const found = runs.map(async ({ decisionId: id, contentHash }) => {
        if (contentHash === undefined) return [id, 0] as const;
        const versions = await api.all('GET /logic/decisions/{id}/versions', { id }, signal);
        const same =
          versions.findLast((each) => each.contentHash === contentHash) ??
          [await api.version(id, 0, signal)].find((each) => each.contentHash === contentHash);
        return [id, same?.version ?? null] as const;
      });
      return new Map(await Promise.all(found));
    },
    [api, JSON.stringify(runs)],
  );
}

const none: readonly Run[] = [];

/** The same of a subject on the desk. */
export const NotLookedAtOf = ({ subject }: { readonly subject: Subject }) => <NotLookedAt runs={useRuns(subject)} />;

/** What a subject runs: a saved version as it keeps it, a draft what its nodes name. */
function useRuns({ decision, model, version }: Subject): readonly Run[] {
  const { api } = useSession();
  const names = namesRun(model.nodes);
  const { value } = useLoaded<readonly Run[]>(
    async (signal) => {
      if (names.length === 0) return none;
      if (version !== null && version > 0) return (await api.version(decision.id, version, signal)).dependencies;
      const decisions = await api.decisions(signal);
      const meant = names.map((name) => decisionMeant(name, decision.key, decisions));
      return [...new Set(meant)].flatMap((each) =>
        each === undefined ? [] : [{ key: each.key, decisionId: each.id }],
      );
    },
    [api, decision.id, version, JSON.stringify(names)],
  );
  return value ?? none;
}
