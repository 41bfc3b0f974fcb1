import { appendAuditEntries, type Actor, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { parseTimestamp } from '../http/routes/formats.js';
import { requireMatch } from '../http/routes/preconditions.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import { maxDays, type CreateShadow, type ShadowStatus } from './shadows.schema.js';
import {
  countRunningShadows,
  deleteShadow,
  endShadow,
  findShadow,
  insertShadow,
  type ShadowPlace,
  type StoredShadow,
} from './shadows.store.js';
import { Tallies } from './tallies.js';

/** Shadows that run in a workspace at once. */
const maxRunning = 10;
/** Seconds after which another one may find a place. */
const retryAfter = 60;
const dayMs = 24 * 60 * 60 * 1000;

export const statusOf = ({ endedAt, expiresAt }: StoredShadow): ShadowStatus => {
  if (endedAt !== null) return 'CANCELLED';
  return expiresAt.getTime() <= Date.now() ? 'COMPLETED' : 'RUNNING';
};

/** When a shadow is to end. Throws `validation_failed` where that is over already, or too far away. */
export function expiryOf({ expiresAt }: Pick<CreateShadow, 'expiresAt'>): Date {
  const date = parseTimestamp(expiresAt) ?? new Date(0);
  const fromNow = date.getTime() - Date.now();
  if (fromNow > 0 && fromNow <= maxDays * dayMs) return date;
  const message = `must be in the future, and at most ${maxDays} days away`;
  throw new Problem('validation_failed', 'The body breaks its schema.', {
    errors: [{ in: 'body', pointer: '/expiresAt', message }],
  });
}

/** Starts a shadow. Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
export function createShadow(
  { database, actor }: Writer,
  workspaceId: string,
  { request, expiresAt }: { readonly request: CreateShadow; readonly expiresAt: Date },
): Promise<StoredShadow> {
  const place = { workspaceId, id: newId() };
  return inTransaction(database, async (transaction) => {
    if ((await countRunningShadows(transaction, workspaceId)) >= maxRunning) {
      throw new Problem('too_many_requests', `${maxRunning} shadows run in this workspace already.`, { retryAfter });
    }
    await requireReferences(transaction, workspaceId, request, { what: 'shadow', version: '/version' });
    const asked = JSON.stringify({ ...request, expiresAt: expiresAt.toISOString() });
    const report = new Tallies().report(request.measures ?? []);
    await insertShadow(transaction, { ...place, request: asked, report, expiresAt });
    const stored = await requireShadow(transaction, place);
    await appendAuditEntries(transaction, [entryOf(actor, place, 'create', { before: null, after: stateOf(stored) })]);
    return stored;
  });
}

/** Ends a shadow that runs, and removes one that has ended, if it is there. Rejects with `precondition_failed`. */
export function removeShadow(
  { database, actor }: Writer,
  place: ShadowPlace,
  ifMatch: string | undefined,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const present = await findShadow(transaction, place, true);
    if (present === undefined) return;
    requireMatch(ifMatch, present.revision);
    const before = stateOf(present);
    if (statusOf(present) === 'RUNNING') {
      await endShadow(transaction, place);
      const after = stateOf(await requireShadow(transaction, place));
      await appendAuditEntries(transaction, [entryOf(actor, place, 'cancel', { before, after })]);
      return;
    }
    await deleteShadow(transaction, place);
    await appendAuditEntries(transaction, [entryOf(actor, place, 'delete', { before, after: null })]);
  });
}

/** Rejects with `shadow_not_found`. */
export async function requireShadow(connection: Connection, place: ShadowPlace): Promise<StoredShadow> {
  const found = await findShadow(connection, place);
  if (found === undefined) throw new Problem('shadow_not_found', `There is no shadow ${place.id} in this workspace.`);
  return found;
}

/** Without the report, which shows values of facts and results. */
const stateOf = (shadow: StoredShadow): object => ({
  id: shadow.id,
  status: statusOf(shadow),
  ...(JSON.parse(shadow.request) as object),
});

const entryOf = (
  actor: Actor,
  { workspaceId, id }: ShadowPlace,
  verb: 'create' | 'cancel' | 'delete',
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => ({ actor, workspaceId, action: `shadow.${verb}`, resource: { type: 'shadow', id }, ...states });
