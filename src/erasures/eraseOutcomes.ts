import type { Knex } from 'knex';
import { requireHeld } from '../jobs/jobs.store.js';
import { eraseSomeOutcomes, type Subject } from '../replays/outcomes/outcomes.store.js';
import { inTransaction } from '../storage/database.js';
import { takeOffList, unknownExecutions, type ClaimedErasure } from './erasures.store.js';

export const byId = (executionId: string): Subject => ({ executionId });

/** Of an erasure, which gives way to others between two pieces. */
interface InTurn {
  readonly isOver: () => boolean;
}

/** Removes the outcomes of these subjects, in pieces. False where its turn was over before all of them were gone. */
export async function eraseOutcomes(
  database: Knex,
  erasure: ClaimedErasure,
  { subjects, isOver }: InTurn & { readonly subjects: readonly Subject[] },
): Promise<boolean> {
  for (let isLeft = subjects.length > 0; isLeft;) {
    if (isOver()) return false;
    isLeft = await inTransaction(database, async (transaction) => {
      await requireHeld(transaction, erasure);
      return eraseSomeOutcomes(transaction, erasure.workspaceId, subjects);
    });
  }
  return true;
}

/**
 * Takes off an erasure the executions of which nothing is kept. What was told of them goes first.
 * @param isMeant of these
 * @returns false where its turn was over before
 */
export async function dropUnknown(
  database: Knex,
  erasure: ClaimedErasure,
  { isMeant, isOver }: InTurn & { readonly isMeant: (executionId: string) => boolean },
): Promise<boolean> {
  const unknown = (await unknownExecutions(database, erasure)).filter(isMeant);
  if (!(await eraseOutcomes(database, erasure, { subjects: unknown.map(byId), isOver }))) return false;
  if (unknown.length === 0) return true;
  await inTransaction(database, async (transaction) => {
    await requireHeld(transaction, erasure);
    await takeOffList(transaction, erasure, unknown);
  });
  return true;
}
