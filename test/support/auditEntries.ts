import type { Knex } from 'knex';
import { idFromBytes } from '../../src/storage/ids.js';

/** What a test looks at of an audit entry. */
export interface Written {
  readonly action: string;
  readonly principal: string;
  readonly requestId: string | null;
}

/** What was appended while `work` ran, in order. Tests come one after the other, so nobody else writes meanwhile. */
export async function written(database: Knex, work: () => Promise<unknown>): Promise<Written[]> {
  const [last] = await database('audit_entries').select<{ id: Buffer }[]>('id').orderBy('id', 'desc').limit(1);
  await work();
  const rows = (await database('audit_entries')
    .where('id', '>', last?.id ?? Buffer.alloc(16))
    .orderBy('id')) as { action: string; principal: string; request_id: Buffer | null }[];
  return rows.map(({ action, principal, request_id: requestId }) => ({
    action,
    principal,
    requestId: requestId && idFromBytes(requestId),
  }));
}
