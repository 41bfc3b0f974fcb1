import { Problem } from '../errors.js';
import type { Connection } from '../storage/database.js';
import { ChangedMeanwhile, mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import { idToBytes } from '../storage/ids.js';
import { KeyTable, usedKeyOf, type KeyedRequest } from '../storage/usedKeys.js';
import type { InquiryRef, Store } from './inquiries.store.js';
import type { Representation } from './representation.js';

/**
 * Keys of updates. They are read and written while the transaction holds the inquiry's lock, which serves as the claim
 * on the key: no lease is needed, and an answer is committed with its update. Answers are deleted with their inquiry, because
 * they hold the same personal data; the keys stay used, so that a repeat makes no inquiry anew.
 */
export const updateKeys = new KeyTable('inquiry_answers', 'tenant_id');

/**
 * The answer that the first request with the key got. Throws `idempotency_key_reused` where that was another request, `record_erased`
 * where its inquiry was deleted.
 */
export async function findAnswer(
  { connection, encryption }: Store,
  update: KeyedRequest,
): Promise<Representation | undefined> {
  const key = usedKeyOf(update);
  const found = await updateKeys.find(connection, key);
  if (found === undefined || found.expired === 1) return undefined;
  if (found.answer === null) throw new Problem('record_erased', 'The inquiry of this request was deleted.');
  return JSON.parse(updateKeys.open(encryption, key, found.answer)) as Representation;
}

/** To be called before an inquiry is deleted. */
export async function emptyAnswers(connection: Connection, { tenantId, id }: InquiryRef): Promise<void> {
  const ofInquiry = { tenant_id: idToBytes(tenantId), inquiry_id: idToBytes(id) };
  await connection('inquiry_answers').where(ofInquiry).update({ answer: null, inquiry_id: null });
}

/** Keeps an answer, about the inquiry of that id, for 24 hours. Throws `ChangedMeanwhile` where an update of another inquiry has taken the key. */
export async function keepAnswer(
  { connection, encryption }: Store,
  update: KeyedRequest,
  { inquiryId, answer }: { readonly inquiryId: string; readonly answer: Representation },
): Promise<void> {
  const key = usedKeyOf(update);
  await updateKeys.prune(connection, 1, updateKeys.rowOf(key));
  try {
    const row = updateKeys.newRow(connection, key, updateKeys.seal(encryption, key, JSON.stringify(answer)));
    await connection('inquiry_answers').insert({ ...row, inquiry_id: idToBytes(inquiryId) });
  } catch (error) {
    throw mysqlErrno(error) === mysqlErrors.duplicateKey ? new ChangedMeanwhile() : error;
  }
}
