import type { CheckAnswer, ModelWork } from '../../../workers/models/index.js';
import { Problem } from '../../errors.js';
import { faultDocument } from '../diagnostics.js';
import { requireFinished } from '../programs/requireFinished.js';
import type { Candidate } from '../writing/checkContents.js';

/** What a write of a model can be refused with, besides what its decision is. */
export const writeProblems = [
  'model_has_faults',
  'model_too_large',
  'workspace_full',
  'approval_required',
  'engine_failure',
  'engine_timeout',
  'overloaded',
] as const;

export type ReadModel = Required<Pick<Candidate, 'document' | 'check'>>;

/**
 * Has a thread read the `content` of a body as a model, and check it.
 * @param key the key that diagnostics are reported with
 * @throws Problem `model_has_faults` for what cannot be stored at all, `engine_timeout` or `engine_failure` where a limit
 * stopped the check, and `overloaded`
 */
export async function readModel(
  work: ModelWork,
  workspaceId: string,
  { bodyText, key }: { readonly bodyText: string; readonly key: string },
): Promise<ReadModel> {
  const answer = requireFinished(await work.work(workspaceId, { kind: 'check', text: bodyText, isItem: true }));
  const { document, check } = answer;
  if (document === null) throw unread(key, check.diagnostics);
  return { document, check };
}

function unread(key: string, diagnostics: CheckAnswer['check']['diagnostics']): Problem {
  return new Problem('model_has_faults', 'The model cannot be stored.', {
    extensions: { faults: diagnostics.map((diagnostic) => faultDocument({ key, diagnostic })) },
  });
}
