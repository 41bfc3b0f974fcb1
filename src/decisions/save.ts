import type { Knex } from 'knex';
import type { Actor } from '../audit/audit.store.js';
import type { RunLimits } from '../../workers/protocol.js';
import type { Directory, DirectoryEntry } from './directory.js';
import { maxReach } from './limits.js';
import { reachOf, type BrokenLink, type Reach } from './manifest.js';
import { isError, type ModelFault } from './faults.js';
import { createModels, faultsOfStored, type Models } from './models.js';
import type { Dependency, NewVersion } from './versions.store.js';
import { writeDecisions } from './write.js';
import { noWrites } from './writes.js';

/** What became of one decision. `version` is the number that stands for its content now; 0 is the working copy. */
export interface DecisionResult {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly changed: boolean;
}

/** Done, or refused with every reason; then nothing was written. `faults` holds errors and warnings. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly decisions: readonly DecisionResult[]; readonly faults: readonly ModelFault[] }
  | { readonly kind: 'refused'; readonly faults: readonly ModelFault[] }
  | { readonly kind: 'unknown'; readonly names: readonly string[] };

/** The versions that a save makes, and the decisions as they are after it. */
export interface SavePlan {
  /** Of all that the decisions can reach; with an error among them nothing may be saved. */
  readonly faults: readonly ModelFault[];
  readonly versions: readonly NewVersion[];
  readonly saved: readonly DirectoryEntry[];
}

export interface SaveRequest {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly names: readonly string[];
  /** The usual ones when left out. */
  readonly limits?: RunLimits;
}

/**
 * Saves working copies as their next versions, also where nothing has changed since the last one.
 * Refused with the faults of anything that it can reach, since a version must give the same result for ever.
 * @param request.names keys or ids
 */
export function saveDecisions(database: Knex, request: SaveRequest): Promise<WriteOutcome> {
  const { names, limits } = request;
  return writeDecisions<WriteOutcome>(database, request, async (directory) => {
    const found = new Map(names.map((name) => [name, directory.find(name)]));
    const unknown = names.filter((name) => found.get(name) === undefined);
    if (unknown.length > 0) return { writes: noWrites, result: { kind: 'unknown', names: unknown } };
    const entries = [...new Set(found.values())].filter((entry) => entry !== undefined);
    const models = createModels(database, [], limits);
    const plan = await planSave({ entries, directory, models, newest: new Map() });
    if (plan.faults.some(isError)) return { writes: noWrites, result: { kind: 'refused', faults: plan.faults } };
    const decisions = plan.saved.map(({ id, key, latestVersion }) => ({
      id,
      key,
      version: latestVersion,
      changed: true,
    }));
    return {
      writes: { ...noWrites, updated: plan.saved, versions: plan.versions },
      result: { kind: 'done', decisions, faults: plan.faults },
    };
  });
}

/**
 * @param directory the workspace as it will be, `entries` among its decisions
 * @param newest programs of the newest versions, by decision: one that would be the same again is kept
 */
export async function planSave({
  entries,
  directory,
  models,
  newest,
}: {
  entries: readonly DirectoryEntry[];
  directory: Directory;
  models: Models;
  newest: ReadonlyMap<string, string>;
}): Promise<SavePlan> {
  const reached = new Map<string, DirectoryEntry>();
  const faults: ModelFault[] = [];
  const versions: NewVersion[] = [];
  const saved: DirectoryEntry[] = [];
  for (const entry of entries) {
    const reach = await reachOf(entry, directory, models.namesOf);
    for (const decision of reach.decisions) reached.set(decision.id, decision);
    faults.push(...reach.broken.filter(({ reason }) => reason === 'too_many').map(tooMany));
    if (newest.get(entry.id) === reach.programId) {
      saved.push(entry);
      continue;
    }
    const version = nextVersion(entry, reach, null);
    versions.push(version);
    saved.push({ ...entry, latestVersion: version.version, faults: 0 });
  }
  // Missing sub-decisions are among them.
  faults.push(...(await faultsOfStored([...reached.values()], directory, models)));
  return { faults, versions, saved };
}

/** The version that a save makes of a working copy. */
export const nextVersion = (
  { id, latestVersion, contentHash }: DirectoryEntry,
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

export const tooMany = ({ from, name }: BrokenLink): ModelFault => ({
  key: from.key,
  fault: {
    code: 'limit_sub_decisions',
    message: `With "${name}", a decision would reach more than ${maxReach} decisions.`,
    field: 'content.key',
  },
});
