import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import { queueJobs } from '../jobs/jobs.store.js';
import { count, Fields, id, nested, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import { leafFields, leavesAtOnce, type Leaf } from './leaves.store.js';
import { hasOldSubjects, type Kind } from './subjects.store.js';
import type { Frontier, TreeNode } from './tree.js';

/** The tree of a workspace. */
export interface Tree {
  readonly workspaceId: string;
  readonly origin: string;
  /** 1, and one more for each restart. */
  readonly generation: number;
  readonly size: number;
  /** Hashes of the right edge, as `Frontier` writes them. */
  readonly frontier: string;
  /** Its head as a signed note. */
  readonly checkpoint: string;
  /** Everything up to there was looked at long after its commit. */
  readonly cursors: Readonly<Record<Kind, Buffer>>;
  /** Of the head that the witness has. */
  readonly witnessed: number;
}

const fields = new Fields<Tree>({
  workspaceId: id('workspace_id'),
  origin: plain('origin'),
  generation: plain('generation'),
  size: count('size'),
  frontier: plain('frontier'),
  checkpoint: plain('checkpoint'),
  cursors: nested({ execution: plain('execution_cursor'), audit_entry: plain('audit_entry_cursor') }),
  witnessed: count('witnessed'),
});

/** Undefined where the workspace has none yet. */
export async function findTree(connection: Connection, workspaceId: string): Promise<Tree | undefined> {
  const [row] = (await connection('evidence_trees')
    .select(fields.names)
    .where('workspace_id', idToBytes(workspaceId))) as object[];
  return row && fields.map(row);
}

const pageSize = 500;

/** All trees, in the order of their workspaces. */
export async function* eachTree(connection: Connection): AsyncGenerator<Tree, void> {
  const rows = connection('evidence_trees').select(fields.names);
  for await (const page of inPages(rows, pageSize, { column: 'workspace_id', after: Buffer.alloc(16) }))
    yield* page.map(fields.map);
}

/**
 * Why nothing more is signed of a workspace until an operator restarts its evidence. `no_tree`: it has no tree although it has
 * old records, since whoever can write the database has taken it away, or it was restored without; the heads of a new one
 * would vouch for whatever the records say now. `evidence_behind`: a head that is kept outside of the database is not of the
 * tree's beginning, since the database was restored; the same key would sign two histories.
 */
export type RefusalReason = 'no_tree' | 'evidence_behind';

/** Nothing is signed of a workspace. */
export class TreeRefused extends Error {
  override readonly name = 'TreeRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Holds the row until the end of the transaction, so that trees grow by one hand at a time. Rejects with `TreeRefused`. */
export async function lockTree(transaction: Knex.Transaction, workspaceId: string, origin: string): Promise<Tree> {
  const present = await findTree(transaction, workspaceId);
  if (present === undefined && (await hasOldSubjects(transaction, workspaceId))) {
    throw new TreeRefused(
      'no_tree',
      `The workspace ${workspaceId} has records of days before, but no tree of evidence: none is begun before a restart.`,
    );
  }
  return lockOrBegin(transaction, workspaceId, origin);
}

/** As `lockTree`, whatever the workspace has. */
export async function lockOrBegin(transaction: Knex.Transaction, workspaceId: string, origin: string): Promise<Tree> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  const locked = (): Promise<object[]> => transaction('evidence_trees').select(fields.names).where(owner).forUpdate();
  let [row] = await locked();
  if (row === undefined) {
    const [start, none] = [Buffer.alloc(16), { size: 0, frontier: '', checkpoint: '', witnessed: 0 }];
    await transaction('evidence_trees')
      .insert({ ...owner, ...none, origin, execution_cursor: start, audit_entry_cursor: start })
      .onConflict('workspace_id')
      .merge(['workspace_id']);
    await queueCheck(transaction, workspaceId);
    [row] = await locked();
  }
  if (row === undefined) throw new Error('the tree of a workspace is gone again');
  return fields.map(row);
}

/** Has the tree, where there is one, grow no further until the transaction ends. */
export async function holdTree(transaction: Knex.Transaction, workspaceId: string): Promise<void> {
  await transaction('evidence_trees')
    .select('workspace_id')
    .where({ workspace_id: idToBytes(workspaceId) })
    .forUpdate();
}

/** From its first leaf on a workspace is checked again and again. */
async function queueCheck(transaction: Knex.Transaction, workspaceId: string): Promise<void> {
  const [found] = (await transaction('workspaces').select('id').where('id', idToBytes(workspaceId))) as unknown[];
  if (found !== undefined) await queueJobs(transaction, [{ kind: 'evidence_check', workspaceId, id: workspaceId }]);
}

/** Levels of which nodes are stored: of those between, each is computed from at most 128 nodes below it. */
export const levelsApart = 8;
/** Nodes below one of the next stored level. */
const groupSize = 2 ** levelsApart;

/** What grows a tree. */
interface Growth {
  readonly frontier: Frontier;
  readonly leaves: readonly Leaf[];
  /** Those that are complete with the leaves. */
  readonly nodes: readonly TreeNode[];
  readonly checkpoint: string;
}

/** Writes leaves, nodes and the head. Throws MySQL's 1062 where a subject has a leaf already. */
export async function writeGrowth(
  transaction: Knex.Transaction,
  workspaceId: string,
  { frontier, leaves, nodes, checkpoint }: Growth,
): Promise<void> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  for (const batch of batches(leaves, undefined, leavesAtOnce))
    await writeLeaves(transaction, owner.workspace_id, batch);
  const stored = nodes.filter(({ level }) => level % levelsApart === 0);
  if (stored.length > 0)
    await transaction('evidence_nodes').insert(
      stored.map(({ level, index, hash }) => ({ ...owner, level, position: index, hash })),
    );
  await transaction('evidence_trees')
    .where(owner)
    .update({ size: frontier.size, frontier: frontier.toText(), checkpoint });
}

/** By mysql2's own list of rows: knex's builder looks at each value, which takes three times as long for each execution. */
function writeLeaves(
  transaction: Knex.Transaction,
  workspaceId: Buffer,
  leaves: readonly Leaf[],
): PromiseLike<unknown> {
  const { names } = leafFields;
  const rows = leaves.map((leaf) => {
    const row = leafFields.toRow(leaf);
    return [workspaceId, ...names.map((name) => row[name])];
  });
  // One binding, which the driver writes as `(…), (…)`; knex's types know lists of scalars alone.
  const bindings = [['workspace_id', ...names], rows] as unknown as readonly Knex.RawBinding[];
  return transaction.raw('INSERT INTO evidence_leaves (??) VALUES ?', bindings);
}

/** Keeps a head for later, unless one was kept within the last minute. */
export async function keepHead(
  transaction: Knex.Transaction,
  workspaceId: string,
  { size, checkpoint }: { readonly size: number; readonly checkpoint: string },
): Promise<void> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  const [last] = (await transaction('evidence_heads')
    .select('created_at')
    .where(owner)
    .orderBy('size', 'desc')
    .limit(1)) as { created_at: Date }[];
  const now = new Date();
  if (last !== undefined && now.getTime() - last.created_at.getTime() < keptApartMs) return;
  await transaction('evidence_heads').insert({ ...owner, size, checkpoint, created_at: now });
}

const keptApartMs = 60_000;

/** The kept heads, the smallest first. There is one a minute, for years: one page is in memory at a time. */
export async function* keptHeadsOf(
  connection: Connection,
  workspaceId: string,
): AsyncGenerator<{ readonly size: number; readonly checkpoint: string }, void> {
  const rows = connection('evidence_heads').select('size', 'checkpoint').where('workspace_id', idToBytes(workspaceId));
  type Row = { size: number | string; checkpoint: string };
  for await (const page of inPages<Row>(rows, pageSize, { column: 'size' }))
    for (const { size, checkpoint } of page) yield { size: Number(size), checkpoint };
}

/** Moves a cursor on. */
export async function moveCursor(
  connection: Connection,
  workspaceId: string,
  { kind, to }: { readonly kind: Kind; readonly to: Buffer },
): Promise<void> {
  const column = `${kind}_cursor`;
  await connection('evidence_trees')
    .where('workspace_id', idToBytes(workspaceId))
    .where(column, '<', to)
    .update({ [column]: to });
}

/** Gives a tree the name and the number that it has from a restart on; the witness has nothing of it. */
export async function renameTree(
  transaction: Knex.Transaction,
  { workspaceId, origin, generation }: Pick<Tree, 'workspaceId' | 'origin' | 'generation'>,
): Promise<void> {
  await transaction('evidence_trees')
    .where('workspace_id', idToBytes(workspaceId))
    .update({ origin, generation, witnessed: 0 });
}

/** Notes that the witness has the head of that size. */
export async function noteWitnessed(connection: Connection, workspaceId: string, size: number): Promise<void> {
  await connection('evidence_trees')
    .where('workspace_id', idToBytes(workspaceId))
    .where('witnessed', '<', size)
    .update({ witnessed: size });
}

/**
 * The hashes of a group of nodes that are stored: those below one node of the next stored level, by their place in the group.
 * A place without a node is absent.
 * @param level 0 for leaves
 */
export async function readGroup(
  connection: Connection,
  workspaceId: string,
  { level, group }: { readonly level: number; readonly group: number },
): Promise<Map<number, Buffer>> {
  const rows = connection(level === 0 ? 'evidence_leaves' : 'evidence_nodes')
    .select('position', 'hash')
    .where('workspace_id', idToBytes(workspaceId))
    .whereBetween('position', [group * groupSize, (group + 1) * groupSize - 1]);
  if (level > 0) void rows.where({ level });
  const found = (await rows) as { position: number | string; hash: Buffer }[];
  return new Map(found.map(({ position, hash }) => [Number(position) % groupSize, hash]));
}
