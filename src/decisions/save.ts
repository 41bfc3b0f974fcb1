import type { Knex } from 'knex';
import type { RunLimits } from '../../workers/protocol.js';
import type { Directory, DirectoryEntry } from './directory.js';
import { maxReach } from './limits.js';
import { reachOf, type BrokenLink } from './manifest.js';
import { isError, type ModelFault } from './faults.js';
import { createModels, faultsOfStored, type Models } from './models.js';
import type { NewVersion } from './versions.store.js';
import { noWrites, writeDecisions } from './write.js';

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
  readonly names: readonly string[];
  /** The usual ones when left out. */
  readonly limits?: RunLimits;
}

/**
 * Saves working copies as their next versions, also where nothing has changed since the last one.
 * Refused with the faults of anything that it can reach, since a version must give the same result for ever.
 * @param request.names keys or ids
 */
export function saveDecisions(database: Knex, { workspaceId, names, limits }: SaveRequest): Promise<WriteOutcome> {
  return writeDecisions<WriteOutcome>(database, workspaceId, async (directory) => {
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
    const { decisions, broken, programId, manifest } = await reachOf(entry, directory, models.namesOf);
    for (const decision of decisions) reached.set(decision.id, decision);
    faults.push(...broken.filter(({ reason }) => reason === 'too_many').map(tooMany));
    if (newest.get(entry.id) === programId) {
      saved.push(entry);
      continue;
    }
    const version = entry.latestVersion + 1;
    versions.push({ decisionId: entry.id, version, programId, manifest });
    saved.push({ ...entry, latestVersion: version, faulty: false });
  }
  // Missing sub-decisions are among them.
  faults.push(...(await faultsOfStored([...reached.values()], directory, models)));
  return { faults, versions, saved };
}

const tooMany = ({ from, name }: BrokenLink): ModelFault => ({
  key: from.key,
  fault: {
    code: 'limit_sub_decisions',
    message: `With "${name}", a decision would reach more than ${maxReach} decisions.`,
    field: 'content.key',
  },
});
