import type { Knex } from 'knex';
import { requireReferences } from '../deployments/references.js';
import { Problem } from '../errors.js';
import { countHeld } from '../resource/write.js';

interface Started {
  readonly what: 'replay' | 'shadow';
  /** All that run. */
  readonly running: Knex.QueryBuilder;
  /** How many run in a workspace at once, and the seconds after which another one may find room. */
  readonly most: number;
  readonly retryAfter: number;
  readonly references: Parameters<typeof requireReferences>[2];
  /** The JSON Pointer of the version that a request names. */
  readonly version: string;
}

/** Refuses what names something that is not there (`reference_not_found`), or where too many run (`too_many_requests`). */
export async function requireStartable(
  transaction: Knex.Transaction,
  workspaceId: string,
  { what, running, most, retryAfter, references, version }: Started,
): Promise<void> {
  if ((await countHeld(transaction, workspaceId, running)) >= most)
    throw new Problem('too_many_requests', `${most} ${what}s run in this workspace already.`, { retryAfter });
  await requireReferences(transaction, workspaceId, references, { what, version });
}
