import type { AnalyseTask } from '../../workers/models/index.js';
import { shownDiagnostics } from '../decisions/shownFaults.js';
import { readBundledProgram, type BundledProgram } from '../decisions/programs/bundledProgram.js';
import type { Programs } from '../decisions/programs/programs.js';
import { Problem } from '../errors.js';
import { textBytes } from '../admission/byteBudget.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRequest, type LogicRoute } from '../api/logicRoute.js';
import type { FindBodyViolations } from '../api/operation.js';
import { findKeyViolations } from '../decisions/keys.js';
import { broken } from '../http/body/violations.js';
import { draftProgram, type DraftReaders } from '../runs/draftProgram.js';
import type { Analyse } from './analyse.js';
import { Analysis, AnalysisRequest, Suggestions, SuggestionsRequest } from './analyses.schema.js';

interface AnalysisDependencies extends DraftReaders {
  readonly analyse: Analyse;
  readonly programs: Programs;
}

type Request = Pick<LogicRequest<unknown, unknown, unknown>, 'workspaceId' | 'bodyText' | 'reservation' | 'gone'>;

const limitProblems = [
  'model_has_faults',
  'model_too_large',
  'engine_failure',
  'engine_timeout',
  'overloaded',
] as const;

/** What can be proved of a model, and tests that reach all of it. */
export function analysisRoutes(dependencies: AnalysisDependencies): LogicRoute[] {
  return [analysisRoute(dependencies), suggestionRoute(dependencies)];
}

function analysisRoute(dependencies: AnalysisDependencies): LogicRoute {
  const { analyse, programs } = dependencies;
  return logicRoute({
    method: 'POST',
    path: '/logic/analyses',
    operationId: 'analyseModel',
    tag: 'Decisions',
    summary: 'Prove gaps, dead rows, changes and properties of a version or of a draft',
    description:
      'Of a version (`decisionId` and `version`), or of a draft (`content`, and `key`), which is stored nowhere. What is not ' +
      'decided within its limits is `unknown`. See [Proofs](/docs/proofs).',
    scope: 'decision:read',
    body: AnalysisRequest,
    findBodyViolations: findSubjectViolations,
    openBody: true,
    modelBody: true,
    replies: { 200: Analysis },
    problems: ['decision_not_found', 'version_not_found', ...limitProblems],
    async handle(request) {
      const { body } = request;
      const version = storedVersion(body);
      if (version === undefined) {
        const program = await draftProgram(dependencies, request, body.key);
        return answer(await work(analyse, request, { ...program, against: null, suggest: false }), null);
      }
      const program = await readBundledProgram(programs, request, version);
      const { id } = version;
      const against =
        body.against === undefined ? null : await readBundledProgram(programs, request, { id, ...body.against });
      return answer(await work(analyse, request, { ...program, against, suggest: false }), version);
    },
  });
}

interface StoredVersion {
  readonly id: string;
  readonly version: number;
}

/** Undefined for a draft. */
const storedVersion = ({ decisionId, version }: AnalysisRequest): StoredVersion | undefined =>
  decisionId === undefined || version === undefined ? undefined : { id: decisionId, version };

/** A body is of a version or of a draft, and not of both. */
const findSubjectViolations: FindBodyViolations = (body, text) => {
  const { decisionId, version, against, content, key } = body;
  const isDraft = content !== undefined;
  const isStored = decisionId !== undefined && version !== undefined;
  const others = isDraft ? [decisionId, version, against] : [key];
  const isOne = isDraft !== isStored && others.every((each) => each === undefined);
  const message =
    'must have either `decisionId` and `version`, with or without `against`, or `content`, with or without `key`';
  return [...(isOne ? [] : [{ in: 'body', pointer: '', message } as const]), ...findKeyViolations(body, text)];
};

function suggestionRoute({ analyse, programs }: AnalysisDependencies): LogicRoute {
  return logicRoute({
    method: 'POST',
    path: '/logic/decisions/{id}/tests/suggestions',
    operationId: 'suggestTests',
    tag: 'Decisions',
    summary: 'Suggest few tests that reach every row, statement and branch that can be reached',
    scope: 'evaluation:write',
    params: IdParams,
    body: SuggestionsRequest,
    replies: { 200: Suggestions },
    problems: ['decision_not_found', 'version_not_found', ...limitProblems],
    async handle(request) {
      const { params, body } = request;
      const program = await readBundledProgram(programs, request, { ...params, ...body });
      return { status: 200, body: await work(analyse, request, { ...program, against: null, suggest: true }) };
    },
  });
}

const answer = (report: string, of: StoredVersion | null) => ({
  status: 200,
  body: `{"decisionId":${JSON.stringify(of?.id ?? null)},"version":${of?.version ?? null},${report.slice(1)}`,
});

/** The report as JSON. */
async function work(
  analyse: Analyse,
  { workspaceId, bodyText, gone, reservation }: Request,
  task: BundledProgram & Pick<AnalyseTask, 'against' | 'suggest'>,
): Promise<string> {
  const { report, propertyFaults, diagnostics } = await analyse({ workspaceId, request: bodyText, ...task }, gone);
  if (propertyFaults.length > 0) {
    throw broken(
      propertyFaults.map(({ pointer, message }) => ({ in: 'body', pointer: `/properties${pointer}`, message })),
    );
  }
  if (report === null) {
    const faults = await shownDiagnostics(diagnostics.map((diagnostic) => ({ key: '', diagnostic })));
    const extensions = { faults };
    throw new Problem('model_has_faults', 'The model cannot be analysed.', { extensions });
  }
  reservation.grow(textBytes(report));
  return report;
}
