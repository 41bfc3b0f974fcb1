import type { Fault } from '../api/types.js';
import { useSession } from '../shell/session.js';
import type { Stored } from './saveForm.js';
import type { Draft } from './useDraft.js';

/** Stores the draft as the working copy. */
export function useKeep(draft: Draft, faults: readonly Fault[]): () => Promise<Stored> {
  const { api } = useSession();
  return async () => {
    // A model with errors is kept as a working copy, which nothing runs unless somebody deploys working copies.
    const force = faults.some(({ severity }) => severity === 'error');
    const { model: content, stored } = draft;
    const kept = { ...(await api.updateDecision(stored.decision.id, content, { force, tag: stored.tag })), content };
    draft.settle(kept);
    return kept;
  };
}
