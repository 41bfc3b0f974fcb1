import { Problem } from '../errors.js';
import type { Reply } from '../api/logicRoute.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/database.js';
import { ClaimLost, type Answer, type Claim, type Idempotency, type IdempotentRequest } from './idempotency.js';

/** An execution that is to run at most once. */
export interface Once {
  /** Executes, and settles the claim in the transaction of the record. */
  readonly execute: (claim: Claim) => Promise<Reply>;
  /** Throws the 404 of what the request refers to, where it is absent. */
  readonly requireRoute: () => Promise<unknown>;
}

/**
 * An execution with an idempotency key: it runs once, and a repeated request gets the first answer. Throws
 * `idempotency_in_progress` and `idempotency_key_reused`, and what the execution throws.
 */
export async function executeOnce(idempotency: Idempotency, request: IdempotentRequest, once: Once): Promise<Reply> {
  const begun = await begin(idempotency, request, once);
  if ('replay' in begun) return replayed(begun.replay);
  const { claim } = begun;
  try {
    return await once.execute(claim);
  } catch (error) {
    // It was recorded by an attempt whose connection was lost, or is by whoever took the claim over.
    if (error instanceof ClaimLost || mysqlErrno(error) === mysqlErrors.duplicateKey)
      return answerOfAnother(idempotency, request, error);
    if (!isRecorded(error)) await giveBack(claim, error);
    throw error;
  }
}

/**
 * A missing resource (404) takes precedence over a key that was used for another request (422): contract.md, section 1.
 */
async function begin(
  idempotency: Idempotency,
  request: IdempotentRequest,
  { requireRoute }: Once,
): ReturnType<Idempotency['begin']> {
  try {
    return await idempotency.begin(request);
  } catch (error) {
    if (error instanceof Problem && error.code === 'idempotency_key_reused') await requireRoute();
    throw error;
  }
}

const replayed = ({ status, body }: Answer): Reply => ({
  status,
  body,
  headers: {
    'Idempotency-Replayed': 'true',
    ...(status >= 400 ? { 'Content-Type': 'application/problem+json' } : {}),
  },
});

/**
 * The lease expired while this process was suspended; another process ran the request meanwhile, and its answer counts.
 */
async function answerOfAnother(idempotency: Idempotency, request: IdempotentRequest, error: unknown): Promise<Reply> {
  const again = await idempotency.begin(request);
  if ('replay' in again) return replayed(again.replay);
  await again.claim.release();
  throw error;
}

const isRecorded = (error: unknown): boolean =>
  error instanceof Problem && error.options.extensions?.executionId !== undefined;

/**
 * A run without a record frees its key, so that a repeat runs. While MySQL is unreachable the response does not wait
 * for that.
 */
async function giveBack(claim: Claim, error: unknown): Promise<void> {
  const released = claim.release();
  if (!isConnectionLoss(error) && !(error instanceof Problem && error.code === 'dependency_unavailable'))
    await released;
}
