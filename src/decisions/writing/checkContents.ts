import type { Diagnostic } from '../../../workers/engine/index.js';
import type { ModelCheck, ModelWork } from '../../../workers/models/index.js';
import { Recent } from '../../../workers/recent/index.js';
import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import type { DecisionIndex } from '../decisionIndex.js';
import { chainsIn, chainWarning, type ChainFrom } from './chains.js';
import type { NamesOf } from './manifest.js';
import { isUnknown, type ModelDiagnostic } from '../diagnostics.js';

/** A model to be checked, and the key that it has, or is to have. */
export interface Candidate {
  readonly key: string;
  readonly document: {
    readonly hash: string;
    /** The model in its one form; bytes are UTF-8. */
    readonly text: string | Uint8Array;
  };
  /** The result of an earlier check, if there is one. */
  readonly check?: ModelCheck;
}

/** The result of checking one model. */
export interface FoundDiagnostics {
  readonly key: string;
  readonly diagnostics: readonly ModelDiagnostic[];
  /** The names that its decision nodes use, each once, in the order of the document. */
  readonly subDecisions: readonly string[];
}

/** The request for which models are checked or written. */
export interface Caller {
  readonly workspaceId: string;
  /** True once nobody waits for the result: then no further piece of work begins. */
  readonly gone?: () => boolean;
  /** Is charged with the memory that the work takes. */
  readonly reservation?: Reservation;
}

/** Stops the work of a caller who has gone away, and gets no answer. @throws Problem `overloaded` */
export function requireWanted({ gone }: Caller): void {
  if (gone?.() === true) throw new Problem('overloaded', 'The caller went away before the work was done.');
}

/**
 * Checks models, in the order given.
 * @param decisionIndex the workspace as it would be with these models; names of sub-decisions are looked up there
 */
export type FindDiagnostics = (
  caller: Caller,
  candidates: readonly Candidate[],
  decisionIndex: DecisionIndex,
) => Promise<FoundDiagnostics[]>;

/** Cached checks: a model without diagnostics takes some hundred bytes, and those of one with many are done again. */
const cached = { maxCount: 20_000, maxWeight: 16 * 1024 * 1024 };
const bytesOfEntry = 300;
/** Largest check that is cached, in bytes. */
const maxBytes = 20_000;
/** Models of one workspace under way at once. */
const atOnce = 4;

/**
 * Checks models, on worker threads or in this process. Results are cached by content, except checks that a limit stopped.
 * @param namesOf the names that stored contents use; without it only chains among the models themselves are found
 */
export function createFindDiagnostics(
  models: ModelWork,
  namesOf: NamesOf = () => Promise.resolve(new Map()),
): FindDiagnostics {
  const modelChecks = new Recent<ModelCheck>(cached);
  const checkOf = async (workspaceId: string, { document: { hash, text }, check }: Candidate): Promise<ModelCheck> => {
    const found = check ?? modelChecks.get(hash);
    if (found !== undefined) return found;
    const answer = await models.work(workspaceId, { kind: 'check', text, isItem: false });
    if ('reason' in answer) return { diagnostics: [stoppedDiagnostic(answer)], references: [], subDecisions: [] };
    const isWhole = answer.check.diagnostics.every((diagnostic) => !isUnknown({ diagnostic }));
    const bytes = checkBytes(answer.check);
    if (isWhole && bytes <= maxBytes) modelChecks.set(hash, answer.check, bytesOfEntry + bytes, workspaceId);
    return answer.check;
  };
  return async (caller, candidates, decisionIndex) => {
    const checks = await eachOf(candidates, async (candidate) => {
      requireWanted(caller);
      return checkOf(caller.workspaceId, candidate);
    });
    const used = checks.flatMap(({ references }, index) =>
      references.map(({ name }) => ({ name, usedBy: candidates[index]?.key ?? '' })),
    );
    await decisionIndex.load(used);
    const calling = [...new Set(used.map(({ usedBy }) => usedBy))];
    await decisionIndex.read({ keys: calling });
    const own = new Map(candidates.map(({ document }, index) => [document.hash, checks[index]?.subDecisions ?? []]));
    const chainFrom = await chainsIn(
      calling.flatMap((key) => decisionIndex.byKey(key) ?? []),
      decisionIndex,
      async (hashes) => new Map([...(await namesOf(hashes.filter((hash) => !own.has(hash)))), ...own]),
    );
    return candidates.map(({ key }, index) => {
      const check = checks[index] ?? { diagnostics: [], references: [], subDecisions: [] };
      const diagnostics = diagnosticsIn(check, key, { decisionIndex, chainFrom });
      return { key, diagnostics, subDecisions: check.subDecisions };
    });
  };
}

/** The diagnostic of a model whose check was stopped by a limit: what is wrong with it is not known. */
export const stoppedDiagnostic = ({ reason }: Pick<RunStopped, 'reason'>): Diagnostic => ({
  code: reason === 'timeout' ? 'timeout' : 'limit_memory',
  severity: 'unknown',
  message: `${stops[reason]} What is wrong with the model is not known.`,
});

const stops = {
  timeout: 'Checking the model takes longer than a run may; it was stopped.',
  memory: 'Checking the model takes more memory than a run may have; it was stopped.',
  crash: 'Checking the model ended without a result.',
} as const satisfies Record<RunStopped['reason'], string>;

/** The diagnostics of a model under its key, among the other decisions. */
function diagnosticsIn(
  { diagnostics, references }: ModelCheck,
  key: string,
  { decisionIndex, chainFrom }: { readonly decisionIndex: DecisionIndex; readonly chainFrom: ChainFrom },
): ModelDiagnostic[] {
  const missing = new Map(references.map(({ name, diagnostic }) => [diagnostic, name]));
  return diagnostics.flatMap((diagnostic, index) => {
    const name = missing.get(index);
    if (name === undefined) return [{ key, diagnostic }];
    const called = decisionIndex.resolve(name, key);
    if (called === undefined) return [{ key, diagnostic: { hint, ...diagnostic } }];
    // Imports of DMN documents are no calls.
    const chain = diagnostic.field === 'content.key' ? chainFrom(called) : undefined;
    return chain === undefined ? [] : [{ key, diagnostic: { ...diagnostic, ...chainWarning([key, ...chain]) } }];
  });
}

const hint = 'Import it too, or correct the key; `./x` and `../x` start at the folder of this decision.';

/** Estimates the bytes of a check by its texts: each diagnostic has the id and the name of its node, however long they are. */
export function checkBytes({ diagnostics, subDecisions }: ModelCheck): number {
  const texts = (value: object): number =>
    Object.values(value).reduce((sum: number, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const told = diagnostics.reduce((sum, diagnostic) => sum + bytesPerDiagnostic + 2 * texts(diagnostic), 0);
  return told + bytesPerName * subDecisions.length + 2 * texts(subDecisions);
}

const bytesPerDiagnostic = 300;
const bytesPerName = 100;

/** Works on all items in their order, some at once. Rejects with the first that fails, once no other is under way. */
export async function eachOf<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const run = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: atOnce }, run));
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return results;
}
