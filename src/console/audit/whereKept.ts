import type { AuditEntry, Version } from '../api/types.js';

export type Entry = Pick<AuditEntry, 'at' | 'resource' | 'before' | 'after'>;

/** Whether an entry is of a working copy that was changed: it says how many cells, and not which. */
export const isOfCopy = ({ resource, before, after }: Entry): boolean =>
  resource.type === 'decision' && hashOf(before) !== null && hashOf(after) !== null && hashOf(before) !== hashOf(after);

function hashOf(state: Entry['before']): string | null {
  const hash = state?.['contentHash'];
  return typeof hash === 'string' ? hash : null;
}

/**
 * The two versions, 0 for the working copy, that a change lies between: those that have its very contents, else the last that was saved
 * before it and the first after it.
 * @param hash of the working copy as it is now
 */
export function whereKept(
  { at, before, after }: Entry,
  hash: string,
  versions: readonly Pick<Version, 'version' | 'contentHash' | 'createdAt'>[],
): { readonly from: number | null; readonly to: number; readonly isWhole: boolean } {
  const earlier = versions.filter(({ createdAt }) => createdAt <= at);
  const later = versions.filter(({ createdAt }) => createdAt > at);
  const was = versions.find(({ contentHash }) => contentHash === hashOf(before));
  const is = versions.find(({ contentHash }) => contentHash === hashOf(after));
  const isNow = hashOf(after) === hash;
  const from = was?.version ?? earlier.at(-1)?.version ?? null;
  const to = is?.version ?? (isNow ? 0 : (later[0]?.version ?? 0));
  return { from, to, isWhole: was !== undefined && (is !== undefined || isNow) };
}
