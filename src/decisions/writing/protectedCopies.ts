import type { Knex } from 'knex';
import { Problem } from '../../errors.js';
import { protectedCopies } from '../../protections/protections.store.js';
import { createWorkspaceReader } from '../workspaceReader.js';
import { reachOf } from './manifest.js';

/** By decision: the program of its working copy, and its key. */
type Programs = ReadonlyMap<string, { readonly programId: string; readonly key: string }>;

/**
 * Working copies that run in protected environments stay as they are, with all that they reach. To be called in the
 * transaction of a write before the decisions are written, with the workspace locked.
 * @returns what refuses the write once it is done. It throws Problem `approval_required`
 */
export async function keepProtectedCopies(
  transaction: Knex.Transaction,
  workspaceId: string,
): Promise<() => Promise<void>> {
  const roots = await protectedCopies(transaction, workspaceId);
  if (roots.length === 0) return () => Promise.resolve();
  const before = await programsOf(transaction, workspaceId, roots);
  return async () => {
    const after = await programsOf(transaction, workspaceId, roots);
    for (const [id, { key, programId }] of before) {
      if (after.get(id)?.programId === programId) continue;
      throw new Problem(
        'approval_required',
        `The working copy of ${JSON.stringify(key)} runs in a protected environment, and this would change it; deploy a ` +
          'saved version there by a change request first.',
      );
    }
  };
}

async function programsOf(
  transaction: Knex.Transaction,
  workspaceId: string,
  roots: readonly string[],
): Promise<Programs> {
  const { decisionIndexOf, namesOf } = createWorkspaceReader(transaction);
  const decisionIndex = decisionIndexOf(workspaceId);
  await decisionIndex.read({ ids: [...roots] });
  const programs = new Map<string, { readonly programId: string; readonly key: string }>();
  for (const id of roots) {
    const root = decisionIndex.find(id);
    if (root === undefined) continue;
    const { programId } = await reachOf(root, decisionIndex, namesOf);
    programs.set(id, { programId, key: root.key });
  }
  return programs;
}
