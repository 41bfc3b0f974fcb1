import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/preconditions.js';
import { inTransaction, isContention, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { changedFields, changeOf, writeChange } from './change.js';
import type { Inquiry, UpdateInquiry } from './inquiries.schema.js';
import { findInquiry, type Place } from './inquiries.store.js';

export interface Update {
  readonly place: Place;
  readonly body: UpdateInquiry;
  readonly ifMatch: string | undefined;
}

interface Updated {
  readonly inquiry: Inquiry;
  readonly revision: number;
}

/**
 * Merges an update into an inquiry and queues what follows from it, all or nothing. Updates at the same time all hold:
 * the first try reads without a lock and writes only over what it read; whoever comes second waits for the lock.
 * Rejects with `inquiry_not_found` and `precondition_failed`.
 */
export async function updateInquiryOf(
  { database, encryption }: { readonly database: Knex; readonly encryption: Encryption },
  { place, body, ifMatch }: Update,
): Promise<Updated> {
  const { tenantId, id } = place;

  async function attempt(connection: Connection, lock: boolean): Promise<Updated | undefined> {
    const stored = await findInquiry({ connection, encryption }, place, lock);
    if (stored === undefined) throw new Problem('inquiry_not_found', `There is no inquiry ${id}.`);
    requireMatch(ifMatch, stored.revision);
    const fields = changedFields(stored.inquiry, body);
    if (Object.keys(fields).length === 0) return stored;
    const change = changeOf(stored, fields);
    const write = (on: Connection): Promise<boolean> => writeChange({ connection: on, encryption }, tenantId, change);
    const written =
      lock || change.contents.length === 0 ? await write(connection) : await inTransaction(database, write);
    return written ? { inquiry: change.inquiry, revision: stored.revision + 1 } : undefined;
  }

  const first = await attempt(database, false).catch((error: unknown) => {
    if (isContention(error)) return undefined;
    throw error;
  });
  if (first !== undefined) return first;
  const second = await inTransaction(database, (transaction) => attempt(transaction, true));
  if (second === undefined) throw new Error('an inquiry changed under its lock');
  return second;
}
