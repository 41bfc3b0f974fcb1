import type { Knex } from 'knex';
import { actorOf } from '../audit/actor.js';
import { IdParams } from '../http/routes/fields.js';
import { logicRoute, type LogicRoute, type Reply } from '../http/routes/logicRoute.js';
import { findPageFaults, idCursor, paged, pageOf, pageText, readPageRequest } from '../http/routes/paginate.js';
import { entityTag, isCurrent } from '../http/routes/preconditions.js';
import type { Pool } from '../pool/pool.js';
import type { Page } from '../storage/pages.js';
import { pageOfDifferences, type StoredDifference } from './differences.store.js';
import { requireMeasures } from './measures.js';
import { CreateReplay, Replay, ReplayDifference, ReplayDifferencesQuery, ReplaysQuery } from './replays.schema.js';
import { createReplay, endReplay, requireReplay } from './replays.service.js';
import { pageOfReplays, type StoredReplay } from './replays.store.js';
import { settingsOf } from './request.js';
import type { ReplayRunner } from './runner.js';

interface Dependencies {
  readonly database: Knex;
  readonly pool: Pick<Pool, 'work'>;
  readonly runner: Pick<ReplayRunner, 'wake'>;
}

const path = '/logic/replays';
const onePath = '/logic/replays/{id}';
const lines = 'application/x-ndjson';

/** The five operations on replays. */
export function replayRoutes(parts: Dependencies): LogicRoute[] {
  return [startRoute(parts), ...readingRoutes(parts), differencesRoute(parts), endRoute(parts)];
}

function startRoute({ database, pool, runner }: Dependencies): LogicRoute {
  return logicRoute({
    method: 'POST',
    path,
    operationId: 'createReplay',
    tag: 'Replays',
    summary: 'Run recorded executions on another version, and compare the results',
    scope: 'replay:write',
    body: CreateReplay,
    replies: { 202: Replay },
    replyHeaders: ['ETag', 'Location'],
    problems: ['reference_not_found', 'too_many_requests', 'engine_failure', 'engine_timeout'],
    async handle(request) {
      const { workspaceId, body } = request;
      await requireMeasures(pool, workspaceId, settingsOf(body));
      const stored = await createReplay({ database, actor: actorOf(request) }, workspaceId, body);
      runner.wake();
      const headers = { ETag: entityTag(stored.revision), Location: `${path}/${stored.id}` };
      return { status: 202, body: replayText(stored), headers };
    },
  });
}

function readingRoutes({ database }: Dependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'GET',
      path,
      operationId: 'listReplays',
      tag: 'Replays',
      summary: 'List replays',
      scope: 'replay:read',
      ...paged,
      query: ReplaysQuery,
      replies: { 200: pageOf(Replay) },
      problems: [],
      async handle({ workspaceId, query }) {
        const found = await pageOfReplays(database, workspaceId, readPageRequest(query));
        return { status: 200, body: pageText(found, replayText) };
      },
    }),
    logicRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getReplay',
      tag: 'Replays',
      summary: 'Get a replay with its report, which grows while it runs',
      scope: 'replay:read',
      params: IdParams,
      requestHeaders: ['If-None-Match'],
      replies: { 200: Replay, 304: null },
      replyHeaders: ['ETag'],
      problems: ['replay_not_found'],
      async handle({ workspaceId, params: { id }, header }) {
        const stored = await requireReplay(database, { workspaceId, id });
        const headers = { ETag: entityTag(stored.revision) };
        if (isCurrent(header('If-None-Match'), stored.revision)) return { status: 304, headers };
        return { status: 200, body: replayText(stored), headers };
      },
    }),
  ];
}

function differencesRoute({ database }: Dependencies): LogicRoute {
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
    findQueryFaults: findPageFaults(idCursor),
    requestHeaders: ['Accept'],
    replies: { 200: pageOf(ReplayDifference, false) },
    replyHeaders: ['Link'],
    lines: { reply: ReplayDifference },
    problems: ['replay_not_found', 'overloaded'],
    async handle({ workspaceId, params: { id }, query, header }) {
      await requireReplay(database, { workspaceId, id });
      const found = await pageOfDifferences(database, { workspaceId, id }, query.pointer, readPageRequest(query));
      if (header('Accept')?.includes(lines) !== true) return { status: 200, body: pageText(found, differenceText) };
      return linesOf(found, `${path}/${id}/differences`, query);
    },
  });
}

function endRoute({ database }: Dependencies): LogicRoute {
  return logicRoute({
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteReplay',
    tag: 'Replays',
    summary: 'Cancel a replay that runs, or remove one that has ended',
    scope: 'replay:delete',
    params: IdParams,
    requestHeaders: ['If-Match'],
    replies: { 204: null },
    problems: ['precondition_failed'],
    async handle(request) {
      const place = { workspaceId: request.workspaceId, id: request.params.id };
      await endReplay({ database, actor: actorOf(request) }, place, request.header('If-Match'));
      return { status: 204 };
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

function linesOf(
  { data, page }: Page<StoredDifference>,
  at: string,
  query: { readonly pointer?: string; readonly size?: string },
): Reply {
  const next = new URLSearchParams({ ...query, after: page.after ?? '' });
  const link = page.after === null ? {} : { Link: `<${at}?${next.toString()}>; rel="next"` };
  const body = data.map((item) => `${differenceText(item)}\n`).join('');
  return { status: 200, body, headers: { 'Content-Type': lines, ...link } };
}
