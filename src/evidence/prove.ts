import type { Manifest } from '../../workers/protocol.js';
import { contentChunks, readSizes } from '../decisions/contents.store.js';
import { findDecision } from '../decisions/decisions.store.js';
import { importLimits } from '../decisions/limits.js';
import { tooLarge } from '../decisions/programs/bundles.js';
import { recordedManifest } from '../decisions/programs/programs.js';
import { Problem, notInWorkspace } from '../errors.js';
import { textBytes } from '../admission/byteBudget.js';
import { findWholeExecution, type WholeExecution } from '../runs/history.store.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { isRecordOf } from './alteration.js';
import type { ProvedRecord } from './evidence.schema.js';
import { createReadNode, NodeMissing } from './nodes.js';
import { inclusionPath } from './paths.js';
import type { KeptHeads } from './keptHeads.js';
import type { Records, TextAccount } from './records.js';
import { readRestarts } from './readRestarts.js';
import { findLeaf, isErased, type Leaf } from './leaves.store.js';
import { findTree, type Tree } from './trees.store.js';

interface Dependencies {
  readonly database: Connection;
  readonly records: Records;
  readonly kept: Pick<KeptHeads, 'ahead'>;
}

/** Whose execution, and on whose account its proof is put together. */
interface ProofRequest {
  readonly workspaceId: string;
  readonly id: string;
  readonly reservation: TextAccount;
}

/**
 * The proof of an execution, as JSON. Throws `execution_not_found`, `evidence_behind`, `evidence_pending`, `record_erased`,
 * `record_altered`, `model_too_large`, and `overloaded`.
 */
export async function prove(parts: Dependencies, asked: ProofRequest): Promise<string> {
  const { database, records } = parts;
  const { workspaceId, id, reservation } = asked;
  const execution = await findWholeExecution(database, workspaceId, id);
  if (execution === undefined) throw notInWorkspace('execution', id);
  await requireNotBehind(parts, workspaceId, await findTree(database, workspaceId));
  const leaf = await findLeaf(database, workspaceId, id);
  if (leaf === undefined)
    throw new Problem('evidence_pending', 'The execution is not in the tree yet.', { retryAfter: 1 });
  if (isErased(leaf)) throw new Problem('record_erased', 'What was recorded of the execution was erased.');
  const record = await records.ofExecution(execution, reservation);
  // The answer that it is put into.
  reservation.grow(textBytes(record));
  if (!isRecordOf(leaf, record)) throw altered('The record is not the one that its leaf was made of.');
  const { path, checkpoint, restarts } = await pathOf(parts, leaf, asked);
  const model = await modelOf(database, execution, reservation);
  const { salt, position: index } = leaf;
  const head = JSON.stringify({ record, salt: salt?.toString('base64'), index, path, checkpoint, restarts });
  return `${head.slice(0, -1)},"model":[${model.join()}]}`;
}

const altered = (detail: string): Problem => new Problem('record_altered', detail);

/** @throws Problem `evidence_behind` */
export async function requireNotBehind(
  { database, kept }: Pick<Dependencies, 'database' | 'kept'>,
  workspaceId: string,
  tree: Tree | undefined,
): Promise<void> {
  if ((await kept.ahead(database, workspaceId, tree)) === undefined) return;
  throw new Problem(
    'evidence_behind',
    'The tree of this workspace is behind a head that is kept outside of the database; nothing is signed until an operator ' +
      'restarts the evidence.',
  );
}

interface Place {
  readonly path: readonly string[];
  readonly checkpoint: string;
  /** What says why the tree has another name than at first; absent where it has not. */
  readonly restarts?: readonly ProvedRecord[];
}

async function pathOf(
  { database, records }: Dependencies,
  { position }: Leaf,
  { workspaceId, reservation }: ProofRequest,
): Promise<Place> {
  // After the leaf, so that the tree has it.
  const tree = await findTree(database, workspaceId);
  if (tree === undefined || tree.size <= position) throw altered('The tree has fewer leaves than there are.');
  try {
    const readNode = createReadNode(database, workspaceId);
    const pathAt = async (index: number): Promise<string[]> =>
      (await inclusionPath(readNode, index, tree.size)).map((hash) => hash.toString('base64'));
    const path = await pathAt(position);
    if (tree.generation === 1) return { path, checkpoint: tree.checkpoint };
    const restarts: ProvedRecord[] = [];
    const ids = (await readRestarts(database, workspaceId)).map(({ id }) => idToBytes(id));
    for await (const { id, text: record } of records.each({ kind: 'audit_entry', workspaceId, ids }, reservation)) {
      const leaf = await findLeaf(database, workspaceId, id);
      if (leaf === undefined || !isRecordOf(leaf, record))
        throw altered('What tells of a restart of the tree is not what its leaf was made of.');
      const { position: index, salt } = leaf;
      restarts.push({ record, salt: salt?.toString('base64') ?? '', index, path: await pathAt(index) });
    }
    if (restarts.length < ids.length) throw altered('What tells of a restart of the tree is gone.');
    return { path, checkpoint: tree.checkpoint, restarts };
  } catch (error) {
    if (error instanceof NodeMissing) throw altered(`The tree of the workspace is damaged: ${error.message}.`);
    throw error;
  }
}

/** JSON texts of `{key, contentHash, content}`, one for each entry of the manifest. */
async function modelOf(
  database: Connection,
  { workspaceId, decisionId, version, context }: WholeExecution,
  reservation: TextAccount,
): Promise<string[]> {
  const { programId } = context;
  const manifest = await recordedManifest(database, workspaceId, { programId, decisionId, version });
  const { entries } = JSON.parse(manifest ?? '{"entries":[]}') as Manifest;
  const sizes = await readSizes(database, new Set(entries.map(({ content }) => content)));
  const bytes = entries.reduce((sum, { content }) => sum + (sizes.get(content) ?? 0), 0);
  if (bytes > importLimits.programBytes) throw tooLarge(bytes);
  reservation.grow(4 * bytes);
  const texts = new Map<string, string>();
  for await (const some of contentChunks(database, sizes)) {
    for (const [hash, text] of some) texts.set(hash, JSON.stringify(text));
  }
  const root = await findDecision(database, workspaceId, decisionId);
  const keys = keysOf(entries, root?.key ?? decisionId);
  return entries.map(
    ({ content }, at) =>
      `{"key":${JSON.stringify(keys.get(at) ?? '')},"contentHash":"${content}","content":${texts.get(content) ?? 'null'}}`,
  );
}

/** The root by its key, the others by the name under which they are reached first. */
function keysOf(entries: Manifest['entries'], rootKey: string): Map<number, string> {
  const keys = new Map([[0, rootKey]]);
  for (const { links } of entries)
    for (const [name, number] of Object.entries(links)) if (!keys.has(number)) keys.set(number, name);
  return keys;
}
