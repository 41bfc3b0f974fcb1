import type { Knex } from 'knex';
import type { Caller, Check, CheckContents, CheckedContent } from './checkContents.js';
import { isErrorDocument, requireWanted } from './checkContents.js';
import { contentChunks, readSizes } from '../contents.store.js';
import { listUsing } from '../decisions.store.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';

/** How many errors and warnings a check has found. */
export function countsOf({ faults }: CheckedContent): Pick<DecisionEntry, 'faults' | 'warnings'> {
  const errors = faults.filter(isErrorDocument).length;
  return { faults: errors, warnings: faults.length - errors };
}

/**
 * Checks stored working copies, few at a time: what they hold together need not fit in memory.
 * @throws Problem `overloaded` where not even few may be held
 */
export async function* checkStored<Checked>(
  { database, check }: { readonly database: Knex; readonly check: Check<Checked> },
  caller: Caller,
  { entries, decisionIndex }: { readonly entries: readonly DecisionEntry[]; readonly decisionIndex: DecisionIndex },
): AsyncGenerator<readonly [DecisionEntry, Checked]> {
  const users = new Map<string, DecisionEntry[]>();
  for (const entry of entries) users.set(entry.contentHash, [...(users.get(entry.contentHash) ?? []), entry]);
  const sizes = await readSizes(database, users.keys());
  for await (const texts of contentChunks(database, sizes, caller.reservation)) {
    const some = [...texts].flatMap(([hash, text]) => (users.get(hash) ?? []).map((entry) => ({ entry, text })));
    const candidates = some.map(({ entry: { key, contentHash }, text }) => {
      return { key, document: { hash: contentHash, text } };
    });
    const checked = await check(caller, candidates, decisionIndex);
    for (const [index, { entry }] of some.entries()) yield [entry, checked[index] as Checked];
  }
}

/**
 * The decisions that find a sub-decision which they had missed, or miss one that they had found, because keys were
 * added or have gone; with their faults counted anew, where that makes a difference.
 * @param written those that are written anyway, as they will be
 */
export async function recount(
  checking: { readonly database: Knex; readonly check: CheckContents },
  caller: Caller,
  { present, next, written }: { present: DecisionIndex; next: DecisionIndex; written: readonly DecisionEntry[] },
): Promise<DecisionEntry[]> {
  const keys = await changedKeys(present, next, written);
  if (keys.length === 0) return [];
  const ids = new Set(written.map(({ id }) => id));
  const touched: DecisionEntry[] = [];
  for await (const users of listUsing(checking.database, caller.workspaceId, keys)) {
    requireWanted(caller);
    const used = users.flatMap(({ entry: { key }, names }) => names.map((name) => ({ name, usedBy: key })));
    await present.load(used);
    await next.load(used);
    const changes = (name: string, key: string): boolean =>
      (present.resolve(name, key) === undefined) !== (next.resolve(name, key) === undefined);
    for (const { entry, names } of users) {
      if (!ids.has(entry.id) && names.some((name) => changes(name, entry.key))) touched.push(entry);
    }
  }
  const recounted: DecisionEntry[] = [];
  for await (const [entry, checked] of checkStored(checking, caller, { entries: touched, decisionIndex: next })) {
    const counts = countsOf(checked);
    const same = counts.faults === entry.faults && counts.warnings === entry.warnings;
    if (!same) recounted.push({ ...entry, ...counts });
  }
  return recounted;
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
