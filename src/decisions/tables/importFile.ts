import { locate, type ImportedSheet, type SheetPart } from '../../../workers/models/index.js';
import type { Diagnostic } from '../../../workers/engine/index.js';
import { actorOf } from '../../api/actor.js';
import type { LogicRequest } from '../../api/logicRoute.js';
import type { Reply } from '../../http/server/response.js';
import { entityTag, requireMatch } from '../../api/preconditions.js';
import { Problem } from '../../errors.js';
import { textBytes } from '../../admission/byteBudget.js';
import { decisionIndexOf } from '../workspaceReader.js';
import { withContent, type DecisionEntry } from '../decisionIndex.js';
import { requireDecision } from '../decisions.store.js';
import { isError, type ModelDiagnostic } from '../diagnostics.js';
import type { Programs } from '../programs/programs.js';
import type { ReadSchemas } from '../programs/schemas.js';
import { requireReadInTime } from '../programs/requireFinished.js';
import { decisionDocument } from '../routes/representation.js';
import { shownDiagnostics } from '../shownFaults.js';
import { updateDecision, type Editing } from '../writing/oneDecision.js';
import { contentText } from '../readVersion.js';
import { noTable } from './exportFile.js';
import { placeOf, requireFile, requireRead, type PlaceQuery } from './readFile.js';

export interface ImportFileDependencies extends Editing {
  readonly schemasOf: ReadSchemas;
  readonly programs: Pick<Programs, 'written'>;
}

type Request = LogicRequest<{ readonly id: string }, PlaceQuery & { readonly dryRun?: 'true' | 'false' }, unknown>;

/** Rounds in which others' writes are awaited by reading anew. */
const maxRounds = 3;

/**
 * Brings a file into a decision's working copy, or tells what it would change.
 * @throws Problem `node_not_found`, `precondition_failed`, `model_has_faults`, and for a file that can't be read
 */
export async function importFile(
  dependencies: ImportFileDependencies,
  request: Request,
  part: SheetPart,
): Promise<Reply> {
  for (let round = 1; ; round++) {
    const reply = await attempt(dependencies, request, part);
    if (reply !== undefined) return reply;
    if (round === maxRounds) {
      throw new Problem('overloaded', 'Others keep writing this decision; try again shortly.', { retryAfter: 1 });
    }
  }
}

/** Undefined where others have written the decision meanwhile. */
async function attempt(
  dependencies: ImportFileDependencies,
  request: Request,
  part: SheetPart,
): Promise<Reply | undefined> {
  const { database, models, programs, schemasOf } = dependencies;
  const { workspaceId, params, query, header, reservation, file } = request;
  const decision = await requireDecision(database, workspaceId, params.id);
  requireMatch(header('If-Match'), entityTag(decision.revision));
  const text = await contentText(database, decision.contentHash, reservation);
  const of = { workspaceId, id: decision.id, version: 0 };
  const found = part.kind === 'tests' ? { ...part, schemas: await schemasOf(of, reservation) } : part;
  const answer = requireReadInTime(
    await models.work(workspaceId, {
      kind: 'importSheet',
      text,
      part: found,
      ...placeOf(query),
      ...requireFile(file),
    }),
  );
  const { refusal, imported } = answer;
  if (imported !== null) reservation.grow(imported.document.text.length + textBytes(imported.differences));
  requireRead(refusal);
  if (imported === null) throw noTable(part);
  requireMerged(imported);
  const diagnostics = await diagnosticsOf(dependencies, request, decision, imported);
  const isDry = query.dryRun === 'true';
  if (!isDry && diagnostics.some(isError)) {
    throw new Problem('model_has_faults', 'The file, or the model with it, has errors. Nothing was stored.', {
      extensions: { faults: await shownDiagnostics(diagnostics) },
    });
  }
  const stored = isDry ? decision : await store(dependencies, request, decision, imported);
  if (stored === undefined) return undefined;
  if (!isDry) programs.written(workspaceId);
  const shown = JSON.stringify(await shownDiagnostics(diagnostics));
  const differences = `{"from":0,"to":0,${imported.differences.slice(1)}`;
  const { text: next } = imported.document;
  const content = isDry ? `,"content":${Buffer.from(next.buffer, next.byteOffset, next.length).toString()}` : '';
  reservation.grow(textBytes(content));
  const decisionText = JSON.stringify(decisionDocument(workspaceId, stored));
  const body = `{"decision":${decisionText},"differences":${differences},"faults":${shown}${content}}`;
  return { status: 200, body, headers: { ETag: entityTag(stored.revision) } };
}

function requireMerged({ conflicts }: ImportedSheet): void {
  if (conflicts.length === 0) return;
  throw new Problem(
    'precondition_failed',
    'The table was changed since the file was made, in the same places. Nothing was stored.',
    {
      errors: conflicts.slice(0, 100).map((message) => ({ in: 'body', pointer: cellOf(message), message })),
    },
  );
}

/** The cell that a message begins with. */
const cellOf = (message: string): string => /^[^:]*![A-Z]+\d+/.exec(message)?.[0] ?? '';

/** The diagnostics of the file, and those that the model would have with its new table. */
async function diagnosticsOf(
  { database, find }: ImportFileDependencies,
  request: Request,
  decision: DecisionEntry,
  { document, diagnostics, locations, pointer }: ImportedSheet,
): Promise<ModelDiagnostic[]> {
  const { key } = decision;
  const decisionIndex = decisionIndexOf(database, request.workspaceId);
  const next = decisionIndex.with([withContent(decision, document)]);
  const [found] = await find(request, [{ key, document }], next);
  const located = (diagnostic: Diagnostic): Diagnostic => locate(diagnostic, locations, pointer);
  return [
    ...diagnostics.map((diagnostic) => ({ key, diagnostic })),
    ...(found?.diagnostics ?? []).map((one) => ({ ...one, diagnostic: located(one.diagnostic) })),
  ];
}

async function store(
  dependencies: ImportFileDependencies,
  request: Request,
  { id, revision }: DecisionEntry,
  { document }: ImportedSheet,
): Promise<DecisionEntry | undefined> {
  const change = {
    id,
    key: undefined,
    model: { document },
    force: false,
    keepsNames: false,
    ifMatch: entityTag(revision),
  };
  return updateDecision(dependencies, { ...request, actor: actorOf(request) }, change).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'precondition_failed') return undefined;
    throw error;
  });
}
