import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { DirectoryEntry } from './directory.js';

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly decision_key: string;
  readonly content_hash: Buffer;
  readonly faulty: number;
  readonly latest_version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  'id',
  'workspace_id',
  'decision_key',
  'content_hash',
  'faulty',
  'latest_version',
  'created_at',
  'updated_at',
];

export interface Decision extends DirectoryEntry {
  readonly workspaceId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const mapRow = (row: Row): Decision => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  key: row.decision_key,
  contentHash: row.content_hash.toString('hex'),
  faulty: row.faulty === 1,
  latestVersion: row.latest_version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Rows of one statement. */
const batchSize = 500;

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('decisions').select(columns).where('workspace_id', idToBytes(workspaceId));

/** Every decision of the workspace, by key; read in pages, so that none is too large. */
export async function listDecisions(connection: Connection, workspaceId: string): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (;;) {
    const page = rowsOf(connection, workspaceId)
      .orderBy('decision_key')
      .limit(batchSize * 4);
    const last = decisions.at(-1);
    if (last !== undefined) page.where('decision_key', '>', last.key);
    const rows = (await page) as Row[];
    decisions.push(...rows.map(mapRow));
    if (rows.length < batchSize * 4) return decisions;
  }
}

export async function findDecision(
  connection: Connection,
  workspaceId: string,
  id: string,
): Promise<Decision | undefined> {
  const [row] = (await rowsOf(connection, workspaceId).where('id', idToBytes(id))) as Row[];
  return row === undefined ? undefined : mapRow(row);
}

/** How often the workspace's decisions were written; undefined when there is no such workspace. */
export async function readRevision(connection: Connection, workspaceId: string): Promise<number | undefined> {
  const [row] = (await connection('workspaces').select('decisions_revision').where('id', idToBytes(workspaceId))) as {
    decisions_revision: number | string;
  }[];
  return row === undefined ? undefined : Number(row.decisions_revision);
}

/**
 * Takes the workspace's next revision if it still has the given one, and holds it until the transaction ends: every
 * writer of decisions begins with it, so that of two with the same state before their eyes one is told to look again.
 */
export async function takeRevision(
  transaction: Knex.Transaction,
  workspaceId: string,
  revision: number,
): Promise<boolean> {
  const taken = await transaction('workspaces')
    .where({ id: idToBytes(workspaceId), decisions_revision: revision })
    .update({ decisions_revision: revision + 1 });
  return taken === 1;
}

export async function insertDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  const now = new Date();
  for (let from = 0; from < entries.length; from += batchSize) {
    await transaction('decisions').insert(
      entries.slice(from, from + batchSize).map((entry) => ({
        id: idToBytes(entry.id),
        workspace_id: idToBytes(workspaceId),
        decision_key: entry.key,
        ...contentColumns(entry),
        created_at: now,
        updated_at: now,
      })),
    );
  }
}

/** Writes the working copy, whether it has faults, and the number of the newest version. */
export async function updateDecision(
  transaction: Knex.Transaction,
  workspaceId: string,
  entry: DirectoryEntry,
): Promise<void> {
  await transaction('decisions')
    .where({ id: idToBytes(entry.id), workspace_id: idToBytes(workspaceId) })
    .update({ ...contentColumns(entry), updated_at: new Date() });
}

const contentColumns = (entry: DirectoryEntry): Record<string, Buffer | boolean | number> => ({
  content_hash: Buffer.from(entry.contentHash, 'hex'),
  faulty: entry.faulty,
  latest_version: entry.latestVersion,
});
