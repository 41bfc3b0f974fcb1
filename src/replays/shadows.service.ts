import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import type { Violation } from '../errors.js';
import { parseTimestamp } from '../formats.js';
import type { Writing } from '../resource/write.js';
import type { EnvironmentRef, ResourceRef } from '../storage/resourceTable.js';
import { settingsOf } from './replayPlan.js';
import { requireStartable } from './requireStartable.js';
import { maxDays, type CreateShadow } from './shadows.schema.js';
import { running, shadows, statusOf, type StoredShadow } from './shadows.store.js';
import { Tallies } from './tallies.js';

const dayMs = 24 * 60 * 60 * 1000;

/** That the time when a shadow is to end is over already, or too far away. */
export function findExpiryViolations({ expiresAt }: Readonly<Record<string, unknown>>): readonly Violation[] {
  const date = typeof expiresAt === 'string' ? parseTimestamp(expiresAt) : undefined;
  if (date === undefined) return [];
  const fromNow = date.getTime() - Date.now();
  if (fromNow > 0 && fromNow <= maxDays * dayMs) return [];
  return [{ in: 'body', pointer: '/expiresAt', message: `must be in the future, and at most ${maxDays} days away` }];
}

/** Starts a shadow. Rejects as `requireStartable` does. */
export function createShadow(writer: Writer, workspaceId: string, request: CreateShadow): Promise<StoredShadow> {
  // By the schema.
  const expiresAt = parseTimestamp(request.expiresAt) ?? new Date(0);
  const requestText = JSON.stringify({ ...request, expiresAt: expiresAt.toISOString() });
  const report = new Tallies().report(settingsOf(request));
  const fields = { request: requestText, report, expiresAt, endedAt: null };
  return shadows.create(writer, workspaceId, fields, async (transaction) => {
    await requireStartable(transaction, workspaceId, {
      ...{ what: 'shadow', running: running(transaction), most: 10, retryAfter: 60 },
      ...{ references: request, version: '/version' },
    });
    return { tallies: '' };
  });
}

/** Ends the shadows that run of an environment which is removed: none of its executions is left to be run again. */
export async function endShadowsOf(
  { database, actor }: { readonly database: Knex.Transaction; readonly actor: Actor },
  { workspaceId, environmentId }: EnvironmentRef,
): Promise<void> {
  const rows = shadows.rows(database, workspaceId).whereNull('ended_at').where('expires_at', '>', new Date());
  for (const before of ((await rows.orderBy('id').forUpdate()) as object[]).map(shadows.map)) {
    const asked = JSON.parse(before.request) as CreateShadow;
    if (asked.environmentId !== environmentId) continue;
    const ref = { workspaceId, id: before.id };
    const request = JSON.stringify({ ...asked, reason: 'environment_removed' });
    await shadows.update(database, ref, { endedAt: new Date(), request });
    const entry = shadows.entryOf(actor, workspaceId, before, await shadows.require(database, ref));
    await appendAuditEntries(database, [{ ...entry, action: 'shadow.cancel' }]);
  }
}

/** Ends one that runs, and removes one that has ended. Rejects with the 404, and with `precondition_failed`. */
export const endShadow = (database: Knex, writing: Writing<ResourceRef, StoredShadow>): Promise<unknown> =>
  shadows.write(database, writing, async (transaction, present) => {
    if (statusOf(present) !== 'RUNNING') {
      await shadows.delete(transaction, writing.ref);
      return { after: null };
    }
    await shadows.update(transaction, writing.ref, { endedAt: new Date() });
    return { after: await shadows.require(transaction, writing.ref), action: 'shadow.cancel' as const };
  });
