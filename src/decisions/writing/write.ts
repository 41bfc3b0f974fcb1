import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { appendAuditEntries, type Actor } from '../../audit/audit.store.js';
import { Problem } from '../../errors.js';
import { inTransaction, mysqlErrno, mysqlErrors } from '../../storage/database.js';
import { putContents } from '../contents.store.js';
import {
  deleteDecisions,
  insertDecisions,
  listDecisions,
  readRevision,
  takeRevision,
  updateDecisions,
} from '../decisions.store.js';
import { createDirectory, revised, type Directory } from '../directory.js';
import { insertVersions, savedByOf } from '../versions.store.js';
import { entriesOf } from './writtenEntries.js';
import type { InTurn } from './turns.js';
import type { Writes } from './writes.js';

/** What to write, worked out from the workspace as it was read, and what to tell the caller once it is written. */
export interface Plan<T> {
  readonly writes: Writes;
  readonly result: T;
}

/** Of which workspace, and by whom. */
export interface WriteContext {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Contents are written in turns with others' work; at once when it is left out. */
  readonly inTurn?: InTurn | undefined;
}

/** The state that a plan is made from. */
export interface Planned {
  /** Of the workspace; writing takes the next one. */
  readonly revision: number;
  /** The time that is written. */
  readonly at: Date;
}

/** In each round one writer succeeds, so that this many concurrent writers are served. */
const maxRounds = 100;

/**
 * The only way in which decisions are written. The plan is made without a lock, however long it takes; then all of it
 * is written in one short transaction with its audit entries, or nothing is. Where another writer committed meanwhile
 * (optimistic locking), the plan is made again.
 * @throws Problem `forbidden` when there is no such workspace, `decision_in_use` for a removed decision that is named
 */
export async function writeDecisions<T>(
  database: Knex,
  context: WriteContext,
  plan: (directory: Directory, planned: Planned) => Promise<Plan<T>>,
): Promise<T> {
  for (let round = 1; round <= maxRounds; round++) {
    const { revision, directory } = await readDirectory(database, context.workspaceId);
    const planned = { revision, at: new Date() };
    const { writes, result } = await plan(directory, planned);
    if (isEmpty(writes)) return result;
    await putContents(database, writes.contents, context.inTurn);
    if (await write(database, context, { ...planned, directory, writes }).catch(isContentGone)) return result;
    await sleep(Math.random() * Math.min(10 * round, 200));
  }
  throw new Problem('overloaded', 'Others keep writing decisions of this workspace; try again shortly.', {
    retryAfter: 1,
  });
}

/** The workspace's revision. Throws Problem `forbidden` when there is no such workspace. */
export async function requireRevision(database: Knex, workspaceId: string): Promise<number> {
  const revision = await readRevision(database, workspaceId);
  if (revision === undefined) throw new Problem('forbidden', `There is no workspace ${workspaceId}.`);
  return revision;
}

/** The workspace's decisions, at least as new as the revision. Throws as `requireRevision`. */
export async function readDirectory(
  database: Knex,
  workspaceId: string,
): Promise<{ revision: number; directory: Directory }> {
  // The revision is read first, so that a write between the two reads is noticed as a changed revision.
  const revision = await requireRevision(database, workspaceId);
  return { revision, directory: createDirectory(await listDecisions(database, workspaceId)) };
}

function write(
  database: Knex,
  { workspaceId, actor }: WriteContext,
  { revision, at, directory, writes }: Planned & { readonly directory: Directory; readonly writes: Writes },
): Promise<boolean> {
  const { inserted, removed, versions } = writes;
  const updated = writes.updated.map((entry) => revised(entry, at));
  const entries = entriesOf({ ...writes, updated }, { workspaceId, actor, at, directory });
  return inTransaction(database, async (transaction) => {
    const more = inserted.length - removed.length;
    if (!(await takeRevision(transaction, workspaceId, { revision, more }))) return false;
    await insertDecisions(transaction, workspaceId, inserted);
    await updateDecisions(transaction, workspaceId, updated);
    await insertVersions(transaction, workspaceId, versions, { savedBy: savedByOf(actor.principal), at });
    await deleteDecisions(transaction, workspaceId, removed).catch(refuseInUse);
    await appendAuditEntries(transaction, entries);
    return true;
  });
}

/** Foreign keys decide, so that no concurrent deployment, version or execution loses its decision. */
function refuseInUse(error: unknown): never {
  if (mysqlErrno(error) !== mysqlErrors.rowIsReferenced) throw error;
  const detail = 'A deployment, a saved version of another decision or a recorded execution names this decision.';
  throw new Problem('decision_in_use', detail, { cause: error });
}

/** Nothing named the content when it was found stored, and a prune took it: then the plan is written anew, as after others. */
function isContentGone(error: unknown): false {
  if (mysqlErrno(error) !== mysqlErrors.noReferencedRow) throw error;
  return false;
}

const isEmpty = ({ inserted, updated, removed, versions }: Writes): boolean =>
  inserted.length + updated.length + removed.length + versions.length === 0;
