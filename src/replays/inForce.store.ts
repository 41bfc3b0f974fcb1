import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** Where a version runs. */
interface DecisionRef {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
}

/**
 * Whether somebody who may deploy has let the version run in the environment: a saved one at any time, the working copy (0),
 * which may have changed since, now.
 */
export async function wasInForce(
  connection: Connection,
  { workspaceId, environmentId, decisionId }: DecisionRef,
  version: number,
): Promise<boolean> {
  const index = version > 0 ? 'routings_version' : 'routings_pair';
  const rows = connection(connection.raw('?? FORCE INDEX (??)', ['routings', index]))
    .select('version')
    .where({
      workspace_id: idToBytes(workspaceId),
      environment_id: idToBytes(environmentId),
      decision_id: idToBytes(decisionId),
    })
    .orderBy('seq', 'desc')
    .limit(1);
  if (version > 0) rows.where({ version });
  const [row] = (await rows) as { version: number }[];
  return row?.version === version;
}
