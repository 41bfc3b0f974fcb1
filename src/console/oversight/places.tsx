import { EnvironmentMark } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import type { Names } from '../parts/useNames.js';
import { Link } from '../shell/address.js';

interface Place {
  readonly decisionId: string;
  readonly environmentId: string;
}

/** Of which decision, and where. */
export const placesOf = ({ keyOf, environmentOf }: Names) =>
  [
    ['Decision', ({ decisionId }: Place) => <Link to={`/decisions/${decisionId}/outcomes`}>{keyOf(decisionId)}</Link>],
    ['Environment', ({ environmentId }: Place) => <EnvironmentMark environment={environmentOf(environmentId)} />],
  ] as const satisfies readonly Column<Place>[];
