import type { Knex } from 'knex';
import { Problem } from '../../errors.js';
import type { Candidate, CheckContents, CheckedContent } from './checks.js';
import { isErrorDocument } from './checks.js';
import type { Content } from '../contents.store.js';
import { listNames } from '../contents.store.js';
import { newEntry, revised, type Directory, type DirectoryEntry } from '../directory.js';
import type { FaultDocument } from '../faults.js';
import { reachOf, type NamesOf } from './manifest.js';
import { countsOf, recount, storedCandidates } from './recount.js';
import { nextVersion, tooMany } from './save.js';
import { faultDocument } from '../faults.js';
import { savedByOf, type NewVersion, type Version } from '../versions.store.js';
import { writeDecisions, type WriteContext } from './write.js';
import { noWrites } from './writes.js';

/** Dependencies of writing single decisions. */
export interface Editing {
  readonly database: Knex;
  readonly check: CheckContents;
  readonly namesOf: NamesOf;
}

/** Compares the present revision with what the caller has seen; throws `precondition_failed`. */
export type Precondition = (revision: number) => void;

export interface Draft extends Candidate {
  /** Store it although it has errors. */
  readonly force: boolean;
}

/** Makes a decision. @throws Problem `key_taken`, `model_has_faults` */
export function createDecision(editing: Editing, context: WriteContext, draft: Draft): Promise<DirectoryEntry> {
  const { key, document } = draft;
  return writeDecisions(editing.database, context, async (present, { at }) => {
    requireFree(present, key, undefined);
    const made = newEntry(key, document.hash, at);
    const next = present.with([made]);
    const checked = await checkOne(editing, context, { ...draft, directory: next });
    const inserted = { ...made, ...countsOf(checked) };
    const written = new Set([made.id]);
    const updated = await recount(editing, context.workspaceId, { present, next, written });
    const contents = [contentOf(document, checked)];
    return { writes: { ...noWrites, contents, inserted: [inserted], updated }, result: inserted };
  });
}

export interface Change {
  readonly id: string;
  readonly key: string | undefined;
  readonly model: Omit<Candidate, 'key'> | undefined;
  readonly force: boolean;
  readonly precondition: Precondition;
}

/** Changes key, content or both. @throws Problem `decision_not_found`, `precondition_failed`, `key_taken`, `model_has_faults` */
export function updateDecision(editing: Editing, context: WriteContext, change: Change): Promise<DirectoryEntry> {
  return writeDecisions(editing.database, context, async (present, { at }) => {
    const before = existing(present, change.id);
    change.precondition(before.revision);
    const { model = await storedModel(editing, before) } = change;
    const key = change.key ?? before.key;
    const { document } = model;
    requireFree(present, key, before.id);
    const moved = { ...before, key, contentHash: document.hash };
    const next = present.with([moved]);
    // Only content that is being written is refused.
    const force = change.force || change.model === undefined;
    const checked = await checkOne(editing, context, { ...model, key, force, directory: next });
    const after = { ...moved, ...countsOf(checked) };
    const others =
      key === before.key
        ? []
        : await recount(editing, context.workspaceId, { present, next, written: new Set([before.id]) });
    if (others.length === 0 && isSame(before, after)) return { writes: noWrites, result: before };
    const contents = change.model === undefined ? [] : [contentOf(document, checked)];
    return { writes: { ...noWrites, contents, updated: [after, ...others] }, result: revised(after, at) };
  });
}

/**
 * Removes a decision with its versions; does nothing where there is none.
 * @throws Problem `precondition_failed`, `decision_in_use`
 */
export function deleteDecision(
  { database }: Editing,
  context: WriteContext,
  { id, precondition }: { readonly id: string; readonly precondition: Precondition },
): Promise<void> {
  return writeDecisions(database, context, async (present) => {
    const entry = present.find(id);
    if (entry === undefined) return { writes: noWrites, result: undefined };
    precondition(entry.revision);
    const names = await listNames(database, context.workspaceId);
    const users = present.entries.filter(
      ({ id: user, key }) => user !== id && names.get(user)?.some((name) => present.resolve(name, key)?.id === id),
    );
    // A concurrent write of a decision that names it takes the same revision, so that only one of the two commits.
    if (users.length > 0) throw new Problem('decision_in_use', inUse(users));
    return { writes: { ...noWrites, removed: [entry] }, result: undefined };
  });
}

/**
 * Saves the working copy as the next version, with all that it can reach.
 * @throws Problem `decision_not_found`, `precondition_failed`, `model_has_faults` (409)
 */
export function createVersion(
  { database, check, namesOf }: Editing,
  context: WriteContext,
  {
    id,
    message,
    precondition,
  }: { readonly id: string; readonly message: string | null; readonly precondition: Precondition },
): Promise<Version & Pick<NewVersion, 'dependencies'>> {
  return writeDecisions(database, context, async (directory, { at }) => {
    const entry = existing(directory, id);
    precondition(entry.revision);
    const reach = await reachOf(entry, directory, namesOf);
    const candidates = await storedCandidates(database, reach.decisions);
    const checked = await check(context.workspaceId, candidates, directory);
    const faults = [
      ...checked.flatMap((one) => one.faults),
      ...reach.broken.filter(({ reason }) => reason === 'too_many').map((link) => faultDocument(tooMany(link))),
    ];
    if (faults.some(isErrorDocument))
      throw withFaults('A version must have no errors, nor may what it uses.', faults, 409);
    const version = nextVersion(entry, reach, message);
    const updated = [{ ...entry, latestVersion: version.version }];
    const result = { ...version, savedBy: savedByOf(context.actor.principal), createdAt: at };
    return { writes: { ...noWrites, updated, versions: [version] }, result };
  });
}

async function checkOne(
  { check }: Editing,
  { workspaceId }: WriteContext,
  { force, directory, ...candidate }: Draft & { readonly directory: Directory },
): Promise<CheckedContent> {
  const [checked] = await check(workspaceId, [candidate], directory);
  if (checked === undefined) throw new Error('a check has found nothing out');
  if (!force && checked.faults.some(isErrorDocument)) {
    throw withFaults('The model has errors. Nothing was stored.', checked.faults);
  }
  return checked;
}

const withFaults = (detail: string, faults: readonly FaultDocument[], status?: 409): Problem =>
  new Problem('model_has_faults', detail, { extensions: { faults }, ...(status === undefined ? {} : { status }) });

async function storedModel({ database }: Editing, entry: DirectoryEntry): Promise<Candidate> {
  const [candidate] = await storedCandidates(database, [entry]);
  if (candidate === undefined) throw new Error('a working copy has no content');
  return candidate;
}

const contentOf = ({ hash, text }: Candidate['document'], { subDecisions }: CheckedContent): Content => ({
  hash,
  text,
  subDecisions,
});

function requireFree(directory: Directory, key: string, id: string | undefined): void {
  const holder = directory.byKey(key);
  if (holder === undefined || holder.id === id) return;
  throw new Problem('key_taken', `Decision ${holder.id} has the key ${JSON.stringify(key)} already.`);
}

function existing(directory: Directory, id: string): DirectoryEntry {
  const found = directory.find(id);
  if (found === undefined) throw new Problem('decision_not_found', `There is no decision ${id} in this workspace.`);
  return found;
}

const isSame = (one: DirectoryEntry, other: DirectoryEntry): boolean =>
  one.key === other.key &&
  one.contentHash === other.contentHash &&
  one.faults === other.faults &&
  one.warnings === other.warnings;

/** Users named in the answer. */
const maxNamed = 5;

function inUse(users: readonly DirectoryEntry[]): string {
  const named = users.slice(0, maxNamed).map(({ key }) => JSON.stringify(key));
  const more = users.length > maxNamed ? ` and ${users.length - maxNamed} more` : '';
  return `The working copies of ${named.join(', ')}${more} name this decision.`;
}
