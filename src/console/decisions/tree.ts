import { decisionName } from '../../decisions/decisionName.js';
import type { Decision } from '../api/types.js';

/** A line of the tree of keys: a folder, or a decision in it. */
export type Line =
  | {
      readonly kind: 'folder';
      readonly path: string;
      readonly name: string;
      readonly depth: number;
      readonly size: number;
    }
  | { readonly kind: 'decision'; readonly decision: Decision; readonly name: string; readonly depth: number };

/**
 * The lines of the tree that are in sight.
 * @param decisions in the order of keys @param closed paths of folders whose contents are not shown
 */
export function linesOf(decisions: readonly Decision[], closed: ReadonlySet<string>): Line[] {
  const sizes = new Map<string, number>();
  for (const { key } of decisions) for (const path of foldersOf(key)) sizes.set(path, (sizes.get(path) ?? 0) + 1);
  const lines: Line[] = [];
  const begun = new Set<string>();
  for (const decision of sortedByFolder(decisions)) {
    const folders = foldersOf(decision.key);
    for (const [depth, path] of folders.entries()) {
      if (folders.slice(0, depth).some((above) => closed.has(above))) break;
      if (begun.has(path)) continue;
      begun.add(path);
      lines.push({ kind: 'folder', path, name: lastPart(path), depth, size: sizes.get(path) ?? 0 });
    }
    if (folders.some((path) => closed.has(path))) continue;
    lines.push({ kind: 'decision', decision, name: lastPart(decisionName(decision.key)), depth: folders.length });
  }
  return lines;
}

/** `a/b/c.json` → `a`, `a/b`. */
function foldersOf(key: string): string[] {
  const parts = key.split('/').slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

/** `a/b/c` → `c`. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What is in one folder stands together, folders first: in the plain order of keys `a-b` comes between `a` and `a/c`. */
function sortedByFolder(decisions: readonly Decision[]): Decision[] {
  const rank = (part: string, at: number, { length }: readonly string[]): string =>
    (at === length - 1 ? '\u0001' : '\u0000') + part;
  const ranked = decisions.map((each) => [decisionName(each.key).split('/').map(rank).join(''), each] as const);
  return ranked.sort(([one], [other]) => Number(one > other) - Number(one < other)).map(([, decision]) => decision);
}
