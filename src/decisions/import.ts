import type { Knex } from 'knex';
import type { Actor } from '../audit/audit.store.js';
import type { RunLimits } from '../../workers/protocol.js';
import { newEntry, type Directory, type DirectoryEntry } from './directory.js';
import type { Candidate } from './checks.js';
import type { Content } from './contents.store.js';
import { isError, type ModelFault } from './faults.js';
import { createModels, faultsOf, faultsOfStored, type Models } from './models.js';
import { planSave, type DecisionResult, type SavePlan, type WriteOutcome } from './save.js';
import { newestPrograms } from './versions.store.js';
import { writeDecisions, type Plan } from './write.js';
import { noWrites } from './writes.js';

export interface ImportRequest {
  readonly workspaceId: string;
  readonly actor: Actor;
  /** Each key once. */
  readonly candidates: readonly Candidate[];
  /** Make a version of each as well. */
  readonly save: boolean;
  /** Store models with errors as working copies. Never makes versions of them. */
  readonly force: boolean;
  /** The usual ones when left out. */
  readonly limits?: RunLimits;
  /** Called for each model that was validated; more often when another import came between. */
  readonly onValidated?: () => void;
}

/**
 * Imports models, all or none: a known key's working copy is updated, a new key makes a decision. They may name one
 * another as sub-decisions in any order. The outcome `done` holds warnings, and with `force` the errors that were let through.
 */
export function importDecisions(database: Knex, request: ImportRequest): Promise<WriteOutcome> {
  const documents = request.candidates.map(({ document }) => document);
  return writeDecisions<WriteOutcome>(database, request, async (present) => {
    const imported = request.candidates.map((candidate) => entryOf(candidate, present));
    const directory = present.with(imported);
    const models = createModels(database, documents, request.limits);
    const faults = request.candidates.flatMap(({ key, document }) => {
      request.onValidated?.();
      return faultsOf(document.model, key, { directory, limits: models.limits });
    });
    // Faulty models never become versions, so --force can't help a save.
    const errors = faults.filter(isError);
    if (errors.length > 0 && (request.save || !request.force)) return refused(faults);

    const marked = withCounts(imported, faults);
    const plan = request.save
      ? await planSave({
          entries: marked,
          directory,
          models,
          newest: await newestPrograms(database, request.workspaceId, marked),
        })
      : unsaved(marked);
    if (plan.faults.some(isError)) return refused(plan.faults);
    const healed = await healedBy(imported, directory, models);
    const names = await models.namesOf(documents.map(({ hash }) => hash));
    const contents = documents.map(({ hash, text }) => ({ hash, text, subDecisions: names.get(hash) ?? [] }));
    return planOf(present, { save: request.save, plan, healed, contents, faults });
  });
}

const refused = (faults: readonly ModelFault[]): Plan<WriteOutcome> => ({
  writes: noWrites,
  result: { kind: 'refused', faults },
});

const unsaved = (entries: readonly DirectoryEntry[]): SavePlan => ({ faults: [], versions: [], saved: entries });

function entryOf({ key, document }: Candidate, present: Directory): DirectoryEntry {
  const known = present.byKey(key);
  if (known !== undefined) return { ...known, contentHash: document.hash };
  return newEntry(key, document.hash);
}

function withCounts(entries: readonly DirectoryEntry[], found: readonly ModelFault[]): DirectoryEntry[] {
  const counts = new Map(entries.map(({ key }) => [key, { faults: 0, warnings: 0 }]));
  for (const fault of found) {
    const count = counts.get(fault.key);
    if (count !== undefined) count[isError(fault) ? 'faults' : 'warnings']++;
  }
  return entries.map((entry) => ({ ...entry, ...counts.get(entry.key) }));
}

/** Decisions that were stored with errors, such as a missing sub-decision, and have none any more. */
async function healedBy(
  imported: readonly DirectoryEntry[],
  directory: Directory,
  models: Models,
): Promise<DirectoryEntry[]> {
  const keys = new Set(imported.map(({ key }) => key));
  const healed: DirectoryEntry[] = [];
  for (const entry of directory.entries) {
    if (entry.faults === 0 || keys.has(entry.key)) continue;
    if (!(await faultsOfStored([entry], directory, models)).some(isError)) healed.push({ ...entry, faults: 0 });
  }
  return healed;
}

function planOf(
  present: Directory,
  parts: {
    save: boolean;
    plan: SavePlan;
    healed: readonly DirectoryEntry[];
    contents: readonly Content[];
    faults: readonly ModelFault[];
  },
): Plan<WriteOutcome> {
  const { save, plan, healed, contents, faults } = parts;
  const saves = new Set(plan.versions.map(({ decisionId }) => decisionId));
  const isNew = (entry: DirectoryEntry): boolean => present.byKey(entry.key) === undefined;
  const isChanged = (entry: DirectoryEntry): boolean => present.byKey(entry.key)?.contentHash !== entry.contentHash;
  const differs = (entry: DirectoryEntry): boolean =>
    isChanged(entry) || saves.has(entry.id) || present.byKey(entry.key)?.faults !== entry.faults;
  const result = (entry: DirectoryEntry): DecisionResult => ({
    id: entry.id,
    key: entry.key,
    version: save ? entry.latestVersion : 0,
    changed: isChanged(entry),
  });
  return {
    writes: {
      contents,
      removed: [],
      inserted: plan.saved.filter(isNew),
      updated: [...plan.saved.filter((entry) => !isNew(entry) && differs(entry)), ...healed],
      versions: plan.versions,
    },
    result: { kind: 'done', decisions: plan.saved.map(result), faults },
  };
}
