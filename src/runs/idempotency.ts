import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { readVisible } from '../http/routes/visibleHeader.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import type { SealedTable } from '../storage/sealedTable.js';

/** The answer that the first request with a key got. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** The right to run the request of a key; it must be settled or released. */
export interface Claim {
  /** The execution that this request is to record, also when an earlier holder of the claim died. */
  readonly executionId: string;
  /** Keeps the answer, in the transaction that records the execution. */
  settle(transaction: Knex.Transaction, answer: Answer): Promise<void>;
  /**
   * Frees the key where nothing was recorded, so that the next request with it runs. Retries for a while; never
   * rejects.
   */
  release(): Promise<void>;
}

export interface IdempotentRequest {
  readonly workspaceId: string;
  readonly principal: string;
  readonly key: string;
  /** Path and body identify the request. */
  readonly path: string;
  readonly body: string;
}

export interface Idempotency {
  /** Throws `idempotency_in_progress`, `idempotency_key_reused`. */
  begin(request: IdempotentRequest): Promise<Begun>;
  /** To be told how many keys are added besides; expired ones are deleted now and then, a few more than that. */
  prune(added: number): void;
}

type Begun = { readonly replay: Answer } | { readonly claim: Claim };

/** Throws `validation_failed` unless the key is 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  return readVisible('Idempotency-Key', header);
}

/** How long a repeat gets the first answer, in milliseconds. */
export const keyLifeMs = 24 * 60 * 60 * 1000;
/** Expired keys are deleted now and then, a few more than have been added meanwhile. */
const claimsPerPruning = 100;
const rowsPerPruning = 250;
/** Pauses between attempts to write while MySQL is away. */
const beginPausesMs = [50];
const releasePausesMs = [100, 500, 2000, 5000];

interface Row {
  readonly request_digest: Buffer;
  readonly execution_id: Buffer;
  readonly status: number | null;
  readonly answer: Buffer | null;
  readonly leased_until: Date;
  readonly expires_at: Date;
}

/** One digest of several texts. */
export const sha256 = (...parts: string[]): Buffer => {
  const hash = createHash('sha256');
  // With lengths, so that different lists of parts never give the same bytes.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
};

/** What the answer of a key is sealed with. @param digest of the key, in hex */
export const answerContext = (workspaceId: string, digest: string): string =>
  `idempotency_keys/${workspaceId}/${digest}`;

export const sealedAnswers: SealedTable = {
  table: 'idempotency_keys',
  key: ['workspace_id', 'digest'],
  contexts: { answer: ({ id, hex }) => answerContext(id('workspace_id'), hex('digest')) },
};

export interface IdempotencyOptions {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** The lease: longer than a request may take, so that an expired claim belongs to a process that died. */
  readonly leaseMs: () => number;
}

export function createIdempotency({ database, encryption, leaseMs }: IdempotencyOptions): Idempotency {
  const keyOf = (workspaceId: string, digest: Buffer): Record<string, Buffer> => ({
    workspace_id: idToBytes(workspaceId),
    digest,
  });
  let claims = 0;

  const claimOf = (workspaceId: string, digest: Buffer, executionId: string, leasedUntil: Date): Claim => {
    const own = { ...keyOf(workspaceId, digest), execution_id: idToBytes(executionId) };
    return {
      executionId,
      async settle(transaction, { status, body }) {
        // Another holder of the claim (after a lease that expired too early) records the same execution id, so that
        // only one of the two commits.
        const settled = await transaction('idempotency_keys')
          .where(own)
          .update({ status, answer: encryption.seal(body, answerContext(workspaceId, digest.toString('hex'))) });
        if (settled !== 1) throw new Error('the claim on an idempotency key vanished while its request ran');
      },
      async release() {
        // Only this lease: another process may have taken over the claim and be running.
        const lease = { ...own, leased_until: leasedUntil };
        await persist(releasePausesMs, () =>
          database('idempotency_keys').where(lease).whereNull('status').delete(),
        ).catch(() => undefined);
      },
    };
  };

  async function takeOver(
    row: Row,
    workspaceId: string,
    digest: Buffer,
    requestDigest: Buffer,
  ): Promise<Claim | undefined> {
    const expired = row.expires_at.getTime() <= Date.now();
    const executionId = expired ? newId() : idFromBytes(row.execution_id);
    const terms = lease();
    const taken = await database('idempotency_keys')
      .where({
        ...keyOf(workspaceId, digest),
        leased_until: row.leased_until,
        execution_id: row.execution_id,
        // Its holder may still settle it, after a lease that expired too early.
        status: row.status,
      })
      .update({
        request_digest: requestDigest,
        execution_id: idToBytes(executionId),
        status: null,
        answer: null,
        ...terms,
      });
    return taken === 1 ? claimOf(workspaceId, digest, executionId, terms.leased_until) : undefined;
  }

  const lease = (): { leased_until: Date; expires_at: Date } => ({
    leased_until: new Date(Date.now() + leaseMs()),
    expires_at: new Date(Date.now() + keyLifeMs),
  });

  function prune(added: number): void {
    claims += added;
    if (claims < claimsPerPruning) return;
    const limit = Math.ceil((claims * rowsPerPruning) / claimsPerPruning);
    claims = 0;
    const expired = database('idempotency_keys').where('expires_at', '<', new Date()).limit(limit).delete();
    // A later request prunes again.
    expired.catch(() => undefined);
  }

  /** Resolves a key that exists: its answer, or its claim where that may be taken over. */
  async function meet(own: Claim, workspaceId: string, digest: Buffer, requestDigest: Buffer): Promise<Begun> {
    const [row] = (await database('idempotency_keys')
      .select('request_digest', 'execution_id', 'status', 'answer', 'leased_until', 'expires_at')
      .where(keyOf(workspaceId, digest))) as Row[];
    // Released in between: the client can repeat the request.
    if (row === undefined) throw inProgress(1);
    // Our own insert: it was written by an attempt whose connection was lost.
    if (idFromBytes(row.execution_id) === own.executionId) return { claim: own };
    const expired = row.expires_at.getTime() <= Date.now();
    if (!expired && !row.request_digest.equals(requestDigest)) {
      throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request.', {
        errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
      });
    }
    if (!expired && row.status !== null && row.answer !== null) {
      return {
        replay: {
          status: row.status,
          body: encryption.open(row.answer, answerContext(workspaceId, digest.toString('hex'))),
        },
      };
    }
    const leftMs = row.leased_until.getTime() - Date.now();
    if (!expired && leftMs > 0) throw inProgress(leftMs / 1000);
    const claim = await takeOver(row, workspaceId, digest, requestDigest);
    // Settled or taken over since the row was read: looks again.
    return claim === undefined ? meet(own, workspaceId, digest, requestDigest) : { claim };
  }

  return {
    prune,
    async begin({ workspaceId, principal, key, path, body }) {
      const digest = sha256(principal, key);
      const requestDigest = sha256(path, body);
      const executionId = newId();
      const terms = lease();
      const own = claimOf(workspaceId, digest, executionId, terms.leased_until);
      prune(1);
      try {
        await persist(beginPausesMs, () =>
          database('idempotency_keys').insert({
            ...keyOf(workspaceId, digest),
            request_digest: requestDigest,
            execution_id: idToBytes(executionId),
            ...terms,
          }),
        );
        return { claim: own };
      } catch (error) {
        if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
      }
      return meet(own, workspaceId, digest, requestDigest);
    },
  };
}

/** Repeats work whose connection was lost, after each of the pauses. */
async function persist<T>(pausesMs: readonly number[], work: () => PromiseLike<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      await sleep(pauseMs);
    }
  }
  return work();
}

const inProgress = (leftS: number): Problem =>
  new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfter: Math.min(leftS, 5),
  });
