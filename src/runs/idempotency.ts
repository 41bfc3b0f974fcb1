import type { Knex } from 'knex';
import { retried } from '../clock/retried.js';
import { Problem } from '../errors.js';
import { erasedStatus } from './erase.store.js';
import { inMs, now } from '../storage/database.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes, newId } from '../storage/ids.js';
import { keyLifeMs, KeyTable, usedKeyOf, type KeyedRequest, type UsedKey } from '../storage/usedKeys.js';

/** Keys of executions and of items in batches. */
export const executionKeys = new KeyTable('idempotency_keys', 'workspace_id');

/** The answer that the first request with a key got. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** The right to run the request of a key; it must be settled or withdrawn. */
export interface Claim {
  /** The execution that this request is to record. It is the claim's fencing token: who takes over has another. */
  readonly executionId: string;
  /** Keeps the answer, in the transaction that records the execution. Throws `ClaimLost`. */
  settle(transaction: Knex.Transaction, answer: Answer): Promise<void>;
  /** Frees the key where nothing was recorded. Retries for a while; never rejects. */
  release(): Promise<unknown>;
  /**
   * Ends the claim of an execution that failed before its record, so that a repeat of the request runs. Resolves with the
   * answer where another request has recorded the execution; otherwise rejects with the error.
   */
  withdraw(error: unknown): Promise<Answer>;
}

/** The claim had expired, and another request took it over. */
export class ClaimLost extends Error {}

/** A claim on a key, or the answer of the request that used it. */
export type Begun = { readonly replay: Answer } | { readonly claim: Claim };

export interface Idempotency {
  /** Rejects with `idempotency_in_progress`, `idempotency_key_reused`, `record_erased`. */
  begin(request: KeyedRequest): Promise<Begun>;
  /** To be called with the number of keys that another writer adds: now and then it deletes expired keys, a few more than were added. */
  readonly prune: (added: number) => void;
}

/** Attempts to write while MySQL is away, and the first pause between them in milliseconds. */
const claiming = { attempts: 2, firstMs: 50 };
const releasing = { attempts: 7, firstMs: 100 };

interface State {
  readonly execution_id: Buffer;
  readonly status: number | null;
  /** Microseconds until the key expires. */
  readonly left_us: number;
}

const state = {
  execution_id: 'execution_id',
  status: 'status',
  left_us: `TIMESTAMPDIFF(MICROSECOND, ${now}, expires_at)`,
};

interface IdempotencyOptions {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** How long a claim lasts: longer than a request may take, so that an expired one belongs to a process that died. */
  readonly leaseMs: () => number;
}

export function createIdempotency({ database, encryption, leaseMs }: IdempotencyOptions): Idempotency {
  const prune = executionKeys.pruning(database);

  const claimOf = (request: KeyedRequest, key: UsedKey): Claim => {
    const executionId = newId();
    const own = { ...executionKeys.rowOf(key), execution_id: idToBytes(executionId) };
    const free = () => database('idempotency_keys').where(own).whereNull('status').delete();
    const release = (): Promise<unknown> => persist(releasing, free).catch(() => undefined);
    return {
      executionId,
      release,
      async settle(transaction, { status, body }) {
        const answer = executionKeys.seal(encryption, key, body);
        const expires = { expires_at: inMs(transaction, keyLifeMs) };
        const settled = await transaction('idempotency_keys')
          .where(own)
          .update({ status, answer, ...expires });
        if (settled !== 1) throw new ClaimLost('the claim on an idempotency key was lost while its request ran');
      },
      async withdraw(error) {
        // The attempt to record it whose connection was lost was durable, or the claim expired while this process was
        // suspended, and another one ran the request: its answer counts.
        if (error instanceof ClaimLost || mysqlErrno(error) === mysqlErrors.duplicateKey) {
          const again = await begin(request);
          if ('replay' in again) return again.replay;
          await again.claim.release();
          throw error;
        }
        const released = release();
        // While MySQL is unreachable the response does not wait for that.
        if (!isUnavailable(error)) await released;
        throw error;
      },
    };
  };

  async function begin(request: KeyedRequest): Promise<Begun> {
    const key = usedKeyOf(request);
    const own = claimOf(request, key);
    const executionId = idToBytes(own.executionId);
    const row = { ...executionKeys.newRow(database, key, null, leaseMs()), execution_id: executionId, status: null };
    prune(1);
    try {
      const insert = () => database('idempotency_keys').insert(row);
      await persist(claiming, insert);
      return { claim: own };
    } catch (error) {
      if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
    }
    for (;;) {
      const found = await executionKeys.find<State>(database, key, state);
      // Withdrawn in between: the client can repeat the request.
      if (found === undefined) throw inProgress(1);
      // Taken over below, or inserted by an attempt whose connection was lost.
      if (found.execution_id.equals(executionId)) return { claim: own };
      const { status, answer, expired, left_us: leftUs } = found;
      if (expired === 0) {
        if (status === erasedStatus) throw new Problem('record_erased', 'What this request was answered was erased.');
        if (status !== null && answer !== null) {
          return { replay: { status, body: executionKeys.open(encryption, key, answer) } };
        }
        throw inProgress(leftUs / 1_000_000);
      }
      // Takes the claim over, unless it was settled or taken over since it was read.
      await database('idempotency_keys')
        .where({ ...executionKeys.rowOf(key), execution_id: found.execution_id, status })
        .update(row);
    }
  }
  return { begin, prune };
}

const isUnavailable = (error: unknown): boolean =>
  isConnectionLoss(error) || (error instanceof Problem && error.code === 'dependency_unavailable');

/** Repeats work whose connection was lost. */
const persist = <T>({ attempts, firstMs }: typeof claiming, work: () => PromiseLike<T>): Promise<T> =>
  retried(work, (error, attempt) => isConnectionLoss(error) && attempt < attempts, { firstMs });

const inProgress = (leftS: number): Problem =>
  new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfter: Math.min(leftS, 5),
  });
