import type { ByteBudget } from '../admission/byteBudget.js';
import { createPause } from '../admission/pause.js';
import { idFromBytes, idTime, idToBytes } from '../storage/ids.js';
import { emptyAmong } from '../runs/erase.store.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { addedMs, isRecordOf } from './alteration.js';
import { createHeadJudge, heldHeads } from './checkHeads.js';
import { toldErased } from './erased.js';
import { listEvidenceKeys, openEvidenceKey } from './keys.store.js';
import type { Records, SubjectRecord, Subjects, TextAccount } from './records.js';
import { readRestarts } from './readRestarts.js';
import { createIsRemoved, type IsRemoved } from './removals.js';
import { fitting, kinds, spanAfter, withoutLeaf, type Kind } from './subjects.store.js';
import { Frontier } from './tree.js';
import { isErased, leavesFrom, type Leaf } from './leaves.store.js';
import { findTree, readGroup, levelsApart, type Tree } from './trees.store.js';

/** Something that is not as it was recorded. */
export interface Finding {
  readonly workspaceId: string;
  readonly kind: 'altered' | 'removed' | 'added' | 'tree' | 'head';
  /** Of the execution or audit entry; null where it is of the tree as a whole. */
  readonly id: string | null;
  readonly detail: string;
}

export interface CheckDependencies {
  readonly database: Connection;
  readonly encryption: Encryption;
  readonly records: Records;
  readonly budget: Pick<ByteBudget, 'reserve'>;
  /** The folder of EVIDENCE_HEADS, or of EVIDENCE_WITNESS; null where there is none. */
  readonly folder: string | null;
}

export interface CheckObserver {
  readonly found: (finding: Finding) => void;
  /** The next piece waits for it. What it rejects with ends the check. */
  readonly checked: (leaves: number) => void | Promise<void>;
}

/** Records of one piece. */
const pieceSize = 128;
const spanSize = 2000;

/** Walks the records of a workspace against its tree, and the tree against its heads, in pieces. */
export async function checkTree(
  parts: CheckDependencies,
  tree: Tree,
  { found, checked }: CheckObserver,
): Promise<void> {
  const { database, encryption, folder } = parts;
  const { workspaceId } = tree;
  const tell = (kind: Finding['kind'], id: string | null, detail: string): void =>
    found({ workspaceId, kind, id, detail });
  const restarts = await readRestarts(database, workspaceId);
  const heads = heldHeads(database, { tree, restarts, folder });
  const keys = await listEvidenceKeys(database);
  const judge = createHeadJudge(tree, keys);
  const opened = keys.map((key) => openEvidenceKey(encryption, key));
  const isRemoved = await createIsRemoved(database, workspaceId, opened);
  const frontier = new Frontier();
  const newest: Record<Kind, number> = { execution: 0, audit_entry: 0 };
  let { value: next } = await heads.next();
  const judgeHeads = async (): Promise<void> => {
    for (; next !== undefined && next.size <= frontier.size; { value: next } = await heads.next()) {
      const fault = judge(next, { size: frontier.size, root: frontier.root() });
      if (fault !== undefined) tell('head', null, fault);
    }
  };
  await judgeHeads();
  while (frontier.size < tree.size) {
    const size = Math.min(pieceSize, tree.size - frontier.size);
    const leaves = await leavesFrom(database, workspaceId, { position: frontier.size, size });
    const whole = leaves.findIndex(({ position }, at) => position !== frontier.size + at);
    const some = whole === -1 ? leaves : leaves.slice(0, whole);
    await checkRecords(parts, workspaceId, some, { tell, isRemoved });
    for (const leaf of some) {
      const time = idTime(leaf.subjectId).getTime();
      if (time + addedMs < newest[leaf.kind])
        tell('added', leaf.subjectId, `the ${words[leaf.kind]} came into the tree long after the time that it names`);
      // What had no leaf when the database was restored comes after the entry of the restart.
      if (!restarts.some(({ id }) => id === leaf.subjectId)) newest[leaf.kind] = Math.max(newest[leaf.kind], time);
      for (const { level, index, hash } of frontier.append(leaf.hash)) {
        if (level % levelsApart !== 0) continue;
        const group = await readGroup(database, workspaceId, { level, group: Math.floor(index / 256) });
        if (group.get(index % 256)?.equals(hash) !== true)
          tell('tree', null, `node ${index} of level ${level} is not that of its leaves`);
      }
      await judgeHeads();
    }
    await checked(some.length);
    if (some.length < size) {
      tell('removed', null, `leaf ${frontier.size} is missing; what comes after it cannot be checked`);
      return;
    }
  }
  // The tree has grown meanwhile. It goes on growing: a finding that named its size would be another one at each check.
  const size = (await findTree(database, workspaceId))?.size ?? 0;
  for (; next !== undefined; { value: next } = await heads.next()) {
    if (next.size > size)
      tell(
        'head',
        null,
        `the ${next.holder} has a head of ${next.size} leaves, but the tree has fewer: it was set back`,
      );
  }
  await checkWithoutLeaf(database, tree, tell);
}

/** What a whole check needs: records against the tree, and what other rooms hold against the audit trail. */
export interface WholeCheck extends CheckDependencies {
  /** Change requests whose reviews are not those that the audit trail tells of. */
  readonly requestsWithOtherReviews: (connection: Connection, workspaceId: string) => AsyncIterable<string>;
}

/** Walks all of a workspace that there is evidence of. */
export async function checkWorkspace(parts: WholeCheck, tree: Tree, observer: CheckObserver): Promise<void> {
  const { workspaceId } = tree;
  await checkTree(parts, tree, observer);
  const detail = 'the reviews of the change request are not those that the audit trail tells of';
  for await (const id of parts.requestsWithOtherReviews(parts.database, workspaceId))
    observer.found({ workspaceId, kind: 'altered', id, detail });
}

type Tell = (kind: Finding['kind'], id: string | null, detail: string) => void;

const words: Readonly<Record<Kind, string>> = { execution: 'execution', audit_entry: 'audit entry' };

async function checkRecords(
  parts: CheckDependencies,
  workspaceId: string,
  leaves: readonly Leaf[],
  { tell, isRemoved }: { readonly tell: Tell; readonly isRemoved: IsRemoved },
): Promise<void> {
  const pause = createPause();
  const missing = async (leaf: Leaf): Promise<void> => {
    if (!(await isRemoved(leaf))) tell('removed', leaf.subjectId, `the ${words[leaf.kind]} is gone`);
  };
  for (const kind of kinds) {
    const own = leaves.filter((leaf) => leaf.kind === kind && !isErased(leaf));
    const ids = own.map(({ subjectId }) => idToBytes(subjectId));
    const same = new Map<string, boolean>();
    const leafOf = new Map(own.map((leaf) => [leaf.subjectId, leaf]));
    for await (const { id, text } of recordsOf(parts, { kind, workspaceId, ids })) {
      same.set(id, isRecordOf(leafOf.get(id) ?? noLeaf, text));
      await pause();
    }
    for (const leaf of own) {
      const isSame = same.get(leaf.subjectId);
      if (isSame === undefined) await missing(leaf);
      else if (!isSame) tell('altered', leaf.subjectId, `the ${words[kind]} is not what it was`);
    }
  }
  await checkErased(parts.database, workspaceId, leaves.filter(isErased), { tell, missing });
}

const noLeaf = { salt: null, hash: Buffer.alloc(32) };

/** Bytes of records that are in memory at once. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Records one after the other, of which few are read at once where they are large. They are on the account of the tenant, and never
 * refused, since a check would begin anew: few checks run at once, each of another tenant.
 */
async function* recordsOf(
  { database, records, budget }: CheckDependencies,
  { kind, workspaceId, ids }: Subjects,
): AsyncGenerator<SubjectRecord, void> {
  const reservation = budget.reserve(workspaceId, 0);
  const account: TextAccount = {
    grow: (bytes) => reservation.resize(reservation.bytes + bytes),
    shrink: (bytes) => reservation.shrink(bytes),
  };
  try {
    for (let rest = ids.toSorted((one, other) => Buffer.compare(one, other)); rest.length > 0;) {
      const { ids: some, bytes, isWhole } = await fitting(database, kind, { workspaceId, ids: rest, maxBytes });
      reservation.resize(2 * bytes);
      yield* records.each({ kind, workspaceId, ids: some }, account);
      const last = some.at(-1);
      if (isWhole || last === undefined) return;
      rest = rest.filter((id) => Buffer.compare(id, last) > 0);
    }
  } finally {
    reservation.release();
  }
}

/** Whoever takes the salt of a leaf away could change its record: the audit trail must tell of it, and nothing be left. */
async function checkErased(
  database: Connection,
  workspaceId: string,
  leaves: readonly Leaf[],
  { tell, missing }: { readonly tell: Tell; readonly missing: (leaf: Leaf) => Promise<void> },
): Promise<void> {
  if (leaves.length === 0) return;
  const ids = leaves.map(({ subjectId }) => subjectId);
  const told = await toldErased(database, workspaceId, ids);
  const empty = await emptyAmong(database, workspaceId, ids);
  for (const leaf of leaves) {
    const { subjectId, kind } = leaf;
    if (kind !== 'execution' || !told.has(subjectId))
      tell('altered', subjectId, 'its leaf has lost its salt, but no entry of the audit trail says that it was erased');
    else if (!empty.has(subjectId)) await missing(leaf);
    else if (empty.get(subjectId) === false)
      tell('altered', subjectId, 'it was erased, but its record is not empty any more');
  }
}

/** What has no leaf although everything of its time has. */
async function checkWithoutLeaf(database: Connection, { workspaceId, cursors }: Tree, tell: Tell): Promise<void> {
  for (const kind of kinds) {
    for (let after = Buffer.alloc(16); Buffer.compare(after, cursors[kind]) < 0;) {
      const span = await spanAfter(database, kind, workspaceId, { after, size: spanSize });
      if (span === null) break;
      const isPast = Buffer.compare(span.until, cursors[kind]) >= 0;
      const until = isPast ? cursors[kind] : span.until;
      for (const id of await withoutLeaf(database, kind, workspaceId, { after, until, size: spanSize }))
        tell('added', idFromBytes(id), `the ${words[kind]} has no leaf`);
      if (isPast || !span.isFull) break;
      after = Buffer.from(until);
    }
  }
}
