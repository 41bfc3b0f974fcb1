import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import { idToBytes } from '../storage/ids.js';
import { namespaceOf } from './dmnNamespace.js';

/** A model's text by its SHA-256 (hex). Contents are shared by all workspaces: equal text is stored once. */
export interface Content {
  readonly hash: string;
  readonly text: string | Uint8Array;
  readonly subDecisions: readonly string[];
}

const lookupSize = 500;

/** Stores contents that are not stored yet, without a transaction: nobody sees one that nothing refers to. */
export async function putContents(
  database: Knex,
  contents: readonly Content[],
  yieldToLive: (piece: () => Promise<void>) => Promise<void> = (piece) => piece(),
): Promise<void> {
  // In a fixed order, so that concurrent imports do not deadlock.
  const unique = [...new Map(contents.map((content) => [content.hash, content])).values()];
  unique.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const known = await knownHashes(database, unique);
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

export async function readContents(connection: Connection, hashes: Iterable<string>): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const chunk of chunks([...new Set(hashes)])) {
    const rows = (await connection('contents').select('hash', 'body').whereIn('hash', chunk)) as Row[];
    for (const { hash, body } of rows) texts.set(hash.toString('hex'), body);
  }
  return texts;
}

/** The same as bytes (UTF-8), for which no text is made of them. */
export async function readContentBytes(
  connection: Connection,
  hashes: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = (await connection('contents')
    .select('hash', connection.raw('CAST(body AS BINARY) AS body'))
    .whereIn(
      'hash',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )) as { hash: Buffer; body: Buffer }[];
  return new Map(rows.map(({ hash, body }) => [hash.toString('hex'), body]));
}

/** Sizes of contents in bytes, by hash; a hash that is not stored is absent from the result. */
export async function readSizes(connection: Connection, hashes: Iterable<string>): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const chunk of chunks([...new Set(hashes)])) {
    const rows = (await connection('contents').select('hash', 'bytes').whereIn('hash', chunk)) as SizeRow[];
    for (const { hash, bytes } of rows) sizes.set(hash.toString('hex'), bytes);
  }
  return sizes;
}

/** Bytes of contents that are read at once, unless one alone has more. */
const chunkBytes = 1024 * 1024;

/** Is charged for what is held. */
interface Account {
  grow(bytes: number): void;
  shrink(bytes: number): void;
}

/** Reads contents few at a time, each chunk charged to the account, so that all need not fit in memory. */
export async function* contentChunks(
  connection: Connection,
  sizes: ReadonlyMap<string, number>,
  account?: Account,
): AsyncGenerator<Map<string, string>> {
  for (const { hashes, bytes } of chunksOf(sizes)) {
    account?.grow(bytes);
    try {
      yield await readContents(connection, hashes);
    } finally {
      account?.shrink(bytes);
    }
  }
}

function* chunksOf(sizes: ReadonlyMap<string, number>): Generator<{ hashes: string[]; bytes: number }> {
  let chunk = { hashes: [] as string[], bytes: 0 };
  for (const [hash, bytes] of sizes) {
    if (chunk.hashes.length > 0 && (chunk.bytes + bytes > chunkBytes || chunk.hashes.length === lookupSize)) {
      yield chunk;
      chunk = { hashes: [], bytes: 0 };
    }
    chunk.hashes.push(hash);
    chunk.bytes += bytes;
  }
  if (chunk.hashes.length > 0) yield chunk;
}

/** The names that contents' decision nodes use, by hash; a hash that is not stored is absent from the result. */
export async function readNames(connection: Connection, hashes: Iterable<string>): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for (const chunk of chunks([...new Set(hashes)])) {
    const rows = (await connection('contents').select('hash', 'sub_decisions').whereIn('hash', chunk)) as NamesRow[];
    for (const { hash, sub_decisions } of rows) names.set(hash.toString('hex'), JSON.parse(sub_decisions) as string[]);
  }
  return names;
}

interface Row {
  readonly hash: Buffer;
  readonly body: string;
}

interface SizeRow {
  readonly hash: Buffer;
  readonly bytes: number;
}

interface NamesRow {
  readonly hash: Buffer;
  readonly sub_decisions: string;
}

async function knownHashes(connection: Connection, contents: readonly Content[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const chunk of chunks(contents.map(({ hash }) => hash))) {
    const rows = (await connection('contents').select('hash').whereIn('hash', chunk)) as Pick<Row, 'hash'>[];
    for (const { hash } of rows) known.add(hash.toString('hex'));
  }
  return known;
}

function* chunks(hashes: readonly string[]): Generator<Buffer[]> {
  for (let from = 0; from < hashes.length; from += lookupSize) {
    yield hashes.slice(from, from + lookupSize).map((hash) => Buffer.from(hash, 'hex'));
  }
}

/** All that can name a content. */
const naming = ['decisions', 'versions', 'version_dependencies', 'kept_program_contents'] as const;
/** An import stores its contents a little before the decisions that name them. */
const unnamedForMs = 60 * 60 * 1000;

/** Deletes contents that nothing names; foreign keys keep those that something begins to name meanwhile. */
export async function sweepContents(database: Knex): Promise<void> {
  const before = new Date(Date.now() - unnamedForMs);
  for (let after: Buffer | undefined = Buffer.alloc(0); after !== undefined;) {
    const rows = (await database('contents')
      .select('hash')
      .where('hash', '>', after)
      .where('created_at', '<', before)
      .orderBy('hash')
      .limit(lookupSize)) as { hash: Buffer }[];
    const named = await namedOf(
      database,
      rows.map(({ hash }) => hash),
    );
    for (const { hash } of rows) if (!named.has(hash.toString('hex'))) await deleteUnlessNamed(database, hash);
    after = rows.length === lookupSize ? rows.at(-1)?.hash : undefined;
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
