import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import { Fields, id, plain } from '../storage/columns.js';
import { byPrimaryKey, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { limitTo, pageOf, type Page, type PageRequest } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';

/** An execution that came out otherwise; `changes` is JSON. */
export interface StoredDifference {
  readonly executionId: string;
  readonly reference: string | null;
  readonly changes: string;
}

const fields = new Fields<StoredDifference>({
  executionId: id('execution_id'),
  reference: plain('reference'),
  changes: plain('changes'),
});

export interface NewDifference extends StoredDifference {
  readonly pointers: readonly string[];
}

/** Rows of one statement: building a larger one holds the event loop up. */
const rowsPerStatement = 200;

/** By which a place is found. */
export const digestOf = (pointer: string): Buffer => createHash('sha256').update(pointer).digest().subarray(0, 16);

export async function insertDifferences(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  differences: readonly NewDifference[],
): Promise<void> {
  const owner = { workspace_id: idToBytes(workspaceId), replay_id: idToBytes(id) };
  for (const some of batches(differences, ({ changes }) => changes, rowsPerStatement))
    await transaction('replay_differences').insert(
      some.map(({ pointers: _, ...difference }) => ({ ...owner, ...fields.toRow(difference) })),
    );
  const places = differences.flatMap(({ executionId, pointers }) =>
    pointers.map((pointer) => ({
      ...owner,
      pointer_digest: digestOf(pointer),
      execution_id: idToBytes(executionId),
    })),
  );
  for (const some of batches(places, undefined, rowsPerStatement)) await transaction('replay_places').insert(some);
}

/** The ids of a page of executions with another result, the newest first. @param pointer the changed place; undefined for any */
export async function pageOfDifferences(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
  pointer: string | undefined,
  request: PageRequest,
): Promise<Page<Buffer>> {
  const owner = { workspace_id: idToBytes(workspaceId), replay_id: idToBytes(id) };
  const newestFirst = { ...request, order: 'desc' } as const;
  const all =
    pointer === undefined
      ? connection('replay_differences').where(owner)
      : connection('replay_places').where({ ...owner, pointer_digest: digestOf(pointer) });
  const ids = (await limitTo(all, 'execution_id', newestFirst).pluck('execution_id')) as Buffer[];
  return pageOf(ids, request, { total: null, cursorOf: (execution) => execution });
}

/** Rows of the first statement, and of any. In between a statement reads what has about so many characters, by the rows before. */
const firstRows = 8;
const mostRows = 64;
const chunkLength = 256 * 1024;

/** Reads the differences of those executions, some at a time, in their order. Those that were removed meanwhile are left out. */
export async function* readDifferences(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
  executions: readonly Buffer[],
): AsyncGenerator<readonly StoredDifference[], void> {
  let count = firstRows;
  for (let at = 0; at < executions.length;) {
    // Other replays have differences of the same executions.
    const rows = (await byPrimaryKey(connection, 'replay_differences')
      .select(fields.names)
      .where({ workspace_id: idToBytes(workspaceId), replay_id: idToBytes(id) })
      .whereIn('execution_id', executions.slice(at, at + count))
      .orderBy('execution_id', 'desc')) as object[];
    const found = rows.map(fields.map);
    yield found;
    at += count;
    const length = found.reduce((sum, { changes }) => sum + changes.length, 0);
    count = Math.max(1, Math.min(mostRows, Math.floor((rows.length * chunkLength) / Math.max(1, length))));
  }
}

/** Rows that one statement deletes: few enough that nobody waits long. */
const deletedPerStatement = 2000;

/** Deletes some of what is stored of a removed replay. False when nothing was left. */
export async function deleteSomeDifferences(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
): Promise<boolean> {
  const owner = { workspace_id: idToBytes(workspaceId), replay_id: idToBytes(id) };
  for (const table of ['replay_places', 'replay_differences']) {
    const deleted = await connection(table).where(owner).limit(deletedPerStatement).delete();
    if (deleted > 0) return true;
  }
  return false;
}
