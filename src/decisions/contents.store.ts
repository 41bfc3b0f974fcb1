import type { Knex } from 'knex';
import type { Reservation } from '../admission/byteBudget.js';
import { batches, chunks } from '../storage/batches.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import { idToBytes } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import { namespaceOf } from './dmnNamespace.js';

/** A model's text by its SHA-256 (hex). Contents are shared by all workspaces: equal text is stored once. */
export interface Content {
  readonly hash: string;
  /** Bytes are UTF-8. */
  readonly text: string | Uint8Array;
  /** The names that its decision nodes use, each once, in the order of the document. */
  readonly subDecisions: readonly string[];
}

const lookupSize = 500;

/**
 * Stores contents that are not stored yet. Needs no transaction with what refers to them: an unreferenced content is
 * invisible, and a later import reuses it.
 * @param yieldToLive has a statement written when live work allows it
 */
export async function putContents(
  database: Knex,
  contents: readonly Content[],
  yieldToLive: (piece: () => Promise<void>) => Promise<void> = (piece) => piece(),
): Promise<void> {
  // In a fixed order, so that concurrent imports do not deadlock.
  const unique = [...new Map(contents.map((content) => [content.hash, content])).values()];
  unique.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const known = await readSizes(
    database,
    unique.map(({ hash }) => hash),
  );
  const absent = unique.filter(({ hash }) => !known.has(hash));
  for (const batch of batches(absent, ({ text }) => text)) {
    const rows = batch.map(({ hash, text, subDecisions }) => ({
      hash: Buffer.from(hash, 'hex'),
      body: text,
      bytes: Buffer.byteLength(text),
      sub_decisions: JSON.stringify(subDecisions),
      namespace: namespaceOf(text) ?? null,
      created_at: new Date(),
    }));
    await yieldToLive(() =>
      inTransaction(database, async (transaction) => {
        await transaction('contents').insert(rows).onConflict('hash').merge(['hash']);
      }),
    );
  }
}

/** A column of contents, by hash; a hash that is not stored is absent from the result. */
async function readColumn(
  connection: Connection,
  hashes: Iterable<string>,
  column: string | Knex.Raw,
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const batch of batches([...new Set(hashes)])) {
    const some = batch.map((hash) => Buffer.from(hash, 'hex'));
    const rows = (await connection('contents').select('hash', { value: column }).whereIn('hash', some)) as {
      hash: Buffer;
      value: unknown;
    }[];
    for (const { hash, value } of rows) values.set(hash.toString('hex'), value);
  }
  return values;
}

export const readContents = (connection: Connection, hashes: Iterable<string>) =>
  readColumn(connection, hashes, 'body') as Promise<Map<string, string>>;

/** The same as bytes (UTF-8), for which no text is made of them. */
export const readContentBytes = (connection: Connection, hashes: Iterable<string>) =>
  readColumn(connection, hashes, connection.raw('CAST(body AS BINARY)')) as Promise<Map<string, Buffer>>;

/** In bytes. */
export const readSizes = (connection: Connection, hashes: Iterable<string>) =>
  readColumn(connection, hashes, 'bytes') as Promise<Map<string, number>>;

/** Bytes of contents that are read at once, unless one alone has more. */
const chunkBytes = 1024 * 1024;

/** Reads contents few at a time, each chunk charged to the account, so that all need not fit in memory. */
export async function* contentChunks(
  connection: Connection,
  sizes: ReadonlyMap<string, number>,
  account?: Pick<Reservation, 'grow' | 'shrink'>,
): AsyncGenerator<Map<string, string>> {
  for (const chunk of chunks([...sizes], ([, bytes]) => bytes, { size: chunkBytes, count: lookupSize })) {
    const together = chunk.reduce((sum, [, bytes]) => sum + bytes, 0);
    account?.grow(together);
    try {
      yield await readContents(
        connection,
        chunk.map(([hash]) => hash),
      );
    } finally {
      account?.shrink(together);
    }
  }
}

/** The names that contents' decision nodes use, by hash; a hash that is not stored is absent from the result. */
export async function readNames(connection: Connection, hashes: Iterable<string>): Promise<Map<string, string[]>> {
  const texts = (await readColumn(connection, hashes, 'sub_decisions')) as Map<string, string>;
  return new Map([...texts].map(([hash, text]) => [hash, JSON.parse(text) as string[]]));
}

/** All that can name a content. */
const naming = ['decisions', 'versions', 'version_dependencies', 'kept_program_contents'] as const;
/** An import stores its contents a little before the decisions that name them. */
const unnamedForMs = 60 * 60 * 1000;

/** Deletes contents that nothing names; foreign keys keep those that something begins to name meanwhile. */
export async function sweepContents(database: Knex): Promise<void> {
  const before = new Date(Date.now() - unnamedForMs);
  const old = database('contents').select('hash').where('created_at', '<', before);
  for await (const rows of inPages<{ readonly hash: Buffer }>(old, lookupSize, {
    column: 'hash',
    after: Buffer.alloc(0),
  })) {
    const hashes = rows.map(({ hash }) => hash);
    const named = await namedOf(database, hashes);
    for (const hash of hashes) if (!named.has(hash.toString('hex'))) await deleteUnlessNamed(database, hash);
  }
}

/** The contents (hex) that something names. @param workspaceId undefined: in any workspace */
export async function namedOf(
  connection: Connection,
  hashes: readonly Buffer[],
  workspaceId?: string,
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const table of naming) {
    const reading = connection(table).distinct('content_hash').whereIn('content_hash', hashes);
    if (workspaceId !== undefined) void reading.where('workspace_id', idToBytes(workspaceId));
    const rows = (await reading) as { content_hash: Buffer }[];
    for (const { content_hash } of rows) named.add(content_hash.toString('hex'));
  }
  return named;
}

async function deleteUnlessNamed(database: Knex, hash: Buffer): Promise<void> {
  try {
    await inTransaction(database, (transaction) => transaction('contents').where({ hash }).delete());
  } catch (error) {
    if (mysqlErrno(error) !== mysqlErrors.rowIsReferenced) throw error;
  }
}
