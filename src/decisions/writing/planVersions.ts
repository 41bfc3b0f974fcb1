import type { Knex } from 'knex';
import { createPause } from '../../admission/pause.js';
import { readNames } from '../contents.store.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import type { ModelDiagnostic } from '../diagnostics.js';
import { importLimits, maxReach } from '../limits.js';
import { createSizer, tooLarge } from '../programs/bundles.js';
import { newestPrograms, type Dependency, type NewVersion } from '../versions.store.js';
import type { Caller, Candidate, FindDiagnostics, FoundDiagnostics } from './checkContents.js';
import { reachOf, usedNames, type NamesOf, type Reach } from './manifest.js';
import { checkStored } from './recountFaults.js';

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

/** What an import's versions are planned from. */
interface Imported {
  readonly candidates: readonly Candidate[];
  /** The decisions of the candidates as they will be, and what checks have found of each. */
  readonly entries: readonly DecisionEntry[];
  readonly found: readonly FoundDiagnostics[];
  /** The workspace as it will be, `entries` among its decisions. */
  readonly decisionIndex: DecisionIndex;
  readonly message: string | null;
}

/** Works out the next versions of imported working copies, with all that they can reach; none where the newest has the same program. */
export async function planSave(
  checking: { readonly database: Knex; readonly find: FindDiagnostics },
  caller: Caller,
  { candidates, entries, found, decisionIndex, message }: Imported,
): Promise<SavePlan> {
  const { database } = checking;
  const namesOf = namesBeside(database, { candidates, found });
  const total = createSizer(
    database,
    new Map(candidates.map(({ document: { hash, text } }) => [hash, Buffer.byteLength(text)])),
  );
  // What the entries themselves name is read all at once.
  await decisionIndex.load(usedNames(entries, await namesOf(entries.map(({ contentHash }) => contentHash))));
  const newest = await newestPrograms(database, caller.workspaceId, entries);
  const reached = new Map<string, DecisionEntry>();
  const broken: ModelDiagnostic[] = [];
  const versions: NewVersion[] = [];
  const saved: DecisionEntry[] = [];
  const pause = createPause();
  for (const entry of entries) {
    await pause();
    const reach = await reachOf(entry, decisionIndex, namesOf);
    await requireSize(reach, total);
    for (const decision of reach.decisions) reached.set(decision.id, decision);
    broken.push(...tooMany(reach));
    const isNew = newest.get(entry.id) !== reach.programId;
    if (isNew) versions.push(nextVersion(entry, reach, message));
    saved.push(isNew ? { ...entry, latestVersion: entry.latestVersion + 1 } : entry);
  }
  // Those of all imported models, in their order, whether they are reached or not; they tell of missing sub-decisions too.
  const diagnostics = [...broken, ...found.flatMap((one) => one.diagnostics)];
  const given = new Set(candidates.map(({ key }) => key));
  const others = [...reached.values()].filter(({ key }) => !given.has(key));
  for await (const [, one] of checkStored(checking, caller, { entries: others, decisionIndex }))
    diagnostics.push(...one.diagnostics);
  return { diagnostics, versions, saved };
}

/** The names that imported contents use, which are not stored yet, and those of others. */
function namesBeside(database: Knex, { candidates, found }: Pick<Imported, 'candidates' | 'found'>): NamesOf {
  const names = new Map(candidates.map(({ document }, index) => [document.hash, found[index]?.subDecisions ?? []]));
  return async (hashes) => {
    const absent = hashes.filter((hash) => !names.has(hash));
    if (absent.length > 0) for (const [hash, read] of await readNames(database, absent)) names.set(hash, read);
    return names;
  };
}

/** Refuses a version that is too large ever to be run. @throws Problem `model_too_large` */
export async function requireSize(
  { decisions: [root, ...others] }: Reach,
  total: ReturnType<typeof createSizer>,
): Promise<void> {
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

/** Of names that would lead to one decision too many. */
export const tooMany = ({ broken }: Reach): ModelDiagnostic[] =>
  broken
    .filter(({ reason }) => reason === 'too_many')
    .map(({ from, name }) => ({
      key: from.key,
      diagnostic: {
        code: 'limit_sub_decisions',
        message: `With "${name}", a decision would reach more than ${maxReach} decisions.`,
        field: 'content.key',
      },
    }));
