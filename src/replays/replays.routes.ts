import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { findPageViolations, idCursor, pageOf, readPageRequest } from '../api/paginate.js';
import { entityTag } from '../api/preconditions.js';
import type { Violation } from '../errors.js';
import { isEmptySpan } from '../formats.js';
import type { Pool } from '../admission/pool/pool.js';
import type { PollLoop } from '../clock/pollLoop.js';
import { byId, ofWorkspace, refOf } from '../resource/kinds.js';
import type { Page } from '../storage/pages.js';
import { pageOfDifferences, readDifferences, type StoredDifference } from './differences.store.js';
import { findNameViolations, requireMeasures } from './requireMeasures.js';
import { CreateReplay, Replay, ReplayDifference, ReplayDifferencesQuery, ReplaysQuery } from './replays.schema.js';
import { createReplay, endReplay } from './replays.service.js';
import { replays, type StoredReplay } from './replays.store.js';
import { settingsOf } from './replayPlan.js';
import { namesIn } from '../workspaces/names.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly pool: Pick<Pool, 'work'>;
  /** Has a new replay begin at once. */
  readonly jobs: Pick<PollLoop, 'wake'>;
}

const path = '/logic/replays';
const lines = 'application/x-ndjson';

const replay = ofWorkspace({
  ...byId(path),
  name: 'Replay',
  tag: 'Replays',
  schema: Replay,
  show: replayText,
  tagOf: ({ revision }: StoredReplay) => entityTag(revision),
  absent: 'replay_not_found',
});

/** The five operations on replays. */
export const replayRoutes = ({ database, pool, jobs }: Dependencies): LogicRoute[] => [
  replay.create(
    {
      summary: 'Run recorded executions on another version, and compare the results',
      scope: 'replay:write',
      body: CreateReplay,
      findBodyViolations: (body) => [...findTimeViolations(body), ...findNameViolations(body)],
      status: 202,
      located: ({ id }) => id,
      problems: ['reference_not_found', 'too_many_requests', 'engine_failure', 'engine_timeout'],
    },
    async (request) => {
      const { workspaceId, body } = request;
      await requireMeasures(pool, workspaceId, settingsOf(body));
      const stored = await createReplay({ database, actor: actorOf(request) }, workspaceId, body);
      jobs.wake();
      return stored;
    },
  ),
  replay.list(
    {
      summary: 'List replays',
      scope: 'replay:read',
      query: ReplaysQuery,
      namesOf: ({ workspaceId }) => namesIn(database, workspaceId),
    },
    ({ workspaceId }, page) => replays.list(database, workspaceId, page),
  ),
  replay.get({ summary: 'Get a replay with its report, which grows while it runs', scope: 'replay:read' }, (ref) =>
    replays.require(database, ref),
  ),
  differencesRoute(database),
  replay.remove(
    { summary: 'Cancel a replay that runs, or remove one that has ended', scope: 'replay:delete' },
    (writing) => endReplay(database, writing),
  ),
];

const findTimeViolations = (body: Readonly<Record<string, unknown>>): readonly Violation[] =>
  isEmptySpan(body) ? [{ in: 'body', pointer: '/from', message: 'must be before `to`' }] : [];

function differencesRoute(database: Knex): LogicRoute {
  return logicRoute({
    method: 'GET',
    path: '/logic/replays/{id}/differences',
    operationId: 'listReplayDifferences',
    tag: 'Replays',
    summary: 'List the executions that came out otherwise, the newest first',
    description: `With \`Accept: ${lines}\` one line each, and the address of the next page in the header \`Link\`.`,
    scope: 'replay:read',
    params: IdParams,
    query: ReplayDifferencesQuery,
    findQueryViolations: findPageViolations(idCursor),
    replies: { 200: pageOf(ReplayDifference, false) },
    replyHeaders: ['Link'],
    lines: { reply: ReplayDifference },
    problems: ['replay_not_found', 'overloaded'],
    async handle(request) {
      const ref = refOf(request);
      await replays.require(database, ref);
      const found = await pageOfDifferences(database, ref, request.query.pointer, readPageRequest(request.query));
      const chunks = readDifferences(database, ref, found.data);
      if (!request.wants(lines)) {
        return { status: 200, contentType: 'application/json; charset=utf-8', texts: pageTexts(found.page, chunks) };
      }
      const headers = linkOf(found.page.after, `${path}/${ref.id}/differences`, request.query);
      return { status: 200, contentType: lines, headers, texts: lineTexts(chunks) };
    },
  });
}

/** The report is JSON already. */
function replayText({ report, request, revision: _, error, createdAt, updatedAt, ...head }: StoredReplay): string {
  const tail = JSON.stringify({ ...(error === null ? {} : { error }), createdAt, updatedAt });
  return `${JSON.stringify(head).slice(0, -1)},"report":${report},"request":${request},${tail.slice(1)}`;
}

const differenceText = ({ executionId, reference, changes }: StoredDifference): string =>
  `${JSON.stringify({ executionId, reference }).slice(0, -1)},"changes":${changes}}`;

type Chunks = AsyncIterable<readonly StoredDifference[]>;

async function* pageTexts(page: Page<unknown>['page'], chunks: Chunks): AsyncGenerator<string, void> {
  let before = '{"data":[';
  for await (const some of chunks) {
    if (some.length === 0) continue;
    yield before + some.map(differenceText).join();
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"page":${JSON.stringify(page)}}`;
}

async function* lineTexts(chunks: Chunks): AsyncGenerator<string, void> {
  for await (const some of chunks) yield some.map((item) => `${differenceText(item)}\n`).join('');
}

/** The address of the next page. */
function linkOf(
  after: string | null,
  at: string,
  query: { readonly pointer?: string; readonly size?: string },
): Readonly<Record<string, string>> {
  if (after === null) return {};
  return { Link: `<${at}?${new URLSearchParams({ ...query, after }).toString()}>; rel="next"` };
}
