import { Problem } from '../errors.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

const windowMs = 60_000;

/**
 * Refuses what would make more than `maxPerMinute` notifications of a tenant within a minute, over all processes, with
 * `too_many_requests`. Locks the tenant's row until the transaction ends, so that two transactions don't use the same
 * budget; fails with contention where another holds it.
 * @param count how many are to be queued
 */
export async function requireBudget(
  connection: Connection,
  {
    tenantId,
    count,
    maxPerMinute,
  }: { readonly tenantId: string; readonly count: number; readonly maxPerMinute: number },
): Promise<void> {
  const tenant = idToBytes(tenantId);
  await connection('tenants').select('id').where('id', tenant).forUpdate().noWait();
  // An id begins with the milliseconds of its making (UUIDv7). The index hint is needed: without it MariaDB reads the
  // messages of all tenants since then.
  const since = Buffer.alloc(16);
  since.writeUIntBE(Date.now() - windowMs + 1, 0, 6);
  const recent = () =>
    connection(connection.raw('outbox FORCE INDEX (outbox_tenant)'))
      .where('tenant_id', tenant)
      .where('id', '>=', since)
      .whereIn('channel', ['SMS', 'EMAIL']);
  const [row] = await recent().count<{ total: number | string }[]>({ total: '*' });
  const queued = Number(row?.total ?? 0);
  const excess = queued + count - maxPerMinute;
  if (excess <= 0) return;
  // There is room again once that many of the oldest are a minute old.
  const [last] = (await recent()
    .select('id')
    .orderBy('id')
    .limit(1)
    .offset(Math.max(0, Math.min(excess, queued) - 1))) as { id: Buffer }[];
  const leftMs = last === undefined ? windowMs : last.id.readUIntBE(0, 6) + windowMs - Date.now();
  throw new Problem(
    'too_many_requests',
    `The tenant may queue ${maxPerMinute} notifications a minute; nothing was changed.`,
    { retryAfter: Math.max(1, Math.min(leftMs, windowMs) / 1000) },
  );
}
