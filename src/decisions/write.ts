import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { inTransaction } from '../storage/database.js';
import { putContents, type Content } from './contents.store.js';
import { insertDecisions, listDecisions, readRevision, takeRevision, updateDecisions } from './decisions.store.js';
import { createDirectory, type Directory, type DirectoryEntry } from './directory.js';
import { insertVersions, type NewVersion } from './versions.store.js';

/** All that one command changes. */
export interface Writes {
  readonly contents: readonly Content[];
  readonly inserted: readonly DirectoryEntry[];
  readonly updated: readonly DirectoryEntry[];
  readonly versions: readonly NewVersion[];
}

export const noWrites: Writes = { contents: [], inserted: [], updated: [], versions: [] };

/** What to write, worked out from the workspace as it was read, and what to tell the caller once it is written. */
export interface Plan<T> {
  readonly writes: Writes;
  readonly result: T;
}

/** Each round one writer gets through, so this many may come at once. */
const maxRounds = 100;

/**
 * The only way in which decisions are written. The plan is made without a lock, however long it takes; then all of it
 * is written in one short transaction, or nothing is. When another writer came between, the plan is made anew.
 * @throws Problem `forbidden` when there is no such workspace
 */
export async function writeDecisions<T>(
  database: Knex,
  workspaceId: string,
  plan: (directory: Directory) => Promise<Plan<T>>,
): Promise<T> {
  for (let round = 1; round <= maxRounds; round++) {
    const { revision, directory } = await readDirectory(database, workspaceId);
    const { writes, result } = await plan(directory);
    if (isEmpty(writes)) return result;
    await putContents(database, writes.contents);
    if (await write(database, workspaceId, revision, writes)) return result;
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
  // The revision first: what is written between the two reads then shows as a revision that has moved.
  const revision = await requireRevision(database, workspaceId);
  return { revision, directory: createDirectory(await listDecisions(database, workspaceId)) };
}

function write(database: Knex, workspaceId: string, revision: number, writes: Writes): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (!(await takeRevision(transaction, workspaceId, revision))) return false;
    await insertDecisions(transaction, workspaceId, writes.inserted);
    await updateDecisions(transaction, workspaceId, writes.updated);
    await insertVersions(transaction, workspaceId, writes.versions);
    return true;
  });
}

const isEmpty = ({ inserted, updated, versions }: Writes): boolean =>
  inserted.length + updated.length + versions.length === 0;
