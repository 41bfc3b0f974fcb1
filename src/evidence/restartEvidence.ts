import type { Knex } from 'knex';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import { inTransaction, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { KeptHeads } from './keptHeads.js';
import { append, hashedOf } from './grow.js';
import type { EvidenceKeys } from './keys.js';
import { createRecords, noAccount } from './records.js';
import { originAfter } from './origin.js';
import { restartAction, toldRestarts, type Restart, type ToldRestart } from './readRestarts.js';
import { hasOldSubjects } from './subjects.store.js';
import { findTree, lockOrBegin, renameTree } from './trees.store.js';

interface Dependencies extends Writer {
  readonly encryption: Encryption;
  readonly keys: EvidenceKeys;
  readonly kept: KeptHeads;
  /** The name of a workspace's first tree. */
  readonly originOf: (workspaceId: string) => string;
}

/** Whether nothing is signed of a workspace. */
async function isRefused(
  { kept }: Pick<Dependencies, 'kept'>,
  transaction: Knex.Transaction,
  workspaceId: string,
): Promise<boolean> {
  const tree = await findTree(transaction, workspaceId);
  if ((await kept.ahead(transaction, workspaceId, tree)) !== undefined) return true;
  return tree === undefined && (await hasOldSubjects(transaction, workspaceId));
}

/**
 * Begins another tree of a workspace of which nothing is signed: under a name of its own, so that no key signs two histories of
 * one name. It keeps the leaves that the database has, so that heads from before them still lead to it. Its first leaf after those
 * is an entry of the audit trail, which names the newest head that is kept outside of the database, and the reason. Undefined
 * where the evidence of the workspace needs no restart.
 */
export function restartEvidence(
  parts: Dependencies,
  workspaceId: string,
  reason: string,
): Promise<ToldRestart | undefined> {
  const { database, encryption, keys, kept, originOf, actor } = parts;
  return inTransaction(database, async (transaction) => {
    if (!(await isRefused(parts, transaction, workspaceId))) return undefined;
    const tree = await lockOrBegin(transaction, workspaceId, originOf(workspaceId));
    const newest = await kept.ahead(transaction, workspaceId, tree);
    const generation = Math.max(tree.generation, newest?.generation ?? 1) + 1;
    const origin = originAfter(tree.origin, generation);
    const told: ToldRestart = { generation, origin, leaves: tree.size, head: newest?.checkpoint ?? null, reason };
    await appendAuditEntries(transaction, [
      {
        ...{ actor, workspaceId, action: restartAction, resource: { type: 'evidence', id: workspaceId } },
        ...{ before: { generation: tree.generation, origin: tree.origin, leaves: tree.size }, after: told },
      },
    ]);
    let entry: Restart | undefined;
    for await (const each of toldRestarts(transaction, workspaceId)) if (each.generation === generation) entry = each;
    if (entry === undefined) throw new Error('the entry of a restart is gone again');
    await renameTree(transaction, { workspaceId, origin, generation });
    const subjects = { kind: 'audit_entry', workspaceId, ids: [idToBytes(entry.id)] } as const;
    const records = createRecords({ database: transaction, encryption }).each(subjects, noAccount);
    const key = await keys.signing();
    const { hashed } = await hashedOf({ kind: 'audit_entry', workspaceId, records }, key);
    await append(transaction, { ...tree, origin }, { hashed, key });
    return told;
  });
}

/** All workspaces that may have evidence. */
export async function workspacesWithRecords(connection: Connection): Promise<string[]> {
  const rows = (await connection('evidence_trees')
    .select('workspace_id')
    .union(connection('workspaces').select('id'))) as { workspace_id: Buffer }[];
  return rows.map((row) => idFromBytes(row.workspace_id));
}
