import type { Knex } from 'knex';
import { requireWanted, type Caller, type FindDiagnostics, type FoundDiagnostics } from './checkContents.js';
import { contentChunks, readSizes } from '../contents.store.js';
import { listUsing } from '../decisions.store.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import { isError } from '../diagnostics.js';

/** Stored decisions, and how models are checked. */
interface Checking {
  readonly database: Knex;
  readonly find: FindDiagnostics;
}

/** How many errors and warnings a check has found. */
export function countsOf({ diagnostics }: FoundDiagnostics): Pick<DecisionEntry, 'faults' | 'warnings'> {
  const faults = diagnostics.filter(isError).length;
  return { faults, warnings: diagnostics.length - faults };
}

/**
 * Checks stored working copies, few at a time: what they hold together need not fit in memory.
 * @throws Problem `overloaded` where not even few may be held
 */
export async function* checkStored(
  { database, find }: Checking,
  caller: Caller,
  { entries, decisionIndex }: { readonly entries: readonly DecisionEntry[]; readonly decisionIndex: DecisionIndex },
): AsyncGenerator<readonly [DecisionEntry, FoundDiagnostics]> {
  const users = new Map<string, DecisionEntry[]>();
  for (const entry of entries) users.set(entry.contentHash, [...(users.get(entry.contentHash) ?? []), entry]);
  const sizes = await readSizes(database, users.keys());
  for await (const texts of contentChunks(database, sizes, caller.reservation)) {
    const some = [...texts].flatMap(([hash, text]) => (users.get(hash) ?? []).map((entry) => ({ entry, text })));
    const candidates = some.map(({ entry: { key, contentHash }, text }) => {
      return { key, document: { hash: contentHash, text } };
    });
    const found = await find(caller, candidates, decisionIndex);
    for (const [index, { entry }] of some.entries()) yield [entry, found[index] as FoundDiagnostics];
  }
}

/**
 * The decisions that find a sub-decision which they had missed, or miss one that they had found, because keys were
 * added or have gone; with their faults counted anew, where that makes a difference.
 * @param written those that are written anyway, as they will be
 */
export async function recount(
  checking: Checking,
  caller: Caller,
  { present, next, written }: { present: DecisionIndex; next: DecisionIndex; written: readonly DecisionEntry[] },
): Promise<DecisionEntry[]> {
  const keys = await changedKeys(present, next, written);
  if (keys.length === 0) return [];
  const ids = new Set(written.map(({ id }) => id));
  const touched: DecisionEntry[] = [];
  const changes = (name: string, usedBy: string): boolean =>
    (present.resolve(name, usedBy) === undefined) !== (next.resolve(name, usedBy) === undefined);
  for await (const user of usersOf(
    checking.database,
    { workspaceId: caller.workspaceId, keys },
    [present, next],
    changes,
  )) {
    requireWanted(caller);
    if (!ids.has(user.id)) touched.push(user);
  }
  const recounted: DecisionEntry[] = [];
  for await (const [entry, found] of checkStored(checking, caller, { entries: touched, decisionIndex: next })) {
    const counts = countsOf(found);
    const same = counts.faults === entry.faults && counts.warnings === entry.warnings;
    if (!same) recounted.push({ ...entry, ...counts });
  }
  return recounted;
}

/**
 * The decisions that use a name which may mean one of the keys or ids, and of which that holds.
 * @param indexes in which names are looked up: what they may mean is read into each
 */
export async function* usersOf(
  database: Knex,
  { workspaceId, keys }: { readonly workspaceId: string; readonly keys: readonly string[] },
  indexes: readonly DecisionIndex[],
  holds: (name: string, usedBy: string) => boolean,
): AsyncGenerator<DecisionEntry> {
  for await (const users of listUsing(database, workspaceId, keys)) {
    const used = users.flatMap(({ entry: { key }, names }) => names.map((name) => ({ name, usedBy: key })));
    for (const index of indexes) await index.load(used);
    for (const { entry, names } of users) if (names.some((name) => holds(name, entry.key))) yield entry;
  }
}

/** Keys that there are after the writes alone, or before them alone, and namespaces of what is written. */
async function changedKeys(
  present: DecisionIndex,
  next: DecisionIndex,
  written: readonly DecisionEntry[],
): Promise<readonly string[]> {
  await present.read({ keys: written.map(({ key }) => key), ids: written.map(({ id }) => id) });
  const keys = written.flatMap(({ id, key }) => [key, present.find(id)?.key ?? key]);
  const moved = [...new Set(keys)].filter(
    (key) => (present.byKey(key) === undefined) !== (next.byKey(key) === undefined),
  );
  // Documents of DMN are also known by their namespaces.
  return [...moved, ...new Set(written.flatMap(({ namespace }) => namespace ?? []))];
}
