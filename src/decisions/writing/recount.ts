import type { Knex } from 'knex';
import type { Candidate, CheckContents, CheckedContent } from './checks.js';
import { isErrorDocument } from './checks.js';
import { listNames, readContents } from '../contents.store.js';
import type { Directory, DirectoryEntry } from '../directory.js';

/** How many errors and warnings a check has found. */
export function countsOf({ faults }: CheckedContent): Pick<DirectoryEntry, 'faults' | 'warnings'> {
  const errors = faults.filter(isErrorDocument).length;
  return { faults: errors, warnings: faults.length - errors };
}

/** Stored working copies, as they go into a check. */
export async function storedCandidates(database: Knex, entries: readonly DirectoryEntry[]): Promise<Candidate[]> {
  const texts = await readContents(
    database,
    entries.map(({ contentHash }) => contentHash),
  );
  return entries.map(({ key, contentHash }) => {
    const text = texts.get(contentHash);
    if (text === undefined) throw new Error(`content ${contentHash} is not stored`);
    return { key, document: { hash: contentHash, text } };
  });
}

/**
 * The decisions that find a sub-decision which they had missed, or miss one that they had found, because keys were
 * added or have gone; with their faults counted anew, where that makes a difference.
 * @param written ids of those that are written anyway
 */
export async function recount(
  { database, check }: { readonly database: Knex; readonly check: CheckContents },
  workspaceId: string,
  { present, next, written }: { present: Directory; next: Directory; written: ReadonlySet<string> },
): Promise<DirectoryEntry[]> {
  const names = await listNames(database, workspaceId);
  const touched = next.entries.filter(
    ({ id, key }) =>
      !written.has(id) &&
      names
        .get(id)
        ?.some((name) => (present.resolve(name, key) === undefined) !== (next.resolve(name, key) === undefined)),
  );
  if (touched.length === 0) return [];
  const checked = await check(workspaceId, await storedCandidates(database, touched), next);
  return touched.flatMap((entry, index) => {
    const found = checked[index];
    if (found === undefined) return [];
    const counts = countsOf(found);
    const same = counts.faults === entry.faults && counts.warnings === entry.warnings;
    return same ? [] : [{ ...entry, ...counts }];
  });
}
