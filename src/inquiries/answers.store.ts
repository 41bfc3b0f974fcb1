import { ChangedMeanwhile, mysqlErrno, mysqlErrors } from '../storage/database.js';
import { inMs } from '../storage/databaseClock.js';
import { idToBytes } from '../storage/ids.js';
import { keyLifeMs, KeyTable, sha256, type UsedKey } from '../storage/usedKeys.js';
import type { Store } from './inquiries.store.js';
import type { Representation } from './representation.js';

/**
 * Keys of updates. They are read and written while the transaction holds the inquiry's lock, which serves as the claim
 * on the key: no lease is needed, and an answer is committed with its update. They are deleted with their inquiry,
 * because their answers hold the same personal data.
 */
export const updateKeys = new KeyTable('inquiry_answers', 'tenant_id');

/** A request that has a key. */
export interface KeyedUpdate {
  readonly tenantId: string;
  /** What the request names, by its path. */
  readonly target: string;
  readonly principal: string;
  readonly key: string;
  readonly bodyText: string;
}

const usedKey = ({ tenantId, target, principal, key, bodyText }: KeyedUpdate): UsedKey => ({
  owner: tenantId,
  digest: sha256(principal, key),
  requestDigest: sha256(target, bodyText),
});

/** The answer that the first request with the key got. Throws `idempotency_key_reused` where that was another request. */
export async function findAnswer(
  { connection, encryption }: Store,
  update: KeyedUpdate,
): Promise<Representation | undefined> {
  const key = usedKey(update);
  const found = await updateKeys.find(connection, key);
  if (found === undefined || found.expired === 1 || found.answer === null) return undefined;
  return JSON.parse(updateKeys.open(encryption, key, found.answer)) as Representation;
}

/** Keeps an answer, about the inquiry of that id, for 24 hours. Throws `ChangedMeanwhile` where an update of another inquiry has taken the key. */
export async function keepAnswer(
  { connection, encryption }: Store,
  update: KeyedUpdate,
  { inquiryId, answer }: { readonly inquiryId: string; readonly answer: Representation },
): Promise<void> {
  const key = usedKey(update);
  const row = updateKeys.rowOf(key);
  await updateKeys.prune(connection, 1, row);
  try {
    await connection('inquiry_answers').insert({
      ...row,
      inquiry_id: idToBytes(inquiryId),
      request_digest: key.requestDigest,
      answer: updateKeys.seal(encryption, key, JSON.stringify(answer)),
      expires_at: inMs(connection, keyLifeMs),
    });
  } catch (error) {
    throw mysqlErrno(error) === mysqlErrors.duplicateKey ? new ChangedMeanwhile() : error;
  }
}
