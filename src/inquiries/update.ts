import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/preconditions.js';
import { isContention } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { changedFields, changeOf, writeChange } from './change.js';
import { findInquiry, keyOf, type Place, type StoredInquiry } from './inquiries.store.js';
import type { UpdateInquiry } from './inquiries.schema.js';
import { createTurns } from './turns.js';

export interface Update {
  readonly place: Place;
  readonly body: UpdateInquiry;
  readonly ifMatch: string | undefined;
}

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** Messages were queued. */
  readonly wakeOutbox: () => void;
}

/** Updates that may wait: with bodies at their largest, 1,000 take some 70 MB. One inquiry that is held leaves room. */
const limits = { max: 1000, maxOfKey: 250 } as const;
/** How long an update waits for its turn and for whoever else holds its inquiry, in milliseconds. */
const patienceMs = 3000;
/** Between attempts to lock an inquiry that is held; they grow up to the second, in milliseconds. */
const pausesMs = { first: 5, last: 100 } as const;

/**
 * Merges an update into an inquiry and queues what follows from it, all or nothing. The updates of one inquiry come one
 * after the other, in this process by turns. Nobody waits for the row's lock on a connection, so that an inquiry that
 * another process holds costs the others nothing. Rejects with `inquiry_not_found`, `precondition_failed`, and
 * `dependency_unavailable` when too many wait; with contention when the inquiry stays held.
 */
export function createUpdateInquiry({ database, encryption, wakeOutbox }: Dependencies) {
  const inTurn = createTurns({ ...limits, refusal: tooBusy });

  async function attempt({ place, body, ifMatch }: Update): Promise<{ updated: StoredInquiry; queued: boolean }> {
    return database.transaction(async (connection) => {
      const store = { connection, encryption };
      const stored = await findInquiry(store, place, 'lockNowait');
      if (stored === undefined) throw new Problem('inquiry_not_found', `There is no inquiry ${place.id}.`);
      requireMatch(ifMatch, stored.revision);
      const fields = changedFields(stored.inquiry, body);
      if (Object.keys(fields).length === 0) return { updated: stored, queued: false };
      const change = changeOf(place.tenantId, stored, fields);
      return { updated: await writeChange(store, change), queued: change.contents.length > 0 };
    });
  }

  return async (update: Update): Promise<StoredInquiry> => {
    const deadline = performance.now() + patienceMs;
    const { updated, queued } = await inTurn(keyOf(update.place), async () => {
      if (performance.now() > deadline) throw tooBusy();
      return untilFree(deadline, () => attempt(update));
    });
    if (queued) wakeOutbox();
    return updated;
  };
}

/** Repeats what found its inquiry held, with growing pauses and jitter, until the deadline; then rejects as it did. */
async function untilFree<T>(deadline: number, attempt: () => Promise<T>): Promise<T> {
  for (let pauseMs: number = pausesMs.first; ; pauseMs = Math.min(2 * pauseMs, pausesMs.last)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isContention(error) || performance.now() > deadline) throw error;
    }
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

const tooBusy = (): Problem =>
  new Problem('dependency_unavailable', 'The database cannot keep up right now. Nothing was changed.', {
    retryAfter: 1,
  });
