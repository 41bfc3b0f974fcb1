import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
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

/** Rows of one page. */
const pageSize = 2000;

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('decisions').select(columns).where('workspace_id', idToBytes(workspaceId));

/** Every decision of the workspace, by key; read in pages, so that none is too large. */
export async function listDecisions(connection: Connection, workspaceId: string): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (;;) {
    const page = rowsOf(connection, workspaceId).orderBy('decision_key').limit(pageSize);
    const last = decisions.at(-1);
    if (last !== undefined) page.where('decision_key', '>', last.key);
    const rows = (await page) as Row[];
    decisions.push(...rows.map(mapRow));
    if (rows.length < pageSize) return decisions;
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
  for (const batch of batches(entries)) await inserting(transaction, workspaceId, batch);
}

/** Writes working copies, whether they have faults, and the numbers of their newest versions. */
export async function updateDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  for (const batch of batches(entries)) {
    // Every one is there, so nothing is inserted: it is how one statement gives each row values of its own.
    await inserting(transaction, workspaceId, batch)
      .onConflict('id')
      .merge(['content_hash', 'faulty', 'latest_version', 'updated_at']);
  }
}

function inserting(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Knex.QueryBuilder {
  const now = new Date();
  return transaction('decisions').insert(
    entries.map((entry) => ({
      id: idToBytes(entry.id),
      workspace_id: idToBytes(workspaceId),
      decision_key: entry.key,
      content_hash: Buffer.from(entry.contentHash, 'hex'),
      faulty: entry.faulty,
      latest_version: entry.latestVersion,
      created_at: now,
      updated_at: now,
    })),
  );
}
