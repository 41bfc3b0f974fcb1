import type { Knex } from 'knex';
import { now } from '../storage/databaseClock.js';
import { idToBytes } from '../storage/ids.js';
import { rowsInIdOrder } from '../storage/indexHints.js';
import { digestOf } from './differences.store.js';
import { talliesWithoutErased, withoutErased, type IsErased } from './eraseValues.js';

/** Executions of a workspace that are erased, and the values to be erased from counts. */
export interface ErasedExecutions {
  readonly workspaceId: string;
  /** Ascending. */
  readonly ids: readonly string[];
  readonly decisionIds: ReadonlySet<string>;
  readonly isErased: IsErased;
}

/** Reports that are read at once: each may have a megabyte. */
const pageSize = 10;

/** Removes what replays and shadows have kept of executions. */
export async function eraseReplays(transaction: Knex.Transaction, erased: ErasedExecutions): Promise<void> {
  await eraseDifferences(transaction, erased);
  for (const table of ['replays', 'shadows'] as const) await eraseCounts(transaction, table, erased);
}

async function eraseDifferences(
  transaction: Knex.Transaction,
  { workspaceId, ids }: Pick<ErasedExecutions, 'workspaceId' | 'ids'>,
): Promise<void> {
  const workspace = idToBytes(workspaceId);
  const rows = (await transaction('replay_differences')
    .select('replay_id', 'execution_id', 'changes')
    .where('workspace_id', workspace)
    .whereIn('execution_id', ids.map(idToBytes))
    .forUpdate()) as { replay_id: Buffer; execution_id: Buffer; changes: string }[];
  for (const { replay_id, execution_id, changes } of rows) {
    const primaryKey = { workspace_id: workspace, replay_id, execution_id };
    const pointers = (JSON.parse(changes) as { pointer: string }[]).map(({ pointer }) => digestOf(pointer));
    if (pointers.length > 0)
      await transaction('replay_places').where(primaryKey).whereIn('pointer_digest', pointers).delete();
    await transaction('replay_differences').where(primaryKey).delete();
  }
}

interface Row {
  readonly id: Buffer;
  readonly request: string;
  readonly tallies: string;
  readonly report: string;
}

/** A replay that runs begins anew from what it has written: what it holds in memory may be of these executions. */
async function eraseCounts(
  transaction: Knex.Transaction,
  table: 'replays' | 'shadows',
  { workspaceId, ids, decisionIds, isErased }: ErasedExecutions,
): Promise<void> {
  const workspace = idToBytes(workspaceId);
  const isOfThem = ({ request }: Pick<Row, 'request'>): boolean =>
    decisionIds.has((JSON.parse(request) as { decisionId: string }).decisionId.toLowerCase());
  // A replay has run only what was executed before it was made; a shadow what came later.
  const first = table === 'replays' ? ids[0] : undefined;
  for (let after = first === undefined ? Buffer.alloc(16) : idToBytes(first); ;) {
    const page = (await rowsInIdOrder(transaction, table, workspaceId)
      .select('id', 'request')
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)) as Row[];
    const own = page.filter(isOfThem).map(({ id }) => id);
    const rows = (await transaction(table)
      .select('id', 'tallies', 'report')
      .where('workspace_id', workspace)
      .whereIn('id', own)
      .orderBy('id')
      .forUpdate()) as Row[];
    for (const { id, tallies, report } of rows) {
      const primaryKey = { workspace_id: workspace, id };
      if (table === 'replays')
        await transaction(table)
          .where({ ...primaryKey, status: 'RUNNING' })
          .update({ fence: transaction.raw('fence + 1'), due_at: transaction.raw(now), attempts: 0 });
      const left = { tallies: talliesWithoutErased(tallies, isErased), report: withoutErased(report, isErased) };
      if (left.tallies === tallies && left.report === report) continue;
      await transaction(table)
        .where(primaryKey)
        .update({ ...left, revision: transaction.raw('revision + 1') });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = Buffer.from(last.id);
  }
}
