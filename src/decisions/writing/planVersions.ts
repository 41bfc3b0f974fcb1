import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import { importLimits, maxReach } from '../limits.js';
import { tooLarge } from '../programs/bundles.js';
import { reachOf, type BrokenLink, type NamesOf, type Reach } from './manifest.js';
import type { ModelDiagnostic } from '../diagnostics.js';
import type { createPause } from '../../admission/pause.js';
import type { Dependency, NewVersion } from '../versions.store.js';

/** What became of one decision. `version` is the number that stands for its content now; 0 is the working copy. */
export interface DecisionResult {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly change: Change;
}

export type Change = 'created' | 'updated' | 'unchanged';

/** Done, or refused with every reason; then nothing was written. `diagnostics` holds errors and warnings. */
export type WriteOutcome =
  | {
      readonly kind: 'done';
      /** Of the workspace, now. */
      readonly revision: number;
      readonly decisions: readonly DecisionResult[];
      readonly diagnostics: readonly ModelDiagnostic[];
    }
  | { readonly kind: 'refused'; readonly diagnostics: readonly ModelDiagnostic[] };

/** The versions that a save makes, and the decisions as they are after it. */
export interface SavePlan {
  /** Of all that the decisions can reach; with an error among them nothing may be saved. */
  readonly diagnostics: readonly ModelDiagnostic[];
  readonly versions: readonly NewVersion[];
  readonly saved: readonly DecisionEntry[];
}

/** What a save is planned from. */
interface SaveSources {
  readonly entries: readonly DecisionEntry[];
  /** The workspace as it will be, `entries` among its decisions. */
  readonly decisionIndex: DecisionIndex;
  readonly namesOf: NamesOf;
  /** Bytes of contents. */
  readonly total: (hashes: Iterable<string>) => Promise<number>;
  /** Programs of the newest versions, by decision: where the program would be the same again no version is made. */
  readonly newest: ReadonlyMap<string, string>;
  readonly message: string | null;
  readonly pause: ReturnType<typeof createPause>;
  /** The diagnostics of all that the decisions can reach. */
  readonly diagnosticsOf: (reached: readonly DecisionEntry[]) => Promise<readonly ModelDiagnostic[]>;
}

/** Works out the next versions of working copies, with all that they can reach. */
export async function planSave(sources: SaveSources): Promise<SavePlan> {
  const { entries, decisionIndex, namesOf, total, newest, message, pause, diagnosticsOf } = sources;
  const reached = new Map<string, DecisionEntry>();
  const broken: ModelDiagnostic[] = [];
  const versions: NewVersion[] = [];
  const saved: DecisionEntry[] = [];
  await loadNames(sources);
  for (const entry of entries) {
    await pause();
    const reach = await reachOf(entry, decisionIndex, namesOf);
    await requireSize(reach, total);
    for (const decision of reach.decisions) reached.set(decision.id, decision);
    broken.push(...reach.broken.filter(({ reason }) => reason === 'too_many').map(tooMany));
    if (newest.get(entry.id) === reach.programId) {
      saved.push(entry);
      continue;
    }
    const version = nextVersion(entry, reach, message);
    versions.push(version);
    saved.push({ ...entry, latestVersion: version.version });
  }
  // The diagnostics tell of missing sub-decisions too.
  return { diagnostics: [...broken, ...(await diagnosticsOf([...reached.values()]))], versions, saved };
}

/** Reads what the entries themselves name, all at once. */
async function loadNames({ entries, decisionIndex, namesOf }: SaveSources): Promise<void> {
  const names = await namesOf(entries.map(({ contentHash }) => contentHash));
  const named = entries.flatMap(({ key, contentHash }) =>
    (names.get(contentHash) ?? []).map((name) => ({ name, usedBy: key })),
  );
  await decisionIndex.load(named);
}

/** Refuses a version that is too large ever to be run. @throws Problem `model_too_large` */
export async function requireSize({ decisions: [root, ...others] }: Reach, total: SaveSources['total']): Promise<void> {
  if (root === undefined) return;
  const bytes = await total([root, ...others].map(({ contentHash }) => contentHash));
  if (bytes > importLimits.programBytes) throw tooLarge(bytes, importLimits.programBytes, JSON.stringify(root.key));
}

/** The version that a save makes of a working copy. */
export const nextVersion = (
  { id, latestVersion, contentHash }: DecisionEntry,
  reach: Reach,
  message: string | null,
): NewVersion => ({
  decisionId: id,
  version: latestVersion + 1,
  programId: reach.programId,
  manifest: reach.manifest,
  contentHash,
  message,
  dependencies: dependenciesOf(reach),
});

/** All that a decision can reach, without itself. */
export const dependenciesOf = ({ decisions }: Reach): Dependency[] =>
  decisions.slice(1).map(({ id, key, contentHash }) => ({ key, decisionId: id, contentHash }));

export const tooMany = ({ from, name }: BrokenLink): ModelDiagnostic => ({
  key: from.key,
  diagnostic: {
    code: 'limit_sub_decisions',
    message: `With "${name}", a decision would reach more than ${maxReach} decisions.`,
    field: 'content.key',
  },
});
