import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** A decision of which a version is in force in an environment. */
export interface DeployedDecision {
  readonly decisionId: string;
  readonly key: string;
  readonly version: number;
}

/** Most decisions of an environment that are offered as tools. */
const maxDeployed = 1000;

/** The decisions that are deployed to an environment, the oldest decision first; `undefined` where there is no such environment. */
export async function listDeployed(
  connection: Connection,
  workspaceId: string,
  environmentId: string,
): Promise<readonly DeployedDecision[] | undefined> {
  const workspace = idToBytes(workspaceId);
  const environment = idToBytes(environmentId);
  const found = await connection('environments').select('id').where({ workspace_id: workspace, id: environment });
  if (found.length === 0) return undefined;
  const [rows] = (await connection.raw(
    `SELECT d.id, d.decision_key, r.version
       FROM (SELECT decision_id, MAX(seq) AS seq FROM routings FORCE INDEX (routings_pair)
              WHERE workspace_id = ? AND environment_id = ?
              GROUP BY decision_id ORDER BY decision_id LIMIT ?) n
       JOIN routings r ON r.seq = n.seq
       JOIN decisions d ON d.workspace_id = ? AND d.id = n.decision_id
      ORDER BY d.id`,
    [workspace, environment, maxDeployed, workspace],
  )) as [{ id: Buffer; decision_key: string; version: number }[]];
  return rows.map(({ id, decision_key: key, version }) => ({ decisionId: idFromBytes(id), key, version }));
}
