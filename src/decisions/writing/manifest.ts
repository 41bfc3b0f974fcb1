import { createHash } from 'node:crypto';
import type { Manifest, ManifestEntry } from '../../../workers/protocol.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import { maxReach } from '../limits.js';

/** The names that contents' decision nodes use, by content hash, each list in the order of the document. */
export type NamesOf = (hashes: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** The names that working copies use, and by whom. @param names by content hash */
export const usedNames = (
  entries: readonly Pick<DecisionEntry, 'key' | 'contentHash'>[],
  names: Awaited<ReturnType<NamesOf>>,
) => entries.flatMap(({ key, contentHash }) => (names.get(contentHash) ?? []).map((name) => ({ name, usedBy: key })));

/** A name that leads nowhere: no such decision, or one too many. */
interface BrokenLink {
  readonly from: DecisionEntry;
  readonly name: string;
  readonly reason: 'missing' | 'too_many';
}

/** All that a decision can reach through its sub-decisions, itself first. */
export interface Reach {
  readonly decisions: readonly DecisionEntry[];
  readonly broken: readonly BrokenLink[];
  /** SHA-256 (hex) of `manifest`. */
  readonly programId: string;
  /** `Manifest` as canonical JSON. */
  readonly manifest: string;
}

/**
 * Follows the sub-decisions of a working copy. Entries are numbered breadth-first in the order in which documents name
 * them, and keys and ids of the workspace are left out, so that equal contents give an equal program anywhere.
 */
export async function reachOf(root: DecisionEntry, decisionIndex: DecisionIndex, namesOf: NamesOf): Promise<Reach> {
  const decisions: DecisionEntry[] = [root];
  const numbers = new Map([[root.id, 0]]);
  const broken: BrokenLink[] = [];
  const entries: ManifestEntry[] = [];

  const numberOf = (target: DecisionEntry): number | undefined => {
    const known = numbers.get(target.id);
    if (known !== undefined || decisions.length === maxReach) return known;
    numbers.set(target.id, decisions.length);
    return decisions.push(target) - 1;
  };
  const linkOf = (name: string, from: DecisionEntry): [string, number][] => {
    const target = decisionIndex.resolve(name, from.key);
    const number = target === undefined ? undefined : numberOf(target);
    if (number !== undefined) return [[name, number]];
    broken.push({ from, name, reason: target === undefined ? 'missing' : 'too_many' });
    return [];
  };

  while (entries.length < decisions.length) {
    // One level at a time, so that its contents are read together.
    const level = decisions.slice(entries.length);
    const names = await namesOf(level.map(({ contentHash }) => contentHash));
    await decisionIndex.load(usedNames(level, names));
    for (const from of level) {
      const links = (names.get(from.contentHash) ?? []).flatMap((name) => linkOf(name, from));
      entries.push({ content: from.contentHash, links: Object.fromEntries(links.sort(byName)) });
    }
  }
  const manifest = JSON.stringify({ entries } satisfies Manifest);
  return { decisions, broken, manifest, programId: createHash('sha256').update(manifest).digest('hex') };
}

/** By code units, independent of the locale. */
const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);
