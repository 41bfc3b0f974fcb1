import type { Knex } from 'knex';
import { actorOf } from '../../api/actor.js';
import type { LogicRoute } from '../../api/logicRoute.js';
import type { Writer } from '../../audit/audit.store.js';
import { requireReferences } from '../../deployments/references.js';
import { Problem, type Violation } from '../../errors.js';
import { broken } from '../../http/body/violations.js';
import { queueJobs } from '../../jobs/jobs.store.js';
import { byContent } from '../../resource/answers.js';
import { byId, ofWorkspace } from '../../resource/kinds.js';
import { countHeld } from '../../resource/write.js';
import { newId } from '../../storage/ids.js';
import { keyOf, readMeasured } from '../measures.store.js';
import { parseCondition } from './condition.js';
import { CreateMonitor, Monitor } from './monitors.schema.js';
import { columnsOf, monitorOf, monitors, newMonitor, type StoredMonitor } from './monitors.store.js';
import { namesIn } from '../../workspaces/names.store.js';

/** Of a workspace. */
const maxMonitors = 100;

const monitor = ofWorkspace({
  ...byId('/logic/monitors'),
  ...byContent(monitorOf),
  name: 'Monitor',
  tag: 'History',
  schema: Monitor,
  absent: 'monitor_not_found',
});

/** The operations on monitors. */
export const monitorRoutes = ({ database }: { readonly database: Knex }): LogicRoute[] => [
  monitor.create(
    {
      summary: 'Watch what a decision answers: an event when it trips, and when it clears',
      scope: 'monitor:write',
      body: CreateMonitor,
      findBodyViolations: findConditionViolations,
      problems: ['reference_not_found', 'too_many_requests'],
      located: ({ id }) => id,
    },
    (request) => {
      const { decisionId, environmentId } = request.body;
      const ids = { decisionId: decisionId.toLowerCase(), environmentId: environmentId.toLowerCase() };
      const writer = { database, actor: actorOf(request) };
      return createMonitor(writer, request.workspaceId, { ...request.body, ...ids });
    },
  ),
  monitor.list(
    {
      summary: 'List monitors',
      scope: 'executions:read',
      namesOf: ({ workspaceId }) => namesIn(database, workspaceId),
    },
    ({ workspaceId }, page) => monitors.list(database, workspaceId, page),
  ),
  monitor.get({ summary: 'Get a monitor with its state', scope: 'executions:read' }, (ref) =>
    monitors.require(database, ref),
  ),
  monitor.remove({ summary: 'Remove a monitor', scope: 'monitor:write' }, (writing) =>
    monitors.remove(database, writing),
  ),
];

function createMonitor(writer: Writer, workspaceId: string, request: CreateMonitor): Promise<StoredMonitor> {
  const id = newId();
  const fields = { ...newMonitor({ ...request, name: request.name.trim() }), id };
  return monitors.create(writer, workspaceId, fields, async (transaction) => {
    if ((await countHeld(transaction, workspaceId, transaction('monitors'))) >= maxMonitors) {
      throw new Problem('too_many_requests', `The workspace has ${maxMonitors} monitors already.`, { retryAfter: 60 });
    }
    await requireReferences(transaction, workspaceId, { ...request, version: 0 }, { what: 'monitor', version: '' });
    const { measure, decisionId } = request;
    const decision = { workspaceId, decisionId };
    const measured = (await readMeasured(transaction, [decision])).get(keyOf(decision)) ?? [];
    if (typeof measure !== 'string' && !measured.includes(measure.pointer)) {
      const message = 'is not measured: PUT /logic/decisions/{id}/measured says which fields are';
      throw broken([{ in: 'body', pointer: '/measure/pointer', message }]);
    }
    await queueJobs(transaction, [{ kind: 'monitor', workspaceId, id }]);
    return columnsOf(request);
  });
}

function findConditionViolations({ condition, measure }: Readonly<Record<string, unknown>>): readonly Violation[] {
  const parsed = typeof condition === 'string' ? parseCondition(condition) : undefined;
  const isField = typeof measure === 'object' && measure !== null && !('equals' in measure);
  return isField && parsed?.drift === false
    ? [{ in: 'body', pointer: '/measure/equals', message: 'is required, but for drift' }]
    : [];
}
