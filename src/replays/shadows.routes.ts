import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { pageText } from '../api/paginate.js';
import { entityTag, isCurrent } from '../api/preconditions.js';
import { conditionalGet, deleteRoute, listRoute } from '../api/resource.js';
import type { Pool } from '../pool/pool.js';
import { requireMeasures } from './measures.js';
import { settingsOf } from './request.js';
import { CreateShadow, Shadow } from './shadows.schema.js';
import { createShadow, expiryOf, runningShadows, statusOf } from './shadows.service.js';
import { pageOfShadows, type StoredShadow } from './shadows.store.js';
import type { Shadows } from './shadows.js';

interface Dependencies {
  readonly database: Knex;
  readonly pool: Pick<Pool, 'work'>;
  readonly shadows: Pick<Shadows, 'refresh'>;
}

const path = '/logic/shadows';
const onePath = '/logic/shadows/{id}';

/** The four operations on shadows. */
export function shadowRoutes(parts: Dependencies): LogicRoute[] {
  return [startRoute(parts), ...readingRoutes(parts), endRoute(parts)];
}

function startRoute({ database, pool, shadows }: Dependencies): LogicRoute {
  return logicRoute({
    method: 'POST',
    path,
    operationId: 'createShadow',
    tag: 'Replays',
    summary: 'Also run live executions on another version, after they were answered',
    scope: 'shadow:write',
    body: CreateShadow,
    replies: { 201: Shadow },
    replyHeaders: ['ETag', 'Location'],
    problems: ['reference_not_found', 'too_many_requests', 'engine_failure', 'engine_timeout'],
    async handle(request) {
      const { workspaceId, body } = request;
      const expiresAt = expiryOf(body);
      await requireMeasures(pool, workspaceId, settingsOf(body));
      const writer = { database, actor: actorOf(request) };
      const stored = await createShadow(writer, workspaceId, { request: body, expiresAt });
      await shadows.refresh();
      const headers = { ETag: entityTag(stored.revision), Location: `${path}/${stored.id}` };
      return { status: 201, body: shadowText(stored), headers };
    },
  });
}

function readingRoutes({ database }: Dependencies): LogicRoute[] {
  return [
    listRoute(
      { path, operationId: 'listShadows', tag: 'Replays', summary: 'List shadows', scope: 'shadow:read' },
      Shadow,
      async (workspaceId, request) => pageText(await pageOfShadows(database, workspaceId, request), shadowText),
    ),
    logicRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getShadow',
      tag: 'Replays',
      summary: 'Get a shadow with its report',
      scope: 'shadow:read',
      params: IdParams,
      ...conditionalGet(Shadow),
      problems: ['shadow_not_found'],
      async handle({ workspaceId, params: { id }, header }) {
        const stored = await runningShadows.require(database, { workspaceId, id });
        const headers = { ETag: entityTag(stored.revision) };
        // Its end by time is no write.
        const isSame = isCurrent(header('If-None-Match'), stored.revision) && statusOf(stored) !== 'COMPLETED';
        return isSame ? { status: 304, headers } : { status: 200, body: shadowText(stored), headers };
      },
    }),
  ];
}

const endRoute = ({ database, shadows }: Dependencies): LogicRoute =>
  deleteRoute(
    {
      path: onePath,
      operationId: 'deleteShadow',
      tag: 'Replays',
      summary: 'End a shadow that runs, or remove one that has ended',
      scope: 'shadow:delete',
    },
    [],
    async (deletion) => {
      await runningShadows.end(database, deletion);
      await shadows.refresh();
    },
  );

/** Request and report are JSON already. */
function shadowText(shadow: StoredShadow): string {
  const { id, request, report, createdAt, updatedAt } = shadow;
  const head = JSON.stringify({ id, status: statusOf(shadow) });
  const tail = JSON.stringify({ createdAt, updatedAt });
  return `${head.slice(0, -1)},${request.slice(1, -1)},"report":${report},${tail.slice(1)}`;
}
