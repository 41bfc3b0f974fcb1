import type { RunLimits } from '../../workers/protocol.js';
import type { Directory } from './directory.js';
import type { Document } from './document.js';
import { faultDocument, type FaultDocument } from './faults.js';
import { createModels, faultsOf } from './models.js';

/** A model to be checked, and the key that it has, or is to have. */
export interface Candidate {
  readonly key: string;
  readonly document: Document;
}

/** What a check finds out of one model. */
export interface CheckedContent {
  readonly key: string;
  /** Errors and warnings. */
  readonly faults: readonly FaultDocument[];
  /** The names that its decision nodes use, each once, in the order of the document. */
  readonly subDecisions: readonly string[];
}

/**
 * Checks models, in the order given.
 * @param directory the workspace as it would be with them; where names of sub-decisions are looked up
 */
export type CheckContents = (
  workspaceId: string,
  candidates: readonly Candidate[],
  directory: Directory,
) => Promise<CheckedContent[]>;

/** @param limits what models may not exceed when they run */
export function createCheckContents(limits: RunLimits): CheckContents {
  return async (_workspaceId, candidates, directory) => {
    const names = await createModels(
      null,
      candidates.map(({ document }) => document),
    ).namesOf(candidates.map(({ document }) => document.hash));
    return candidates.map(({ key, document }) => ({
      key,
      faults: faultsOf(document.model, key, { directory, limits }).map(faultDocument),
      subDecisions: names.get(document.hash) ?? [],
    }));
  };
}

export const isErrorDocument = ({ severity }: FaultDocument): boolean => severity === 'error';
