import type { ModelWork, NarrateAnswer } from '../../workers/models/index.js';
import { languagesOf, pageType } from '../api/printed.js';
import type { Received } from '../api/operation.js';
import { findDecision } from '../decisions/decisions.store.js';
import { requireFinished } from '../decisions/programs/requireFinished.js';
import { environments } from '../environments/environments.store.js';
import { textBytes } from '../admission/byteBudget.js';
import { notInWorkspace } from '../errors.js';
import type { Connection } from '../storage/database.js';
import { IdParams } from '../api/fields.js';
import { conditionalGet } from '../resource/answers.js';
import { listOf } from '../resource/lists.js';
import { parseTimestamp } from '../formats.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { entityTag, isCurrent } from '../api/preconditions.js';
import { named, namesIn, namesOf } from '../workspaces/names.store.js';
import { explain, type ExplanationDependencies } from './explain.js';
import {
  ExecutionExplanation,
  ExecutionSummary,
  ExplanationQuery,
  HistoryQuery,
  RecordedExecution,
} from './history.schema.js';
import { findWholeExecution, pageOfExecutions, type HistoryFilter, type WholeExecution } from './history.store.js';
import { explanationPage, type ExplainedExecution } from './explanationPage.js';
import type { Explanation } from './explanation.js';
import { explanationText, recordText, summaryText, withMark } from './responseBody.js';

type HistoryDependencies = ExplanationDependencies & {
  /** Threads that tell how a run came about. */
  readonly models: ModelWork;
};

/** What is said of a record beside what it holds. */
type Mark = 'erased' | 'altered' | undefined;

/** A record changes where it is erased, or altered. */
const tagOf = (mark: Mark): string => entityTag(mark === undefined ? 1 : mark === 'erased' ? 2 : 3);

const list = listOf(ExecutionSummary, { counted: false });

/** What was executed, as it was recorded. */
export function historyRoutes(dependencies: HistoryDependencies): LogicRoute[] {
  const { database, sizes, erasedAmong, isAltered } = dependencies;
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/executions',
      operationId: 'listExecutions',
      tag: 'History',
      summary: 'List recorded executions, without fact, result and trace',
      description: 'Filters can be combined. The total is not counted.',
      scope: 'executions:read',
      query: HistoryQuery,
      ...list.declared,
      problems: ['overloaded'],
      handle(request) {
        const { workspaceId, query } = request;
        const filter = filterOf(query);
        return list.answer(
          request,
          async (wanted) => {
            const { data, page } = await pageOfExecutions(database, workspaceId, filter, wanted);
            const ids = data.map(({ id }) => id);
            const erased = await erasedAmong(workspaceId, ids);
            return {
              data: data.map((one) => ({ one, mark: erased.has(one.id) ? 'erased' : undefined }) as const),
              page,
            };
          },
          ({ one, mark }) => withMark(summaryText(one), mark),
          namesIn(database, workspaceId),
        );
      },
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/executions/{id}',
      operationId: 'getExecution',
      tag: 'History',
      summary: 'Get all that is recorded of an execution',
      scope: 'execution:read',
      params: IdParams,
      ...conditionalGet(RecordedExecution),
      problems: ['execution_not_found', 'overloaded'],
      async handle({ workspaceId, params: { id }, header, reservation }) {
        const found = await requireExecution(database, workspaceId, id);
        const isErased = (await erasedAmong(workspaceId, [id])).size > 0;
        const mark = isErased ? 'erased' : (await isAltered(found, reservation)) ? 'altered' : undefined;
        const headers = { ETag: tagOf(mark) };
        if (isCurrent(header('If-None-Match'), headers.ETag)) return { status: 304, headers };
        return { status: 200, body: withMark(recordText(found), mark), headers };
      },
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/executions/{id}/explanation',
      operationId: 'explainExecution',
      tag: 'History',
      summary: 'Run a recorded execution again, with a trace, and compare',
      description:
        'By the program, variables, clock and random numbers that it saw. No other host is called. With `Accept: text/html` ' +
        'a page to print and hand over, which says in sentences how the result came about.',
      scope: 'execution:read',
      params: IdParams,
      query: ExplanationQuery,
      requestHeaders: ['Accept-Language'],
      replies: { 200: ExecutionExplanation },
      replyHeaders: ['Cache-Control'],
      pageReply: true,
      problems: ['execution_not_found', 'model_too_large', 'engine_failure', 'engine_timeout', 'overloaded'],
      async handle(request) {
        const { workspaceId, params, query, reservation } = request;
        reservation.grow(sizes.of(workspaceId));
        const record = await requireExecution(database, workspaceId, params.id);
        const explanation = await explain(dependencies, request, record);
        const isPage = request.wants(pageType);
        const explained = { record, explanation };
        const told = isPage || query.steps === 'true' ? await narrated(dependencies, request, explained) : undefined;
        if (!isPage || told === undefined) return { status: 200, body: explanationText(record.id, explanation, told) };
        const values = await shownValues(dependencies, request, explained);
        return explanationPage({ ...explained, ...told, ...values, ...(await recordNames(database, record)) });
      },
    }),
  ];
}

interface Explained {
  readonly record: WholeExecution;
  readonly explanation: Explanation;
}

/** What a page shows of result and fact, which threads read. */
async function shownValues(
  { models }: Pick<HistoryDependencies, 'models'>,
  { reservation }: Pick<Received<unknown, unknown, unknown>, 'reservation'>,
  { record, explanation: { result, reasons } }: Explained,
): Promise<Pick<ExplainedExecution, 'result' | 'fact'>> {
  // A failed run's result says what went wrong.
  const given = result ?? (reasons.includes('erased') || reasons.includes('altered') ? null : record.result);
  const texts = [given, record.fact].filter((text) => text !== null);
  reservation.grow(texts.reduce((sum, text) => sum + textBytes(text), 0));
  const { fields } = requireFinished(await models.work(record.workspaceId, { kind: 'fields', texts }));
  const shown = [...fields];
  return {
    result: given === null ? undefined : shown.shift(),
    fact: record.fact === null ? undefined : shown.shift(),
  };
}

/** The names, for a page, of what a record names by ids. */
async function recordNames(
  database: Connection,
  { workspaceId, decisionId, environmentId, principal }: WholeExecution,
): Promise<Pick<ExplainedExecution, 'decision' | 'environment' | 'who'>> {
  return {
    decision: (await findDecision(database, workspaceId, decisionId))?.key ?? decisionId,
    environment: (await environments.find(database, { workspaceId, id: environmentId }))?.name ?? environmentId,
    who: named(await namesOf(database, workspaceId, [principal]), principal),
  };
}

/** How a run came about, which threads find out. */
async function narrated(
  { programs, models }: HistoryDependencies,
  { reservation, header }: Pick<Received<unknown, unknown, unknown>, 'reservation' | 'header'>,
  { record, explanation }: Explained,
): Promise<NarrateAnswer> {
  const { workspaceId, decisionId, version, context } = record;
  const { trace } = explanation;
  const program = { programId: context.programId, decisionId, version };
  const bundle = trace === null ? undefined : await programs.recorded(workspaceId, program);
  if (trace === null || bundle === undefined) return { steps: [], left: 0 };
  reservation.grow(textBytes(bundle) + 2 * textBytes(trace));
  const languages = languagesOf(header('Accept-Language'));
  return requireFinished(await models.work(workspaceId, { kind: 'narrate', bundle, trace, languages }));
}

/** Throws `execution_not_found`. */
async function requireExecution(database: Connection, workspaceId: string, id: string): Promise<WholeExecution> {
  const found = await findWholeExecution(database, workspaceId, id);
  if (found !== undefined) return found;
  throw notInWorkspace('execution', id);
}

function filterOf(query: HistoryQuery): HistoryFilter {
  const { environmentId, decisionId, deploymentId, version, status, reference, requestId, from, to } = query;
  return {
    environmentId,
    decisionId,
    deploymentId,
    version: version === undefined ? undefined : Number(version),
    status,
    reference,
    requestId,
    from: from === undefined ? undefined : parseTimestamp(from),
    to: to === undefined ? undefined : parseTimestamp(to),
  };
}
