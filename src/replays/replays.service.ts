import { appendAuditEntries, type Actor, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/routes/preconditions.js';
import { inTransaction } from '../storage/database.js';
import { newId } from '../storage/ids.js';
import {
  cancelReplay,
  countRunning,
  findReplay,
  insertReplay,
  removeReplay,
  type StoredReplay,
} from './replays.store.js';
import type { CreateReplay } from './replays.schema.js';
import { Tallies } from './tallies.js';

/** Replays that run in a workspace at once. */
const maxRunning = 2;
/** Seconds after which another one may find a place. */
const retryAfter = 10;

/** One replay of a workspace. */
interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

/** Starts a replay. Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
export function createReplay(
  { database, actor }: Writer,
  workspaceId: string,
  request: CreateReplay,
): Promise<StoredReplay> {
  const { decisionId, environmentId, candidate } = request;
  const id = newId();
  return inTransaction(database, async (transaction) => {
    if ((await countRunning(transaction, workspaceId)) >= maxRunning) {
      throw new Problem('too_many_requests', `${maxRunning} replays run in this workspace already.`, { retryAfter });
    }
    const references = { decisionId, environmentId, version: candidate.version };
    await requireReferences(transaction, workspaceId, references, { what: 'replay', version: '/candidate/version' });
    await insertReplay(transaction, {
      id,
      workspaceId,
      request: JSON.stringify(request),
      report: new Tallies().report(request.measures ?? []),
      createdAt: new Date(),
    });
    const stored = await requireReplay(transaction, { workspaceId, id });
    await appendAuditEntries(transaction, [
      entryOf(actor, { workspaceId, id }, 'create', { before: null, after: stateOf(stored) }),
    ]);
    return stored;
  });
}

/**
 * Cancels a replay that runs, and removes one that has ended, if it is there. Rejects with `precondition_failed`.
 */
export function endReplay({ database, actor }: Writer, place: Place, ifMatch: string | undefined): Promise<void> {
  const { workspaceId, id } = place;
  return inTransaction(database, async (transaction) => {
    const present = await findReplay(transaction, workspaceId, id, true);
    if (present === undefined) return;
    requireMatch(ifMatch, present.revision);
    if (present.status === 'RUNNING') {
      await cancelReplay(transaction, workspaceId, id);
      const after = stateOf(await requireReplay(transaction, place));
      await appendAuditEntries(transaction, [entryOf(actor, place, 'cancel', { before: stateOf(present), after })]);
      return;
    }
    await removeReplay(transaction, workspaceId, id);
    await appendAuditEntries(transaction, [entryOf(actor, place, 'delete', { before: stateOf(present), after: null })]);
  });
}

/** Rejects with `replay_not_found`. */
export async function requireReplay(
  connection: Parameters<typeof findReplay>[0],
  { workspaceId, id }: Place,
): Promise<StoredReplay> {
  const found = await findReplay(connection, workspaceId, id);
  if (found === undefined) throw new Problem('replay_not_found', `There is no replay ${id} in this workspace.`);
  return found;
}

/** Without the report, which shows values of facts and results. */
const stateOf = ({ id, status, done, total, request }: StoredReplay): object => ({
  id,
  status,
  done,
  total,
  request: JSON.parse(request) as object,
});

const entryOf = (
  actor: Actor,
  { workspaceId, id }: Place,
  verb: 'create' | 'cancel' | 'delete',
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => ({ actor, workspaceId, action: `replay.${verb}`, resource: { type: 'replay', id }, ...states });
