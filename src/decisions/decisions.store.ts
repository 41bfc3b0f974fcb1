import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { DirectoryEntry } from './directory.js';

interface Row {
  readonly id: Buffer;
  readonly decision_key: string;
  readonly content_hash: Buffer;
  readonly faults: number;
  readonly warnings: number;
  readonly latest_version: number;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const decisionColumns = [
  'id',
  'decision_key',
  'content_hash',
  'faults',
  'warnings',
  'latest_version',
  'revision',
  'created_at',
  'updated_at',
];

export const mapDecision = (row: Row): DirectoryEntry => ({
  id: idFromBytes(row.id),
  key: row.decision_key,
  contentHash: row.content_hash.toString('hex'),
  faults: row.faults,
  warnings: row.warnings,
  latestVersion: row.latest_version,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Rows of one page: few enough that reading them holds up nobody. */
const pageSize = 500;

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('decisions').select(decisionColumns).where('workspace_id', idToBytes(workspaceId));

/** Every decision of the workspace, by key; read in pages, so that none is too large. */
export async function listDecisions(connection: Connection, workspaceId: string): Promise<DirectoryEntry[]> {
  const decisions: DirectoryEntry[] = [];
  for (;;) {
    const page = rowsOf(connection, workspaceId).orderBy('decision_key').limit(pageSize);
    const last = decisions.at(-1);
    if (last !== undefined) page.where('decision_key', '>', last.key);
    const rows = (await page) as Row[];
    decisions.push(...rows.map(mapDecision));
    if (rows.length < pageSize) return decisions;
  }
}

export async function findDecision(
  connection: Connection,
  workspaceId: string,
  id: string,
): Promise<DirectoryEntry | undefined> {
  const [row] = (await rowsOf(connection, workspaceId).where('id', idToBytes(id))) as Row[];
  return row === undefined ? undefined : mapDecision(row);
}

/** How often the workspace's decisions were written; undefined when there is no such workspace. */
export async function readRevision(connection: Connection, workspaceId: string): Promise<number | undefined> {
  const [row] = (await connection('workspaces').select('decisions_revision').where('id', idToBytes(workspaceId))) as {
    decisions_revision: number | string;
  }[];
  return row === undefined ? undefined : Number(row.decisions_revision);
}

/**
 * Optimistic locking: takes the workspace's next revision if it still has the given one, and locks it until the
 * transaction ends. Every writer of decisions begins with it, so that of two writers with the same state one has to
 * start over.
 * @param more how many more decisions the workspace then has
 */
export async function takeRevision(
  transaction: Knex.Transaction,
  workspaceId: string,
  { revision, more }: { readonly revision: number; readonly more: number },
): Promise<boolean> {
  const taken = await transaction('workspaces')
    .where({ id: idToBytes(workspaceId), decisions_revision: revision })
    .update({
      decisions_revision: revision + 1,
      // Without the cast the sum of an unsigned and a negative number is out of range.
      decisions_count: transaction.raw('CAST(decisions_count AS SIGNED) + ?', [more]),
    });
  return taken === 1;
}

export async function insertDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  for (const batch of batches(entries)) await inserting(transaction, workspaceId, batch);
}

/** Writes all fields of the entries except their time of creation. */
export async function updateDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  for (const batch of batches(entries)) {
    // All rows exist, so nothing is inserted: an upsert gives each row its own values in one statement.
    await inserting(transaction, workspaceId, batch)
      .onConflict('id')
      .merge(decisionColumns.filter((column) => column !== 'id' && column !== 'created_at'));
  }
}

/** Deletes their versions too. Fails with 1451 while deployments, routings or versions of others refer to one. */
export async function deleteDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  for (const batch of batches(entries)) {
    const ids = batch.map(({ id }) => idToBytes(id));
    const workspace = { workspace_id: idToBytes(workspaceId) };
    await transaction('versions').where(workspace).whereIn('decision_id', ids).delete();
    await transaction('decisions').where(workspace).whereIn('id', ids).delete();
  }
}

function inserting(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DirectoryEntry[],
): Knex.QueryBuilder {
  return transaction('decisions').insert(
    entries.map((entry) => ({
      id: idToBytes(entry.id),
      workspace_id: idToBytes(workspaceId),
      decision_key: entry.key,
      content_hash: Buffer.from(entry.contentHash, 'hex'),
      faults: entry.faults,
      warnings: entry.warnings,
      latest_version: entry.latestVersion,
      revision: entry.revision,
      created_at: entry.createdAt,
      updated_at: entry.updatedAt,
    })),
  );
}
