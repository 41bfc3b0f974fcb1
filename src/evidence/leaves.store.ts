import type { Knex } from 'knex';
import { count, Fields, id, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Kind } from './subjects.store.js';

/** A leaf, as it is stored. */
export interface Leaf {
  readonly position: number;
  readonly kind: Kind;
  readonly subjectId: string;
  readonly hash: Buffer;
  /** Null once the subject was erased. */
  readonly salt: Buffer | null;
  /** Of the environment of an execution, as `environmentMac` makes it; null of all else. */
  readonly environmentMac: Buffer | null;
}

/** Of what was erased the salt is gone, and the hash tells nothing any more. */
export const isErased = ({ salt }: Pick<Leaf, 'salt'>): boolean => salt === null;

/**
 * Records and leaves that one statement reads or writes: the main thread is at each for some 20 us, and an execution waits for five of its
 * turns. Fewer: a better p99 beside sequencing, and fewer leaves a second.
 */
export const leavesAtOnce = 32;

export const leafFields = new Fields<Leaf>({
  position: count('position'),
  kind: plain('kind'),
  subjectId: id('subject_id'),
  hash: plain('hash'),
  salt: plain('salt'),
  environmentMac: plain('environment_mac'),
});

/** Undefined where the subject has none yet. */
export async function findLeaf(
  connection: Connection,
  workspaceId: string,
  subjectId: string,
): Promise<Leaf | undefined> {
  const [row] = (await connection('evidence_leaves')
    .select(leafFields.names)
    .where({ workspace_id: idToBytes(workspaceId), subject_id: idToBytes(subjectId) })) as object[];
  return row && leafFields.map(row);
}

/** The leaves from a position on, in their order. */
export async function leavesFrom(
  connection: Connection,
  workspaceId: string,
  { position, size }: { readonly position: number; readonly size: number },
): Promise<Leaf[]> {
  const rows = (await connection('evidence_leaves')
    .select(leafFields.names)
    .where('workspace_id', idToBytes(workspaceId))
    .where('position', '>=', position)
    .orderBy('position')
    .limit(size)) as object[];
  return rows.map(leafFields.map);
}

/** Of some subjects the ones that have leaves. */
export const withLeaf = (
  connection: Connection,
  workspaceId: string,
  subjectIds: readonly string[],
): Promise<Set<string>> => subjectsOf(leavesOf(connection, workspaceId, subjectIds));

/** Of some subjects the ones that have leaves, and whether these say that they were erased. */
export async function erasedOfLeaves(
  connection: Connection,
  workspaceId: string,
  subjectIds: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = await leavesOf(connection, workspaceId, subjectIds).select<(SubjectRow & Pick<Leaf, 'salt'>)[]>(
    'subject_id',
    'salt',
  );
  return new Map(rows.map((row) => [idFromBytes(row.subject_id), isErased(row)]));
}

const leavesOf = (connection: Connection, workspaceId: string, subjectIds: readonly string[]): Knex.QueryBuilder =>
  connection('evidence_leaves')
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('subject_id', subjectIds.map(idToBytes));

interface SubjectRow {
  readonly subject_id: Buffer;
}

async function subjectsOf(leaves: Knex.QueryBuilder): Promise<Set<string>> {
  const rows = await leaves.select<SubjectRow[]>('subject_id');
  return new Set(rows.map((row) => idFromBytes(row.subject_id)));
}

/** Removes the salts of leaves. Resolves with the subjects of those that had one. */
export async function eraseSalts(
  transaction: Knex.Transaction,
  workspaceId: string,
  subjectIds: readonly string[],
): Promise<string[]> {
  const leaves = (): Knex.QueryBuilder => leavesOf(transaction, workspaceId, subjectIds).whereNotNull('salt');
  const rows = (await leaves().select('subject_id').forUpdate()) as SubjectRow[];
  await leaves().update({ salt: null });
  return rows.map((row) => idFromBytes(row.subject_id));
}
