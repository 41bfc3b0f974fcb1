import type { Pair } from '../deployments/routing.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** Whether it was deployed there, at any time; the working copy, which changes, must be deployed now. */
export async function wasInForce(
  connection: Connection,
  { workspaceId, environmentId, decisionId }: Pair,
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
