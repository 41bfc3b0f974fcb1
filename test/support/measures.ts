import { idToBytes } from '../../src/storage/ids.js';
import { testDatabase } from './scene.js';

/** As if all that a workspace executed had been two hours ago: an hour is counted anew once it is over. */
export async function intoThePast(workspaceId: string): Promise<void> {
  const earlier = "LPAD(HEX(CAST(CONV(HEX(LEFT(id, 6)), 16, 10) AS UNSIGNED) - 7200000), 12, '0')";
  const database = testDatabase();
  await database('executions')
    .where({ workspace_id: idToBytes(workspaceId) })
    .update({ id: database.raw(`UNHEX(CONCAT(${earlier}, SUBSTRING(HEX(id), 13)))`) });
  await database('measures')
    .where({ workspace_id: idToBytes(workspaceId) })
    .update({ hour: database.raw('TIMESTAMPADD(HOUR, -2, hour)') });
}
