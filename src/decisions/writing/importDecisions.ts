import type { Knex } from 'knex';
import { createModelWork, type ModelWork } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import { createFindDiagnostics, type Candidate, type FindDiagnostics, type FoundDiagnostics } from './checkContents.js';
import type { Content } from '../contents.store.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import { isError, type ModelDiagnostic } from '../diagnostics.js';
import { countsOf, recount } from './recountFaults.js';
import { planSave, type Change, type DecisionResult, type SavePlan, type WriteOutcome } from './planVersions.js';
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
  const { candidates, save, force, message = null, base, dryRun = false, maxModelBytes = Infinity } = request;
  const { models = createModelWork(defaultRunLimits), find = createFindDiagnostics(models) } = request;
  return writeDecisions<WriteOutcome>(
    { database, maxModelBytes, models },
    request,
    async (present, { revision, at }) => {
      if (base !== undefined && base !== revision) throw changedMeanwhile(base, revision);
      await present.read({ keys: candidates.map(({ key }) => key) });
      const imported = candidates.map(({ key, document }) => present.entryWith(key, document, at));
      const decisionIndex = present.with(imported);
      const found = await find(request, candidates, decisionIndex);
      const diagnostics = found.flatMap((one) => one.diagnostics);
      // Faulty models never become versions, so force can't help a save. What is stored as it is stays so, whatever is wrong with it.
      const isStored = ({ key, document }: Candidate): boolean => present.byKey(key)?.contentHash === document.hash;
      const written = save ? found : found.filter((_, index) => !isStored(candidates[index] as Candidate));
      if (written.some((one) => one.diagnostics.some(isError)) && (save || !force)) return refused(diagnostics);

      const checking = { database, find };
      const entries = imported.map((entry, index) => ({ ...entry, ...countsOf(found[index] as FoundDiagnostics) }));
      const plan = save
        ? await planSave(checking, request, { candidates, entries, found, decisionIndex, message })
        : unsaved(entries);
      if (plan.diagnostics.some(isError)) return refused(plan.diagnostics);
      const others = await recount(checking, request, { present, next: decisionIndex, written: imported });
      const contents = candidates.map(({ document }, index) => {
        return { ...document, subDecisions: found[index]?.subDecisions ?? [] };
      });
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
