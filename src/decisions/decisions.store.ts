import { notInWorkspace } from '../errors.js';
import type { Knex } from 'knex';
import type { Lease } from '../jobs/jobs.store.js';
import { unlessLeased } from '../jobs/leases.store.js';
import { batches } from '../storage/batches.js';
import { Fields, hex, id, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { DecisionEntry, WantedEntries } from './decisionIndex.js';

export const decisionFields = new Fields<Omit<DecisionEntry, 'namespace'>>({
  id: id(),
  key: plain('decision_key'),
  contentHash: hex('content_hash'),
  faults: plain('faults'),
  warnings: plain('warnings'),
  latestVersion: plain('latest_version'),
  revision: plain('revision'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const joined = decisionFields.names.map((name) => `d.${name}`);

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('decisions').select(decisionFields.names).where('workspace_id', idToBytes(workspaceId));

/** The decisions of the workspace with these keys and ids, and those whose documents have these namespaces. */
export async function readDecisions(
  connection: Connection,
  workspaceId: string,
  { keys = [], ids = [], namespaces = [] }: WantedEntries,
): Promise<DecisionEntry[]> {
  const found: DecisionEntry[] = [];
  const read = async (column: string, values: readonly (string | Buffer)[]): Promise<void> => {
    for (const batch of batches(values)) {
      const rows = (await rowsOf(connection, workspaceId).whereIn(column, batch)) as object[];
      found.push(...rows.map(decisionFields.map));
    }
  };
  await read('decision_key', keys);
  await read('id', ids.map(idToBytes));
  for (const batch of batches(namespaces)) {
    const rows = (await connection('contents as c')
      .select(...joined, 'c.namespace')
      .join('decisions as d', 'd.content_hash', 'c.hash')
      .where('d.workspace_id', idToBytes(workspaceId))
      .whereIn('c.namespace', batch)) as { namespace: string }[];
    found.push(...rows.map((row) => ({ ...decisionFields.map(row), namespace: row.namespace })));
  }
  return found;
}

/** A decision, and the names that its working copy uses. */
interface Using {
  readonly entry: DecisionEntry;
  readonly names: readonly string[];
}

/** Rows of one page: a content's names may have 128 KiB. */
const pageSize = 100;
/** With more keys than that, all decisions that use any name are looked at. */
const maxPatterns = 20;

/** The decisions that may mean one of these keys or ids by a name: all that do, and maybe others. */
export async function* listUsing(
  connection: Connection,
  workspaceId: string,
  keysOrIds: readonly string[],
): AsyncGenerator<Using[]> {
  const patterns = keysOrIds.length > maxPatterns ? [] : keysOrIds.map(patternOf);
  for (let after: Buffer | undefined = Buffer.alloc(0); after !== undefined;) {
    const rows = (await connection(connection.raw('decisions AS d FORCE INDEX (decisions_workspace)'))
      .select(...joined, 'c.sub_decisions')
      .join('contents as c', 'c.hash', 'd.content_hash')
      .where('d.workspace_id', idToBytes(workspaceId))
      .where('d.id', '>', after)
      .whereNot('c.sub_decisions', '[]')
      .where((any) => {
        for (const pattern of patterns) void any.orWhereRaw('LOWER(c.sub_decisions) LIKE ?', [pattern]);
      })
      .orderBy('d.id')
      .limit(pageSize)) as { id: Buffer; sub_decisions: string }[];
    yield rows.map((row) => ({ entry: decisionFields.map(row), names: JSON.parse(row.sub_decisions) as string[] }));
    after = rows.length === pageSize ? rows.at(-1)?.id : undefined;
  }
}

/**
 * For LIKE: any name that may mean a key has the key's last part in it, with or without `.json`. What may be written in
 * several ways, as escapes of JSON and forms of Unicode that come to the same key (K is the Kelvin sign, too), matches anything.
 */
const patternOf = (keyOrId: string): string => {
  const last = keyOrId.slice(keyOrId.lastIndexOf('/') + 1).replace(/\.json$/, '');
  return `%${last.toLowerCase().replaceAll(/[^a-jl-z0-9.-]+/g, '%')}%`;
};

export async function findDecision(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
): Promise<DecisionEntry | undefined> {
  const [row] = (await rowsOf(connection, workspaceId).where('id', idToBytes(decisionId))) as object[];
  return row && decisionFields.map(row);
}

export async function requireDecision(
  connection: Connection,
  workspaceId: string,
  decisionId: string,
): Promise<DecisionEntry> {
  const found = await findDecision(connection, workspaceId, decisionId);
  if (found === undefined) throw notInWorkspace('decision', decisionId);
  return found;
}

/** What a writer begins with. */
export interface WriteState {
  /** How often the workspace's decisions were written. */
  readonly revision: number;
  /** Bytes of models that the workspace has stored. */
  readonly modelBytes: number;
}

/** Undefined when there is no such workspace. @param settled waits for whoever is writing its decisions */
export async function readWriteState(
  connection: Connection,
  workspaceId: string,
  settled = false,
): Promise<WriteState | undefined> {
  const reading = connection('workspaces')
    .select<{ decisions_revision: number | string; model_bytes: number | string }[]>(
      'decisions_revision',
      'model_bytes',
    )
    .where('id', idToBytes(workspaceId));
  const [row] = await (settled ? reading.forUpdate() : reading);
  return row && { revision: Number(row.decisions_revision), modelBytes: Number(row.model_bytes) };
}

/** The lease of whoever alone writes a workspace's decisions. */
export const writeLeaseOf = (workspaceId: string) => ({ kind: 'writing', id: workspaceId }) as const;

/**
 * Optimistic locking: takes the workspace's next revision if it still has the given one and nobody else has its write
 * lease, and locks it until the transaction ends. Every writer of decisions begins with it, so that of two writers with the
 * same state one has to start over.
 * @param more how many more decisions the workspace then has
 */
export async function takeRevision(
  transaction: Knex.Transaction,
  workspaceId: string,
  { revision, more, lease }: { readonly revision: number; readonly more: number; readonly lease: Lease | undefined },
): Promise<boolean> {
  const taken = await transaction('workspaces')
    .where({ id: idToBytes(workspaceId), decisions_revision: revision })
    .where(unlessLeased(transaction, writeLeaseOf(workspaceId), lease))
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
  entries: readonly DecisionEntry[],
): Promise<void> {
  for (const batch of batches(entries)) await inserting(transaction, workspaceId, batch);
}

/** Writes all fields of the entries except their time of creation. */
export async function updateDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DecisionEntry[],
): Promise<void> {
  for (const batch of batches(entries)) {
    // All rows exist, so nothing is inserted: an upsert gives each row its own values in one statement.
    await inserting(transaction, workspaceId, batch)
      .onConflict('id')
      .merge(decisionFields.names.filter((column) => column !== 'id' && column !== 'created_at'));
  }
}

/** Deletes their versions too. Fails with 1451 while deployments, routings or versions of others refer to one. */
export async function deleteDecisions(
  transaction: Knex.Transaction,
  workspaceId: string,
  entries: readonly DecisionEntry[],
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
  entries: readonly DecisionEntry[],
): Knex.QueryBuilder {
  return transaction('decisions').insert(
    entries.map((entry) => ({ workspace_id: idToBytes(workspaceId), ...decisionFields.toRow(entry) })),
  );
}
