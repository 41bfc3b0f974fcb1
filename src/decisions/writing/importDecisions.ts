import type { Knex } from 'knex';
import { createModelWork, type ModelWork } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import {
  createCheckContents,
  createFindDiagnostics,
  type Candidate,
  type FindDiagnostics,
  type FoundDiagnostics,
} from './checkContents.js';
import { readNames, type Content } from '../contents.store.js';
import { newEntry, withContent, type DecisionIndex, type DecisionEntry } from '../decisionIndex.js';
import { isError, type ModelDiagnostic } from '../diagnostics.js';
import type { NamesOf } from './manifest.js';
import { createPause } from '../../admission/pause.js';
import { createSizer } from '../programs/bundles.js';
import { checkStored, recount } from './recountFaults.js';
import { planSave, type Change, type DecisionResult, type SavePlan, type WriteOutcome } from './planVersions.js';
import { newestPrograms } from '../versions.store.js';
import { noWrites, writeDecisions, type Plan, type WriteContext } from './writeDecisions.js';

interface ImportRequest extends WriteContext {
  /** Each key once. */
  readonly candidates: readonly Candidate[];
  /** Make a version of each as well, where one would differ from the newest. */
  readonly save: boolean;
  /** Store models with errors as working copies. Never makes versions of them. */
  readonly force: boolean;
  /** Of the versions. */
  readonly message?: string | null;
  /** The revision that the workspace must have. */
  readonly base?: number | undefined;
  /** Only plan the import, write nothing. */
  readonly dryRun?: boolean;
  /** Of the workspace; any number when left out. */
  readonly maxModelBytes?: number;
  /** In this process, with the usual limits, when left out. */
  readonly find?: FindDiagnostics;
  /** In this process when left out, too. */
  readonly models?: ModelWork;
}

/**
 * Imports models, all or none: a known key's working copy is updated, a new key makes a decision. They may name one
 * another as sub-decisions in any order. The outcome `done` holds warnings, and with `force` the errors that were let through.
 * @throws Problem `precondition_failed` where the workspace has another revision than `base`
 */
export function importDecisions(database: Knex, request: ImportRequest): Promise<WriteOutcome> {
  const { candidates, save, force, base, dryRun = false, maxModelBytes = Infinity } = request;
  const { models = createModelWork(defaultRunLimits), find = createFindDiagnostics(models) } = request;
  return writeDecisions<WriteOutcome>(
    { database, maxModelBytes, models },
    request,
    async (present, { revision, at }) => {
      if (base !== undefined && base !== revision) throw changedMeanwhile(base, revision);
      await present.read({ keys: candidates.map(({ key }) => key) });
      const imported = candidates.map((candidate) => entryOf(candidate, present, at));
      const decisionIndex = present.with(imported);
      const found = await find(request, candidates, decisionIndex);
      const diagnostics = found.flatMap((one) => one.diagnostics);
      // Faulty models never become versions, so force can't help a save. What is stored as it is stays so, whatever is wrong with it.
      const isStored = ({ key, document }: Candidate): boolean => present.byKey(key)?.contentHash === document.hash;
      const written = save ? found : found.filter((_, index) => !isStored(candidates[index] as Candidate));
      if (written.some((one) => one.diagnostics.some(isError)) && (save || !force)) return refused(diagnostics);

      const marked = withCounts(imported, found);
      const plan = save
        ? await planVersions(database, request, { marked, decisionIndex, found, find })
        : unsaved(marked);
      if (plan.diagnostics.some(isError)) return refused(plan.diagnostics);
      const checking = { database, check: createCheckContents(find) };
      const others = await recount(checking, request, { present, next: decisionIndex, written: imported });
      const contents = candidates.map(({ document }, index) => contentOf(document, found[index]));
      const planned = planOf(present, { save, plan, others, contents, diagnostics, revision });
      return dryRun ? { ...planned, writes: noWrites, result: { ...planned.result, revision } } : planned;
    },
  );
}

const changedMeanwhile = (base: number, revision: number): Problem =>
  new Problem('precondition_failed', `The workspace has revision ${revision}, not ${base}: others have written since.`);

const refused = (diagnostics: readonly ModelDiagnostic[]): Plan<WriteOutcome> => ({
  writes: noWrites,
  result: { kind: 'refused', diagnostics },
});

const unsaved = (entries: readonly DecisionEntry[]): SavePlan => ({ diagnostics: [], versions: [], saved: entries });

const contentOf = ({ hash, text }: Candidate['document'], found: FoundDiagnostics | undefined): Content => ({
  hash,
  text,
  subDecisions: found?.subDecisions ?? [],
});

function entryOf({ key, document }: Candidate, present: DecisionIndex, at: Date): DecisionEntry {
  const stored = present.byKey(key);
  if (stored !== undefined) return withContent(stored, document);
  return newEntry(key, document, at);
}

function withCounts(entries: readonly DecisionEntry[], found: readonly FoundDiagnostics[]): DecisionEntry[] {
  return entries.map((entry, index) => {
    const all = found[index]?.diagnostics ?? [];
    const faults = all.filter(isError).length;
    return { ...entry, faults, warnings: all.length - faults };
  });
}

/** The versions that the import makes, and the diagnostics of all models that they would reach. */
async function planVersions(
  database: Knex,
  request: ImportRequest,
  { marked, decisionIndex, found, find }: ImportState,
): Promise<SavePlan> {
  const { workspaceId, candidates, message = null } = request;
  const given = new Map(candidates.map((candidate) => [candidate.key, candidate]));
  const names = new Map(candidates.map(({ document }, index) => [document.hash, found[index]?.subDecisions ?? []]));
  const namesOf: NamesOf = async (hashes) => {
    const absent = hashes.filter((hash) => !names.has(hash));
    if (absent.length > 0) for (const [hash, read] of await readNames(database, absent)) names.set(hash, read);
    return names;
  };
  return planSave({
    entries: marked,
    decisionIndex,
    namesOf,
    total: createSizer(
      database,
      new Map(candidates.map(({ document: { hash, text } }) => [hash, Buffer.byteLength(text)])),
    ),
    newest: await newestPrograms(database, workspaceId, marked),
    message,
    pause: createPause(),
    diagnosticsOf: async (reached) => {
      // Diagnostics of all imported models are reported, in their order, whether they are reached or not.
      const diagnostics = found.flatMap((one) => one.diagnostics);
      const entries = reached.filter(({ key }) => !given.has(key));
      for await (const [, others] of checkStored({ database, check: find }, request, { entries, decisionIndex })) {
        diagnostics.push(...others.diagnostics);
      }
      return diagnostics;
    },
  });
}

interface ImportState {
  readonly marked: readonly DecisionEntry[];
  readonly decisionIndex: DecisionIndex;
  readonly found: readonly FoundDiagnostics[];
  readonly find: FindDiagnostics;
}

interface ImportPlan {
  readonly save: boolean;
  readonly plan: SavePlan;
  /** Decisions whose counts of faults have changed. */
  readonly others: readonly DecisionEntry[];
  readonly contents: readonly Content[];
  readonly diagnostics: readonly ModelDiagnostic[];
  readonly revision: number;
}

function planOf(
  present: DecisionIndex,
  { save, plan, others, contents, diagnostics, revision }: ImportPlan,
): Plan<Extract<WriteOutcome, { kind: 'done' }>> {
  const saves = new Set(plan.versions.map(({ decisionId }) => decisionId));
  const differs = (entry: DecisionEntry, stored: DecisionEntry): boolean =>
    stored.contentHash !== entry.contentHash ||
    saves.has(entry.id) ||
    stored.faults !== entry.faults ||
    stored.warnings !== entry.warnings;
  const changeOf = (entry: DecisionEntry): Change => {
    const stored = present.byKey(entry.key);
    if (stored === undefined) return 'created';
    return stored.contentHash !== entry.contentHash || saves.has(entry.id) ? 'updated' : 'unchanged';
  };
  const inserted = plan.saved.filter(({ key }) => present.byKey(key) === undefined);
  const updated = plan.saved.filter((entry) => {
    const stored = present.byKey(entry.key);
    return stored !== undefined && differs(entry, stored);
  });
  const result = (entry: DecisionEntry): DecisionResult => ({
    id: entry.id,
    key: entry.key,
    version: save ? entry.latestVersion : 0,
    change: changeOf(entry),
  });
  const writes = { contents, removed: [], inserted, updated: [...updated, ...others], versions: plan.versions };
  const changes = writes.inserted.length + writes.updated.length + writes.versions.length > 0;
  const decisions = plan.saved.map(result);
  return { writes, result: { kind: 'done', revision: changes ? revision + 1 : revision, decisions, diagnostics } };
}
