import type { CheckAnswer, ModelWork } from '../../workers/models/index.js';
import type { WorkspaceReader } from '../decisions/workspaceReader.js';
import { newEntry } from '../decisions/decisionIndex.js';
import { faultDocument } from '../decisions/diagnostics.js';
import { normalKey } from '../decisions/keys.js';
import type { BundledProgram } from '../decisions/programs/bundledProgram.js';
import type { ReadBundle } from '../decisions/programs/bundles.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import { Problem } from '../errors.js';
import { textBytes } from '../admission/byteBudget.js';
import type { LogicRequest } from '../api/logicRoute.js';
import { stoppedProblem } from './responseBody.js';

export interface DraftReaders extends WorkspaceReader {
  readonly models: ModelWork;
  readonly readBundle: ReadBundle;
}

/** A request whose body has the draft as its member `content`. */
type DraftRequest = Pick<LogicRequest<unknown, unknown, unknown>, 'workspaceId' | 'bodyText' | 'reservation'>;
type ModelDocument = NonNullable<CheckAnswer['document']>;

/** A draft with errors is not refused: like a working copy it runs until it reaches one. */
async function readDraft(
  models: ModelWork,
  { workspaceId, bodyText }: DraftRequest,
): Promise<{ document: ModelDocument; check: CheckAnswer['check'] }> {
  const answer = await models.work(workspaceId, { kind: 'check', text: bodyText, isItem: true });
  if ('reason' in answer) throw stoppedProblem(answer);
  const { document, check } = answer;
  if (document !== null) return { document, check };
  const faults = check.diagnostics.map((diagnostic) => faultDocument({ key: '', diagnostic }));
  throw new Problem('model_has_faults', 'The draft can not be run.', { extensions: { faults } });
}

/**
 * The draft with the working copies that it can reach. The id contains the workspace, so that no other workspace shares
 * the program. Rejects with `model_has_faults`, `model_too_large`, `overloaded`, and why reading it was stopped.
 */
export async function draftProgram(
  { decisionIndexOf, namesOf, readBundle, models }: DraftReaders,
  request: DraftRequest,
  key = '',
): Promise<BundledProgram> {
  const { document, check } = await readDraft(models, request);
  const { hash, text } = document;
  const names = check.subDecisions;
  const { workspaceId, reservation } = request;
  const namesWithDraft: NamesOf = async (hashes) => {
    const others = await namesOf(hashes.filter((each) => each !== hash));
    return new Map([...others, [hash, names]]);
  };
  const root = newEntry(normalKey(key), { hash, text });
  const { manifest, programId } = await reachOf(root, decisionIndexOf(workspaceId), namesWithDraft);
  const bundle = await readBundle(workspaceId, manifest, { hash, text: Buffer.from(text).toString() });
  if (bundle === undefined) throw new Error(`contents of a draft's sub-decisions are gone`);
  reservation.grow(textBytes(bundle));
  return { programId: `draft:${workspaceId}:${programId}`, bundle };
}
