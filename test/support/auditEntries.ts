import type { Knex } from 'knex';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';

/** What a test looks at of an audit entry. */
export interface Written {
  readonly action: string;
  readonly principal: string;
  readonly requestId: string | null;
}

/**
 * What was appended while `work` ran, in order. Tests come one after the other, so nobody else writes meanwhile; but one whose
 * clock was ahead may have left entries with ids of a time to come.
 */
export async function written(database: Knex, work: () => Promise<unknown>): Promise<Written[]> {
  const since = idToBytes(newId());
  const ahead = (await database('audit_entries').select('id').where('id', '>', since)) as { id: Buffer }[];
  await work();
  const rows = (await database('audit_entries')
    .where('id', '>', since)
    .whereNotIn(
      'id',
      ahead.map(({ id }) => id),
    )
    .orderBy('id')) as { action: string; principal: string; request_id: Buffer | null }[];
  return rows.map(({ action, principal, request_id: requestId }) => ({
    action,
    principal,
    requestId: requestId && idFromBytes(requestId),
  }));
}
