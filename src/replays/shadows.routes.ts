import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import type { LogicRoute } from '../api/logicRoute.js';
import { entityTag } from '../api/preconditions.js';
import type { Pool } from '../admission/pool/pool.js';
import { byId, ofWorkspace } from '../resource/kinds.js';
import { findNameViolations, requireMeasures } from './requireMeasures.js';
import { settingsOf } from './replayPlan.js';
import { CreateShadow, Shadow } from './shadows.schema.js';
import { createShadow, endShadow, findExpiryViolations } from './shadows.service.js';
import { shadows as rows, statusOf, type StoredShadow } from './shadows.store.js';
import type { Shadows } from './shadows.js';
import { namesIn } from '../workspaces/names.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly pool: Pick<Pool, 'work'>;
  readonly shadows: Pick<Shadows, 'refresh'>;
}

const shadow = ofWorkspace({
  ...byId('/logic/shadows'),
  name: 'Shadow',
  tag: 'Replays',
  schema: Shadow,
  show: shadowText,
  // Its end by time is no write, and has a tag of its own all the same.
  tagOf: (stored: StoredShadow) =>
    statusOf(stored) === 'COMPLETED' ? `"${stored.revision}-completed"` : entityTag(stored.revision),
  absent: 'shadow_not_found',
});

/** The four operations on shadows. */
export const shadowRoutes = ({ database, pool, shadows }: Dependencies): LogicRoute[] => [
  shadow.create(
    {
      summary: 'Also run live executions on another version, after they were answered',
      scope: 'shadow:write',
      body: CreateShadow,
      findBodyViolations: (body) => [...findExpiryViolations(body), ...findNameViolations(body)],
      located: ({ id }) => id,
      problems: ['reference_not_found', 'too_many_requests', 'engine_failure', 'engine_timeout'],
    },
    async (request) => {
      const { workspaceId, body } = request;
      await requireMeasures(pool, workspaceId, settingsOf(body));
      const writer = { database, actor: actorOf(request) };
      const stored = await createShadow(writer, workspaceId, body);
      await shadows.refresh();
      return stored;
    },
  ),
  shadow.list(
    { summary: 'List shadows', scope: 'shadow:read', namesOf: ({ workspaceId }) => namesIn(database, workspaceId) },
    ({ workspaceId }, page) => rows.list(database, workspaceId, page),
  ),
  shadow.get({ summary: 'Get a shadow with its report', scope: 'shadow:read' }, (ref) => rows.require(database, ref)),
  shadow.remove(
    { summary: 'End a shadow that runs, or remove one that has ended', scope: 'shadow:delete' },
    async (writing) => {
      await endShadow(database, writing);
      await shadows.refresh();
    },
  ),
];

/** Request and report are JSON already. */
function shadowText(shadow: StoredShadow): string {
  const { id, request, report, createdAt, updatedAt } = shadow;
  const head = JSON.stringify({ id, status: statusOf(shadow) });
  const tail = JSON.stringify({ createdAt, updatedAt });
  return `${head.slice(0, -1)},${request.slice(1, -1)},"report":${report},${tail.slice(1)}`;
}
