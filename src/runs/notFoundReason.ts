import type { Knex } from 'knex';
import { Problem, notInWorkspace } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import type { Pair } from '../deployments/routing.js';

/** Why a pair has no routing: there is no such environment, no such decision, or no deployment. */
export async function notFoundReason(
  database: Knex,
  { workspaceId, environmentId, decisionId }: Pair,
): Promise<Problem> {
  const exists = async (table: 'environments' | 'decisions', id: string): Promise<boolean> => {
    const rows = await database(table)
      .select('id')
      .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });
    return rows.length > 0;
  };
  if (!(await exists('environments', environmentId))) return notInWorkspace('environment', environmentId);
  if (!(await exists('decisions', decisionId))) return notInWorkspace('decision', decisionId);
  return new Problem('routing_not_found', 'The decision is not deployed to this environment.');
}
