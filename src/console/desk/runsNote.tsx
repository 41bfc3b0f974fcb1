import type { Dependency } from '../api/types.js';
import { runsText } from '../requests/runs.js';

/** Which content of the decisions that it runs the version has that was saved. */
export const RunsNote = ({
  version,
  runs,
}: {
  readonly version: number | null;
  readonly runs: readonly Dependency[];
}) => <p role="status">{runsText(version, runs)}</p>;
