import { LRUCache } from 'lru-cache';
import type { Fault } from '../../../workers/engine/index.js';
import type { ModelCheck, ModelWork } from '../../../workers/models/index.js';
import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import type { Account } from '../contents.store.js';
import type { DecisionIndex } from '../decisionIndex.js';
import { faultDocument, type FaultDocument, type ModelFault } from '../faults.js';

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
export interface CheckedContent {
  readonly key: string;
  /** Errors and warnings. */
  readonly faults: readonly FaultDocument[];
  /** The names that its decision nodes use, each once, in the order of the document. */
  readonly subDecisions: readonly string[];
}

/** Who has models checked or written. */
export interface Caller {
  readonly workspaceId: string;
  /** True once nobody waits for the result: then no further piece of work begins. */
  readonly gone?: () => boolean;
  /** Is charged with the memory that the work takes. */
  readonly reservation?: Account;
}

/** Stops the work of a caller who has gone away, and gets no answer. @throws Problem `overloaded` */
export function requireWanted({ gone }: Caller): void {
  if (gone?.() === true) throw new Problem('overloaded', 'The caller went away before the work was done.');
}

/**
 * Checks models, in the order given.
 * @param decisionIndex the workspace as it would be with these models; names of sub-decisions are looked up there
 */
export type Check<Checked> = (
  caller: Caller,
  candidates: readonly Candidate[],
  decisionIndex: DecisionIndex,
) => Promise<Checked[]>;
export type CheckContents = Check<CheckedContent>;

/** As `CheckedContent`, with the engine's own faults. */
export interface FoundFaults {
  readonly key: string;
  readonly faults: readonly ModelFault[];
  readonly subDecisions: readonly string[];
}

export type FindFaults = Check<FoundFaults>;

/** Most cached checks; a model without faults takes some hundred bytes. */
const maxKnown = 20_000;
/** Bytes of the check of one model that is remembered. */
const maxBytes = 20_000;
/** Models of one workspace under way at once. */
const atOnce = 4;

/** Checks models by `work`, on worker threads or in this process. Results are cached by content. */
export function createFindFaults(work: ModelWork): FindFaults {
  const known = new LRUCache<string, ModelCheck>({ max: maxKnown });
  const checkOf = async (workspaceId: string, { document: { hash, text }, check }: Candidate): Promise<ModelCheck> => {
    const found = check ?? known.get(hash);
    if (found !== undefined) return found;
    const answer = await work.work(workspaceId, { kind: 'check', text, isItem: false });
    if ('reason' in answer) return { faults: [stoppedFault(answer)], references: [], subDecisions: [] };
    if (checkBytes(answer.check) <= maxBytes) known.set(hash, answer.check);
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
    return candidates.map(({ key }, index) => {
      const check = checks[index] ?? { faults: [], references: [], subDecisions: [] };
      return { key, faults: faultsIn(check, key, decisionIndex), subDecisions: check.subDecisions };
    });
  };
}

/** As `FindFaults`, with faults in the form that clients see. */
export const createCheckContents =
  (find: FindFaults): CheckContents =>
  async (caller, candidates, decisionIndex) =>
    (await find(caller, candidates, decisionIndex)).map(({ key, faults, subDecisions }) => ({
      key,
      faults: faults.map(faultDocument),
      subDecisions,
    }));

export const isErrorDocument = ({ severity }: FaultDocument): boolean => severity === 'error';

/** The fault of a model whose check was stopped by a limit. */
export const stoppedFault = ({ reason }: Pick<RunStopped, 'reason'>): Fault =>
  reason === 'timeout'
    ? { code: 'timeout', message: 'Checking the model takes longer than a run may; it was stopped.' }
    : { code: 'limit_memory', message: 'Checking the model takes more memory than a run may have; it was stopped.' };

/** The faults of a model under its key, among the other decisions. */
export function faultsIn({ faults, references }: ModelCheck, key: string, decisionIndex: DecisionIndex): ModelFault[] {
  const missing = new Map(references.map(({ name, fault }) => [fault, name]));
  return faults.flatMap((fault, index) => {
    const name = missing.get(index);
    if (name === undefined) return [{ key, fault }];
    return decisionIndex.resolve(name, key) === undefined ? [{ key, fault: { hint, ...fault } }] : [];
  });
}

const hint = 'Import it too, or correct the key; `./x` and `../x` start at the folder of this decision.';

/** Estimated bytes of a check, by those of its texts. */
export function checkBytes({ faults, subDecisions }: ModelCheck): number {
  const text = (count: number, { length }: string): number => count + bytesPerItem + 2 * length;
  return (
    faults.reduce((sum, { message, source = '', pointer = '' }) => [message, source, pointer].reduce(text, sum), 0) +
    subDecisions.reduce(text, 0)
  );
}

const bytesPerItem = 100;

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
