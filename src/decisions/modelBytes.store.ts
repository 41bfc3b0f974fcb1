import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { batches } from '../storage/batches.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import { namedOf, readSizes, type Content } from './contents.store.js';

// The bytes of models that a workspace has stored: each content once, from its first write until a prune finds that nothing
// of the workspace names it any more. The sum stands with the workspace and is changed while the workspace is locked.

/** Longest JSON of the names that one model uses: a thousand of a usual length. */
const maxNamesLength = 128 * 1024;

/**
 * Refuses contents before they are stored.
 * @throws Problem `workspace_full`, `model_too_large`
 */
export async function requireRoom(
  database: Knex,
  workspaceId: string,
  {
    contents,
    modelBytes,
    maxModelBytes,
  }: { readonly contents: readonly Content[]; readonly modelBytes: number; readonly maxModelBytes: number },
): Promise<void> {
  for (const { subDecisions } of contents) {
    if (JSON.stringify(subDecisions).length > maxNamesLength) throw namesTooMuch();
  }
  const sizes = new Map(contents.map(({ hash, text }) => [hash, Buffer.byteLength(text)]));
  if (modelBytes + sum(sizes.values()) <= maxModelBytes) return;
  for (const known of await knownOf(database, workspaceId, [...sizes.keys()])) sizes.delete(known);
  const more = sum(sizes.values());
  if (more > 0 && modelBytes + more > maxModelBytes) throw full({ modelBytes, more, maxModelBytes });
}

const namesTooMuch = (): Problem =>
  new Problem(
    'model_too_large',
    `The names of the sub-decisions that the model uses have more than ${maxNamesLength} characters together.`,
  );

const full = ({ modelBytes, more, maxModelBytes }: Readonly<Record<string, number>>): Problem =>
  new Problem(
    'workspace_full',
    `The workspace has stored ${modelBytes} bytes of models, versions and what records need included; with ${more} more ` +
      `it would have more than ${maxModelBytes}.`,
  );

/** Adds stored contents to what the workspace has. The transaction must have locked the workspace. */
export async function countContents(
  transaction: Knex.Transaction,
  workspaceId: string,
  contents: readonly Content[],
): Promise<void> {
  if (contents.length === 0) return;
  const hashes = [...new Set(contents.map(({ hash }) => hash))];
  const known = await knownOf(transaction, workspaceId, hashes);
  const sizes = await readSizes(
    transaction,
    hashes.filter((hash) => !known.has(hash)),
  );
  const rows = [...sizes].map(([hash, bytes]) => ({
    workspace_id: idToBytes(workspaceId),
    content_hash: Buffer.from(hash, 'hex'),
    bytes,
  }));
  for (const batch of batches(rows)) await transaction('workspace_contents').insert(batch);
  await addBytes(transaction, workspaceId, sum(sizes.values()));
}

/** Hashes looked at together: few, as others wait for the locked workspace meanwhile. */
const chunkSize = 500;

/** Takes contents off that nothing of the workspace names any more. */
export async function forgetContents(database: Knex, workspaceId: string): Promise<void> {
  const workspace = { workspace_id: idToBytes(workspaceId) };
  const all = database('workspace_contents').select('content_hash', 'bytes').where(workspace);
  const pages = inPages<{ readonly content_hash: Buffer; readonly bytes: number }>(all, chunkSize, {
    column: 'content_hash',
    after: Buffer.alloc(0),
  });
  for await (const rows of pages) {
    const hashes = rows.map(({ content_hash }) => content_hash);
    const named = await namedOf(database, hashes, workspaceId);
    const unnamed = rows.filter(({ content_hash }) => !named.has(content_hash.toString('hex')));
    if (unnamed.length > 0) await forget(database, workspaceId, unnamed);
  }
}

/** A writer may have named one meanwhile: that is looked at again while no writer can. */
function forget(
  database: Knex,
  workspaceId: string,
  rows: readonly { readonly content_hash: Buffer; readonly bytes: number }[],
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction('workspaces').select('id').where('id', idToBytes(workspaceId)).forUpdate();
    const hashes = rows.map(({ content_hash }) => content_hash);
    const named = await namedOf(transaction, hashes, workspaceId);
    const unnamed = rows.filter(({ content_hash }) => !named.has(content_hash.toString('hex')));
    for (const { content_hash, bytes } of unnamed) {
      const row = { workspace_id: idToBytes(workspaceId), content_hash };
      const deleted = await transaction('workspace_contents').where(row).delete();
      if (deleted > 0) await addBytes(transaction, workspaceId, -bytes);
    }
  });
}

async function addBytes(transaction: Knex.Transaction, workspaceId: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await transaction('workspaces')
    .where('id', idToBytes(workspaceId))
    // Without the cast the sum of an unsigned and a negative number is out of range.
    .update({ model_bytes: transaction.raw('CAST(model_bytes AS SIGNED) + ?', [bytes]) });
}

async function knownOf(
  connection: Connection,
  workspaceId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const batch of batches(hashes)) {
    const rows = (await connection('workspace_contents')
      .select('content_hash')
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn(
        'content_hash',
        batch.map((hash) => Buffer.from(hash, 'hex')),
      )) as { content_hash: Buffer }[];
    for (const { content_hash } of rows) known.add(content_hash.toString('hex'));
  }
  return known;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
