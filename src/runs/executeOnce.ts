import { Problem } from '../errors.js';
import type { Reply } from '../http/routes/logicRoute.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/database.js';
import type { Answer, Claim, Idempotency, IdempotentRequest } from './idempotency.js';

/** What is to be done at most once. */
export interface Once {
  /** Executes, and settles the claim in the transaction of the record. */
  readonly execute: (claim: Claim) => Promise<Reply>;
  /** Throws the 404 of what the request names, if something of it is absent. */
  readonly requireRoute: () => Promise<unknown>;
}

/**
 * An execution with an idempotency key: it runs once, and who repeats the request gets the first one's answer. Throws
 * `idempotency_in_progress` and `idempotency_key_reused`, and what the execution throws.
 */
export async function executeOnce(idempotency: Idempotency, request: IdempotentRequest, once: Once): Promise<Reply> {
  const begun = await begin(idempotency, request, once);
  if ('replay' in begun) return replayed(begun.replay);
  const { claim } = begun;
  try {
    return await once.execute(claim);
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.duplicateKey) return answerOfAnother(idempotency, request, error);
    if (!isRecorded(error)) await giveBack(claim, error);
    throw error;
  }
}

/** What is absent (404) is found before a key that was used for another request (422): contract.md, section 1. */
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

/** The lease passed while this process stood still; another one ran the request meanwhile, and its answer counts. */
async function answerOfAnother(idempotency: Idempotency, request: IdempotentRequest, error: unknown): Promise<Reply> {
  const again = await idempotency.begin(request);
  if ('replay' in again) return replayed(again.replay);
  await again.claim.release();
  throw error;
}

const isRecorded = (error: unknown): boolean =>
  error instanceof Problem && error.options.extensions?.executionId !== undefined;

/** A run that left no record leaves the key free, so that a repeat runs. While MySQL is away nobody waits for that. */
async function giveBack(claim: Claim, error: unknown): Promise<void> {
  const released = claim.release();
  if (!isConnectionLoss(error) && !(error instanceof Problem && error.code === 'dependency_unavailable'))
    await released;
}
