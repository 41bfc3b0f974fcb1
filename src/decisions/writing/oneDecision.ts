import { entityTag, requireMatch } from '../../api/preconditions.js';
import { Problem, notInWorkspace } from '../../errors.js';
import type { Candidate, FindDiagnostics, FoundDiagnostics } from './checkContents.js';
import { newEntry, revised, withContent, type DecisionIndex, type DecisionEntry } from '../decisionIndex.js';
import { decisionIndexOf } from '../workspaceReader.js';
import { isError, type ModelDiagnostic } from '../diagnostics.js';
import { shownDiagnostics } from '../shownFaults.js';
import { reachOf, type NamesOf } from './manifest.js';
import { createSizer } from '../programs/bundles.js';
import { checkStored, countsOf, recount, usersOf } from './recountFaults.js';
import { nextVersion, requireSize, tooMany } from './planVersions.js';
import { savedByOf, type NewVersion, type Version } from '../versions.store.js';
import { noWrites, writeDecisions, type WriteContext, type WriteDependencies } from './writeDecisions.js';

/** Dependencies of writing single decisions. */
export interface Editing extends WriteDependencies {
  readonly find: FindDiagnostics;
  readonly namesOf: NamesOf;
}

interface Draft extends Candidate {
  /** Store it although it has errors. */
  readonly force: boolean;
}

/** Makes a decision. @throws Problem `key_taken`, `model_has_faults` */
export function createDecision(editing: Editing, context: WriteContext, draft: Draft): Promise<DecisionEntry> {
  const { key, document } = draft;
  return writeDecisions(editing, context, async (present, { at }) => {
    await requireFree(present, key, undefined);
    const made = newEntry(key, document, at);
    const next = present.with([made]);
    const found = await checkOne(editing, context, { ...draft, decisionIndex: next });
    const inserted = { ...made, ...countsOf(found) };
    const updated = await recount(editing, context, { present, next, written: [made] });
    const contents = [{ ...document, subDecisions: found.subDecisions }];
    return { writes: { ...noWrites, contents, inserted: [inserted], updated }, result: inserted };
  });
}

export interface Change {
  readonly id: string;
  readonly key: string | undefined;
  readonly model: Omit<Candidate, 'key'> | undefined;
  readonly force: boolean;
  /** Whether a key by which other working copies name the decision stays. */
  readonly keepsNames: boolean;
  readonly ifMatch: string | undefined;
}

/**
 * Finds the decision that is to be changed, and checks what can be checked before the model is read, because reading a model takes a
 * thread. The write itself checks all of it again. @throws Problem `decision_not_found`, `precondition_failed`, `key_taken`
 */
export async function requireChangeable(
  { database }: Editing,
  workspaceId: string,
  { id, key, ifMatch }: Pick<Change, 'id' | 'key' | 'ifMatch'>,
): Promise<DecisionEntry> {
  const present = decisionIndexOf(database, workspaceId);
  const before = await existing(present, id);
  requireMatch(ifMatch, entityTag(before.revision));
  if (key !== undefined) await requireFree(present, key, id);
  return before;
}

/**
 * Changes key, content or both.
 * @throws Problem `decision_not_found`, `precondition_failed`, `key_taken`, `model_has_faults`, `decision_in_use`
 */
export function updateDecision(editing: Editing, context: WriteContext, change: Change): Promise<DecisionEntry> {
  return writeDecisions(editing, context, async (present, { at }) => {
    const before = await existing(present, change.id);
    requireMatch(change.ifMatch, entityTag(before.revision));
    const { model } = change;
    const key = change.key ?? before.key;
    await requireFree(present, key, before.id);
    const changed = { ...(model === undefined ? before : withContent(before, model.document)), key };
    const next = present.with([changed]);
    if (change.keepsNames && key !== before.key)
      await requireUnnamed(editing, context, { entry: before, present, next });
    // Errors refuse a model that is being written; the model that is stored already is only checked at its new key.
    const found =
      model === undefined
        ? await checkBefore(editing, context, { entry: changed, decisionIndex: next })
        : await checkOne(editing, context, { ...model, key, force: change.force, decisionIndex: next });
    const after = { ...changed, ...countsOf(found) };
    const others = await recount(editing, context, { present, next, written: [changed] });
    if (others.length === 0 && isSame(before, after)) return { writes: noWrites, result: before };
    const contents = model === undefined ? [] : [{ ...model.document, subDecisions: found.subDecisions }];
    return { writes: { ...noWrites, contents, updated: [after, ...others] }, result: revised(after, at) };
  });
}

/**
 * Removes a decision with its versions; does nothing where there is none.
 * @throws Problem `precondition_failed`, `decision_in_use`
 */
export function deleteDecision(
  editing: Editing,
  context: WriteContext,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
): Promise<void> {
  return writeDecisions(editing, context, async (present) => {
    await present.read({ ids: [id] });
    const entry = present.find(id);
    if (entry === undefined) return { writes: noWrites, result: undefined };
    requireMatch(ifMatch, entityTag(entry.revision));
    await requireUnnamed(editing, context, { entry, present });
    return { writes: { ...noWrites, removed: [entry] }, result: undefined };
  });
}

/**
 * No other working copy loses the decision that it names. A concurrent write of one that names it takes the same revision, so that
 * only one of the two commits.
 * @param next the workspace as it would be; undefined where the decision would be gone
 * @throws Problem `decision_in_use`
 */
async function requireUnnamed(
  { database }: Editing,
  { workspaceId }: WriteContext,
  { entry: { id, key }, present, next }: { entry: DecisionEntry; present: DecisionIndex; next?: DecisionIndex },
): Promise<void> {
  const users: DecisionEntry[] = [];
  const isLost = (name: string, usedBy: string): boolean =>
    present.resolve(name, usedBy)?.id === id && next?.resolve(name, usedBy)?.id !== id;
  const indexes = next === undefined ? [present] : [present, next];
  for await (const user of usersOf(database, { workspaceId, keys: [key, id] }, indexes, isLost))
    if (user.id !== id) users.push(user);
  if (users.length > 0) throw new Problem('decision_in_use', inUse(users, next !== undefined));
}

/**
 * Saves the working copy as the next version, with all that it can reach.
 * @throws Problem `decision_not_found`, `precondition_failed`, `model_has_faults` (409), `model_too_large`
 */
export function createVersion(
  editing: Editing,
  context: WriteContext,
  {
    id,
    message,
    ifMatch,
  }: { readonly id: string; readonly message: string | null; readonly ifMatch: string | undefined },
): Promise<Version & Pick<NewVersion, 'dependencies'>> {
  const total = createSizer(editing.database);
  return writeDecisions(editing, context, async (decisionIndex, { at }) => {
    const entry = await existing(decisionIndex, id);
    requireMatch(ifMatch, entityTag(entry.revision));
    const reach = await reachOf(entry, decisionIndex, editing.namesOf);
    await requireSize(reach, total);
    const diagnostics: ModelDiagnostic[] = [];
    let counts = {};
    for await (const [{ id: each }, found] of checkStored(editing, context, {
      entries: reach.decisions,
      decisionIndex,
    })) {
      for (const diagnostic of found.diagnostics) diagnostics.push(diagnostic);
      if (each === id) counts = countsOf(found);
    }
    diagnostics.push(...tooMany(reach));
    if (diagnostics.some(isError))
      throw await withFaults('A version must have no errors, nor may what it uses.', diagnostics, 409);
    const version = nextVersion(entry, reach, message);
    const updated = [{ ...entry, ...counts, latestVersion: version.version }];
    const result = { ...version, savedBy: savedByOf(context.actor.principal), createdAt: at };
    return { writes: { ...noWrites, updated, versions: [version] }, result };
  });
}

async function checkOne(
  { find }: Editing,
  caller: WriteContext,
  { force, decisionIndex, ...candidate }: Draft & { readonly decisionIndex: DecisionIndex },
): Promise<FoundDiagnostics> {
  const [found] = await find(caller, [candidate], decisionIndex);
  if (found === undefined) throw new Error('a check gave no result');
  if (!force && found.diagnostics.some(isError)) {
    throw await withFaults('The model has errors. Nothing was stored.', found.diagnostics);
  }
  return found;
}

const withFaults = async (detail: string, diagnostics: readonly ModelDiagnostic[], status?: 409): Promise<Problem> =>
  new Problem('model_has_faults', detail, {
    extensions: { faults: await shownDiagnostics(diagnostics) },
    ...(status === undefined ? {} : { status }),
  });

/** Checks the content that is stored already, at the key that it is to have. */
async function checkBefore(
  editing: Editing,
  caller: WriteContext,
  { entry, decisionIndex }: { readonly entry: DecisionEntry; readonly decisionIndex: DecisionIndex },
): Promise<FoundDiagnostics> {
  for await (const [, found] of checkStored(editing, caller, { entries: [entry], decisionIndex })) return found;
  throw new Error('a working copy has no content');
}

async function requireFree(decisionIndex: DecisionIndex, key: string, id: string | undefined): Promise<void> {
  await decisionIndex.read({ keys: [key] });
  const holder = decisionIndex.byKey(key);
  if (holder === undefined || holder.id === id) return;
  throw new Problem('key_taken', `Decision ${holder.id} has the key ${JSON.stringify(key)} already.`);
}

async function existing(decisionIndex: DecisionIndex, id: string): Promise<DecisionEntry> {
  await decisionIndex.read({ ids: [id] });
  const found = decisionIndex.find(id);
  if (found === undefined) throw notInWorkspace('decision', id);
  return found;
}

const isSame = (one: DecisionEntry, other: DecisionEntry): boolean =>
  one.key === other.key &&
  one.contentHash === other.contentHash &&
  one.faults === other.faults &&
  one.warnings === other.warnings;

/** Users named in the answer. */
const maxNamed = 5;

function inUse(users: readonly DecisionEntry[], isRenamed: boolean): string {
  const named = users.slice(0, maxNamed).map(({ key }) => JSON.stringify(key));
  const more = users.length > maxNamed ? ` and ${users.length - maxNamed} more` : '';
  const told = `The working copies of ${named.join(', ')}${more} name this decision`;
  return isRenamed ? `${told} by its key. Where it is forced it is renamed, and they have a fault each.` : `${told}.`;
}
