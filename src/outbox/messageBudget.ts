import { Problem } from '../errors.js';
import { type Connection, inMs, now } from '../storage/database.js';
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
  // By the database's clock, by which messages are made: an id is the time of a server, which may be ahead. The index
  // hint is needed: without it MariaDB reads all messages of the tenant.
  const recent = () =>
    connection(connection.raw('outbox FORCE INDEX (outbox_created)'))
      .where('tenant_id', tenant)
      .where('created_at', '>', inMs(connection, -windowMs))
      .where('created_at', '<=', connection.raw(now))
      .whereIn('channel', ['SMS', 'EMAIL']);
  const [row] = await recent().count<{ total: number | string }[]>({ total: '*' });
  const queued = Number(row?.total ?? 0);
  const excess = queued + count - maxPerMinute;
  if (excess <= 0) return;
  // There is room again once that many of the oldest are a minute old.
  const [last] = (await recent()
    .select({ ageMs: connection.raw(`TIMESTAMPDIFF(MICROSECOND, created_at, ${now}) / 1000`) })
    .orderBy('created_at')
    .limit(1)
    .offset(Math.max(0, Math.min(excess, queued) - 1))) as { ageMs: number | string }[];
  const leftMs = windowMs - Number(last?.ageMs ?? 0);
  throw new Problem(
    'too_many_requests',
    `The tenant may queue ${maxPerMinute} notifications a minute; nothing was changed.`,
    { retryAfter: Math.max(1, Math.min(leftMs, windowMs) / 1000) },
  );
}
