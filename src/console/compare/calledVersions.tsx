import type { PinnedDependency, VersionWithContent } from '../api/types.js';
import { useVersions } from '../analysis/notLookedAt.js';
import { decisionName } from '../decisions/tree.js';
import { Section, versionName } from '../parts/small.js';
import { Few } from '../parts/table.js';
import { Link } from '../shell/address.js';

type Runs = Pick<VersionWithContent, 'dependencies'>;

/** A decision that two versions run with different contents, or that only one of them runs. */
interface Changed {
  readonly before: PinnedDependency | undefined;
  readonly after: PinnedDependency | undefined;
}

/** What of the decisions that they run is another one, in either order of theirs. */
export function changedRuns(before: Runs, after: Runs): readonly Changed[] {
  const old = new Map(before.dependencies.map((each) => [each.decisionId, each]));
  const young = new Map(after.dependencies.map((each) => [each.decisionId, each]));
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((id) => ({ before: old.get(id), after: young.get(id) }))
    .filter((each) => each.before?.contentHash !== each.after?.contentHash);
}

/** Each decision that they run with other contents, from which version to which, with a link to what changes in it. */
export function CalledVersions({ changed }: { readonly changed: readonly Changed[] }) {
  const { value: old } = useVersions(changed.flatMap(({ before }) => before ?? []));
  const { value: young } = useVersions(changed.flatMap(({ after }) => after ?? []));
  if (changed.length === 0) return null;
  return (
    <Section label="What changes in decisions that they run">
      <ul>
        <Few of={changed}>
          {({ before, after }) => {
            const { key = '', decisionId: id = '' } = after ?? before ?? {};
            return <li key={id}>{lineOf(id, decisionName(key), before && old?.get(id), after && young?.get(id))}</li>;
          }}
        </Few>
      </ul>
    </Section>
  );
}

/** @param from undefined where the earlier one does not run it, or it is not known yet; null where no version has that content */
function lineOf(id: string, name: string, from: number | null | undefined, to: number | null | undefined) {
  const decision = <Link to={`/decisions/${id}?version=${to ?? from ?? 0}`}>{name}</Link>;
  if (from === undefined && to === undefined) return <>{decision}</>;
  if (from === undefined) return <>{decision} is run by the later one only</>;
  if (to === undefined) return <>{decision} is run by the earlier one only</>;
  if (from === null || to === null)
    return (
      <>
        {decision}: {stateName(from)} to {stateName(to)}
      </>
    );
  return (
    <Link to={`/decisions/${id}/compare?from=${from}&to=${to}`}>
      {name}: {stateName(from)} to {stateName(to)}
    </Link>
  );
}

const stateName = (version: number | null): string =>
  version === null ? 'a working copy that is no more' : versionName(version);
