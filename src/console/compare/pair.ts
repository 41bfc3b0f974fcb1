import type { Version } from '../api/types.js';

/** What somebody wants to compare who looks at a version, 0 for the working copy: it with the one before it. */
export function pairOf(
  number: number,
  versions: readonly Version[],
  /** Of what is shown; undefined while it is not known. */
  hash: string | undefined,
): { readonly from: number; readonly to: number } | null {
  const latest = versions.at(-1);
  // A working copy that is the newest version differs from it in nothing.
  const isKept = number === 0 && versions.length > 1 && latest?.contentHash === hash;
  const shown = isKept ? (latest?.version ?? 0) : number;
  const before = shown === 0 ? latest : versions.filter(({ version }) => version < shown).at(-1);
  if (before !== undefined) return { from: before.version, to: shown };
  return number > 0 ? { from: number, to: 0 } : null;
}
