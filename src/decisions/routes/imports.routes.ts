import { actorOf } from '../../api/actor.js';
import { Problem } from '../../errors.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { createCheck } from '../../api/validate.js';
import type { Scheduler } from '../../admission/scheduler.js';
import { requireScope } from '../../workspaces/access.js';
import type { Caller, FindDiagnostics } from '../writing/checkContents.js';
import { ForceQuery } from './decisions.schema.js';
import { decisionIndexOf } from '../workspaceReader.js';
import { isError, isUnknown, type ModelDiagnostic } from '../diagnostics.js';
import { importDecisions } from '../writing/importDecisions.js';
import {
  ImportOptions,
  ImportReport,
  ImportRequest,
  Validation,
  ValidationOptions,
  ValidationRequest,
} from './imports.schema.js';
import type { Programs } from '../programs/programs.js';
import { writeProblems } from './readModel.js';
import { readBulk, type Bulk } from './readBulk.js';
import { shownDiagnostics } from '../shownFaults.js';
import type { WriteOutcome } from '../writing/planVersions.js';
import type { WriteDependencies } from '../writing/writeDecisions.js';

interface ImportDependencies extends WriteDependencies {
  readonly find: FindDiagnostics;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
  readonly programs: Pick<Programs, 'written'>;
}

/**
 * Checks and imports of many models at once. Worker threads read them, so that a large body does not block the event
 * loop.
 */
export function importRoutes(dependencies: ImportDependencies): LogicRoute[] {
  return [validationRoute(dependencies), importRoute(dependencies)];
}

const checkOptions = createCheck(ImportOptions);
const checkValidation = createCheck(ValidationOptions);

function validationRoute({ database, models, find }: ImportDependencies): LogicRoute {
  return logicRoute({
    method: 'POST',
    path: '/logic/validations',
    operationId: 'validateModels',
    tag: 'Decisions',
    summary: 'Find the faults of models, as if they were in the workspace',
    description: 'Nothing is stored. They may name one another, and decisions of the workspace.',
    scope: 'decision:read',
    body: ValidationRequest,
    largeBody: true,
    replies: { 200: Validation },
    problems: ['overloaded'],
    async handle(request) {
      const bulk = await readBulk(models, request, request.bodyBytes);
      checkValidation(bulk.options);
      const diagnostics = await diagnosticsOf({ database, find }, request, bulk);
      return { status: 200, body: { faults: await shownDiagnostics(diagnostics) } };
    },
  });
}

function importRoute(dependencies: ImportDependencies): LogicRoute {
  const { database, maxModelBytes, models, find, scheduler, programs } = dependencies;
  return logicRoute({
    method: 'POST',
    path: '/logic/imports',
    operationId: 'importModels',
    tag: 'Decisions',
    summary: 'Bring in models, all or none',
    description:
      'A known key updates its working copy, a new one makes a decision. They may name one another in any order. ' +
      'The body may have `MAX_IMPORT_BYTES`.',
    scope: 'decision:write',
    query: ForceQuery,
    body: ImportRequest,
    largeBody: true,
    replies: { 200: ImportReport },
    problems: [...writeProblems, 'precondition_failed'],
    async handle(request) {
      const { workspaceId, bodyBytes, query, scopes, gone, reservation } = request;
      const bulk = await readBulk(models, request, bodyBytes);
      const { save = false, message = null, base, dryRun = false } = checkOptions(bulk.options);
      if (save) requireScope(scopes, 'version:write');
      requireRead(bulk);
      if (bulk.unread.length > 0) throw await refused(await diagnosticsOf({ database, find }, request, bulk));
      const outcome = await importDecisions(database, {
        workspaceId,
        gone,
        reservation,
        maxModelBytes,
        actor: actorOf(request),
        candidates: bulk.candidates,
        save,
        force: query.force === 'true',
        message: message === '' ? null : message,
        base,
        dryRun,
        find,
        models,
        yieldToLive: (piece) => scheduler.yieldToLive(workspaceId, piece),
      });
      programs.written(workspaceId);
      if (outcome.kind === 'refused') throw await refused(outcome.diagnostics);
      return { status: 200, body: await reportOf(outcome, dryRun) };
    },
  });
}

/** What a limit stopped cannot be stored, which is no fault of the model. */
function requireRead({ unread }: Bulk): void {
  const [stopped] = unread.filter(isUnknown);
  if (stopped === undefined || unread.some(isError)) return;
  const code = stopped.diagnostic.code === 'timeout' ? 'engine_timeout' : 'engine_failure';
  throw new Problem(code, `${stopped.key}: ${stopped.diagnostic.message} Nothing was stored.`);
}

async function reportOf(
  { revision, decisions, diagnostics }: Extract<WriteOutcome, { kind: 'done' }>,
  dryRun: boolean,
): Promise<object> {
  const shown = decisions.map(({ id, key, version, change }) => ({
    id: dryRun && change === 'created' ? null : id,
    key,
    version,
    change,
  }));
  return { revision, decisions: shown, faults: await shownDiagnostics(diagnostics) };
}

/** The diagnostics of all models of a body, those that could not be read included. */
async function diagnosticsOf(
  { database, find }: Pick<ImportDependencies, 'database' | 'find'>,
  caller: Caller,
  { candidates, unread }: Bulk,
): Promise<ModelDiagnostic[]> {
  const decisionIndex = decisionIndexOf(database, caller.workspaceId);
  await decisionIndex.read({ keys: candidates.map(({ key }) => key) });
  const entries = candidates.map(({ key, document }) => decisionIndex.entryWith(key, document));
  const found = await find(caller, candidates, decisionIndex.with(entries));
  return [...unread, ...found.flatMap(({ diagnostics }) => diagnostics)];
}

async function refused(diagnostics: readonly ModelDiagnostic[]): Promise<Problem> {
  const errors = diagnostics.filter(isError).length;
  const detail = `The models have ${errors} ${errors === 1 ? 'error' : 'errors'}. Nothing was stored.`;
  return new Problem('model_has_faults', detail, {
    extensions: { faults: await shownDiagnostics(diagnostics) },
  });
}
