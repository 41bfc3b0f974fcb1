import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** Decisions whose working copies are in force in protected environments; one index entry where none is protected. */
export async function protectedCopies(connection: Connection, workspaceId: string): Promise<string[]> {
  const [rows] = (await connection.raw(
    `SELECT DISTINCT STRAIGHT_JOIN r.decision_id
       FROM protections p
       JOIN routing_heads h ON h.workspace_id = p.workspace_id AND h.environment_id = p.environment_id
       JOIN routings r ON r.seq = (
         SELECT n.seq FROM routings n FORCE INDEX (routings_pair)
          WHERE n.workspace_id = h.workspace_id AND n.environment_id = h.environment_id AND n.decision_id = h.decision_id
          ORDER BY n.seq DESC LIMIT 1)
      WHERE p.workspace_id = ? AND r.version = 0`,
    [idToBytes(workspaceId)],
  )) as [{ decision_id: Buffer }[]];
  return rows.map((row) => idFromBytes(row.decision_id));
}
