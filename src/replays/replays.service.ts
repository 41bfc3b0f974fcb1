import type { Knex } from 'knex';
import type { Writer } from '../audit/audit.store.js';
import { queueJobs } from '../jobs/jobs.store.js';
import type { Writing } from '../resource/write.js';
import { newId } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import * as store from './replays.store.js';
import type { CreateReplay } from './replays.schema.js';
import { settingsOf } from './replayPlan.js';
import { requireStartable } from './requireStartable.js';
import { Tallies } from './tallies.js';

/**
 * Starts a replay, which is to be taken up at once. Rejects as `requireStartable` does.
 * @param note writes in the same transaction what the replay is for, so that neither is there without the other
 */
export function createReplay(
  writer: Writer,
  workspaceId: string,
  request: CreateReplay,
  note?: (transaction: Knex.Transaction, replayId: string) => Promise<void>,
): Promise<store.StoredReplay> {
  const { decisionId, environmentId, candidate } = request;
  const id = newId();
  const report = new Tallies().report(settingsOf(request));
  const fields = { ...store.newReplay, id, request: JSON.stringify(request), report };
  return store.replays.create(writer, workspaceId, fields, async (transaction) => {
    await requireStartable(transaction, workspaceId, {
      ...{ what: 'replay', running: store.running(transaction), most: 2, retryAfter: 10 },
      ...{ references: { decisionId, environmentId, version: candidate.version }, version: '/candidate/version' },
    });
    await queueJobs(transaction, [{ kind: 'replay', workspaceId, id }]);
    await note?.(transaction, id);
    return store.uncounted;
  });
}

/** Cancels one that runs, and removes one that has ended. Rejects with the 404, and with `precondition_failed`. */
export const endReplay = (database: Knex, writing: Writing<ResourceRef, store.StoredReplay>): Promise<unknown> =>
  store.replays.write(database, writing, async (transaction, { status }) => {
    if (status !== 'RUNNING') {
      await store.removeReplay(transaction, writing.ref);
      return { after: null };
    }
    await store.cancelReplay(transaction, writing.ref);
    return { after: await store.replays.require(transaction, writing.ref), action: 'replay.cancel' as const };
  });
