import type { Knex } from 'knex';
import { ByteBudget } from '../admission/byteBudget.js';
import { requestsWithOtherReviews } from '../changes/alteredReviews.js';
import { checkWorkspace, type Finding } from '../evidence/check.js';
import { createKeptHeads } from '../evidence/keptHeads.js';
import { createEvidenceKeys } from '../evidence/keys.js';
import { originIn } from '../evidence/origin.js';
import { createRecords } from '../evidence/records.js';
import { restartEvidence, workspacesWithRecords } from '../evidence/restartEvidence.js';
import { eachTree, findTree, type Tree } from '../evidence/trees.store.js';
import { keptFolder } from '../evidence/witness.js';
import { Refusal } from './failures.js';
import type { Session } from './session.js';

async function* treesOf(database: Knex, workspaceId: string | undefined): AsyncGenerator<Tree> {
  if (workspaceId === undefined) return yield* eachTree(database);
  const tree = await findTree(database, workspaceId);
  if (tree === undefined) throw new Refusal(`There is no evidence of workspace ${workspaceId}.`);
  yield tree;
}

/** Walks all records of that workspace, or of all. @param maxFindings kept; of more, nothing is told */
export async function checkTrees(session: Session, workspace: string | undefined, maxFindings: number) {
  const { database, encryption } = await session.stores();
  const folder = keptFolder(session.config());
  const records = createRecords({ database, encryption });
  // A process of its own has room for a piece at a time.
  const budget = new ByteBudget(Number.MAX_SAFE_INTEGER);
  const parts = { database, encryption, records, folder, budget, requestsWithOtherReviews };
  const findings: Finding[] = [];
  const found = (finding: Finding): void => {
    if (findings.length < maxFindings) findings.push(finding);
  };
  let leaves = 0;
  for await (const tree of treesOf(database, workspace)) {
    const { workspaceId } = tree;
    await session.during(`checking ${workspaceId}`, tree.size, (advance) => {
      const checked = (count: number): void => {
        leaves += count;
        advance(count);
      };
      return checkWorkspace(parts, tree, { found, checked });
    });
  }
  return { leaves, findings };
}

/** Begins another tree of that workspace, or of each of which nothing is signed. */
export async function restarted(session: Session, workspace: string | undefined, reason: string) {
  if (reason.trim() === '') throw new Refusal('A restart needs a reason, which stands in the tree for good.');
  const stores = await session.stores();
  const config = session.config();
  const parts = {
    ...stores,
    keys: createEvidenceKeys(stores),
    kept: createKeptHeads(keptFolder(config)),
    originOf: originIn(config.issuer),
  };
  const begun = [];
  for (const workspaceId of workspace === undefined ? await workspacesWithRecords(stores.database) : [workspace]) {
    const told = await restartEvidence(parts, workspaceId, reason);
    if (told !== undefined) begun.push({ workspaceId, ...told });
  }
  if (begun.length === 0) throw new Refusal('No evidence needs a restart: nothing that is signed is behind.');
  return begun;
}
