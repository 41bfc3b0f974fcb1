import type { Environment, EnvironmentProtection, Protection } from '../api/types.js';
import { count, EnvironmentMark, Icon, percentOf } from '../parts/small.js';
import { allOf } from '../graph/fields.js';
import { Link } from '../shell/address.js';
import { useMay } from '../shell/session.js';

/** How environments are protected, by their ids. */
export type Protections = ReadonlyMap<string, EnvironmentProtection>;

export const byEnvironment = (protections: readonly EnvironmentProtection[]): Protections =>
  new Map(protections.map((protection) => [protection.environmentId, protection]));

export const ProtectedMark = () => (
  <span class="mark">
    <Icon name="lock" /> protected
  </span>
);

interface ProtectedNoteProps {
  readonly environment: Environment;
  readonly protection: EnvironmentProtection;
}

/** What it means that an environment is protected, and where a change of it is asked for. */
export function ProtectedNote({ environment, protection }: ProtectedNoteProps) {
  const may = useMay();
  return (
    <p class="note">
      <EnvironmentMark environment={environment} /> is protected: what runs there changes by a change request, which
      needs {needsOf(protection)}. Going back to what was in force there before needs none.{' '}
      {may('change:write') && (
        <Link
          to={`/requests?new=yes&environment=${environment.id}`}
          aria-label={`Open a change request for ${environment.name}`}
        >
          Open a change request
        </Link>
      )}
    </p>
  );
}

/** What a change of an environment needs, in words. */
export function needsOf({ approvals, authorMayApprove, requires }: Protection): string {
  const { tests, analysis, replay, coverage } = requires;
  return allOf([
    `${count(approvals, 'approval')}${authorMayApprove ? '' : ' by others than its authors'}`,
    ...(tests ? ['tests that pass'] : []),
    ...(analysis ? ['an analysis without a proved fault'] : []),
    ...(replay === null ? [] : [`a replay with ${replay}`]),
    ...(coverage === null ? [] : [`tests that reach ${percentOf(coverage)} % of all rows`]),
  ]);
}
