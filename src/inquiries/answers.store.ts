import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { keyLifeMs, sha256 } from '../runs/idempotency.js';
import { ChangedMeanwhile, mysqlErrno, mysqlErrors } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { SealedTable } from '../storage/sealedTable.js';
import type { Place, Store } from './inquiries.store.js';
import type { Representation } from './representation.js';

// Answers of updates with an Idempotency-Key. They are read and written while the transaction holds the inquiry's lock,
// which serves as the claim on the key: no lease is needed, and an answer is committed with its update. They are
// deleted with their inquiry, because they hold the same personal data.

/** A request that has a key. */
export interface KeyedUpdate {
  readonly place: Place;
  readonly principal: string;
  readonly key: string;
  readonly bodyText: string;
}

interface Row {
  readonly request_digest: Buffer;
  readonly answer: Buffer;
  readonly expires_at: Date;
}

const keyDigest = ({ principal, key }: KeyedUpdate): Buffer => sha256(principal, key);
const requestDigest = ({ place, bodyText }: KeyedUpdate): Buffer => sha256(place.id, bodyText);
const contextOf = (tenantId: string, digest: string): string => `inquiry_answers/${tenantId}/${digest}`;

export const sealedInquiryAnswers: SealedTable = {
  table: 'inquiry_answers',
  key: ['tenant_id', 'digest'],
  contexts: { answer: ({ id, hex }) => contextOf(id('tenant_id'), hex('digest')) },
};

/** The answer that the first request with the key got. Throws `idempotency_key_reused` where that was another request. */
export async function findAnswer(
  { connection, encryption }: Store,
  update: KeyedUpdate,
): Promise<Representation | undefined> {
  const { tenantId } = update.place;
  const digest = keyDigest(update);
  const [row] = (await connection('inquiry_answers')
    .select('request_digest', 'answer', 'expires_at')
    .where({ tenant_id: idToBytes(tenantId), digest })) as Row[];
  if (row === undefined || row.expires_at.getTime() <= Date.now()) return undefined;
  if (!row.request_digest.equals(requestDigest(update))) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request.', {
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });
  }
  return JSON.parse(encryption.open(row.answer, contextOf(tenantId, digest.toString('hex')))) as Representation;
}

/** Keeps an answer for 24 hours. Throws `ChangedMeanwhile` where an update of another inquiry has taken the key. */
export async function keepAnswer(
  { connection, encryption }: Store,
  update: KeyedUpdate,
  answer: Representation,
): Promise<void> {
  const { tenantId, id } = update.place;
  const digest = keyDigest(update);
  const key = { tenant_id: idToBytes(tenantId), digest };
  await connection('inquiry_answers').where(key).where('expires_at', '<=', new Date()).delete();
  try {
    await connection('inquiry_answers').insert({
      ...key,
      inquiry_id: idToBytes(id),
      request_digest: requestDigest(update),
      answer: encryption.seal(JSON.stringify(answer), contextOf(tenantId, digest.toString('hex'))),
      expires_at: new Date(Date.now() + keyLifeMs),
    });
  } catch (error) {
    throw mysqlErrno(error) === mysqlErrors.duplicateKey ? new ChangedMeanwhile() : error;
  }
}

/** Rows deleted by one call: more than are added between two calls. */
const rowsPerPruning = 250;
export const answersPerPruning = 100;

/** Deletes some of the answers that are too old to be given again. */
export const pruneAnswers = (database: Knex): Promise<number> =>
  database('inquiry_answers').where('expires_at', '<=', new Date()).limit(rowsPerPruning).delete();
