import type { ComponentProps } from 'preact';
import { EnvironmentMark, Facts, versionName } from '../parts/small.js';
import { useNames } from '../parts/useNames.js';
import { Link } from '../shell/address.js';

interface TriedProps extends Pick<ComponentProps<typeof Facts>, 'of'> {
  readonly decisionId: string;
  readonly environmentId: string;
  /** That is tried. */
  readonly version: number;
}

/** What was run again, and on what. */
export function Tried({ decisionId, environmentId, version, of }: TriedProps) {
  const names = useNames().value;
  return (
    <Facts
      of={[
        ['Decision', <Link to={`/decisions/${decisionId}`}>{names?.keyOf(decisionId) ?? decisionId}</Link>],
        ['Candidate', <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>],
        [
          'Environment',
          <Link to={`/executions?decisionId=${decisionId}&environmentId=${environmentId}`}>
            <EnvironmentMark environment={names?.environmentOf(environmentId)} />
          </Link>,
        ],
        ...of,
      ]}
    />
  );
}
