import type { Knex } from 'knex';
import { actorOf } from '../../api/actor.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { requireMatchTag } from '../../api/preconditions.js';
import {
  conditionalGet,
  deleteRoute,
  listRoute,
  refOf,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../../api/resource.js';
import { IdParams } from '../../api/fields.js';
import { appendAuditEntries, changeEntry, type Writer } from '../../audit/audit.store.js';
import { requireReferences } from '../../deployments/references.js';
import { Problem } from '../../errors.js';
import { broken } from '../../http/body/violations.js';
import { inTransaction } from '../../storage/database.js';
import { newId } from '../../storage/ids.js';
import { keyOf, readMeasured } from '../measures.store.js';
import { parseCondition } from './condition.js';
import { CreateMonitor, Monitor } from './monitors.schema.js';
import { countMonitors, deleteMonitor, findMonitor, insertMonitor, pageOfMonitors } from './monitors.store.js';

const path = '/logic/monitors';
const onePath = '/logic/monitors/{id}';
const tag = 'History';
/** Of a workspace. */
const maxMonitors = 100;

/** The operations on monitors. */
export const monitorRoutes = ({ database }: { readonly database: Knex }): LogicRoute[] => [
  logicRoute({
    method: 'POST',
    path,
    operationId: 'createMonitor',
    tag,
    summary: 'Watch what a decision answers: an event when it trips, and when it clears',
    scope: 'monitor:write',
    body: CreateMonitor,
    replies: { 201: Monitor },
    replyHeaders: ['ETag', 'Location'],
    problems: ['reference_not_found', 'too_many_requests'],
    async handle(request) {
      const monitor = await createMonitor({ database, actor: actorOf(request) }, request.workspaceId, request.body);
      const { headers, ...reply } = representTagged(201, monitor);
      return { ...reply, headers: { ...headers, Location: `${path}/${monitor.id}` } };
    },
  }),
  listRoute(
    { path, operationId: 'listMonitors', tag, summary: 'List monitors', scope: 'executions:read' },
    Monitor,
    (workspaceId, request) => pageOfMonitors(database, workspaceId, request),
  ),
  logicRoute({
    method: 'GET',
    path: onePath,
    operationId: 'getMonitor',
    tag,
    summary: 'Get a monitor with its state',
    scope: 'executions:read',
    params: IdParams,
    ...conditionalGet(Monitor),
    problems: ['monitor_not_found'],
    async handle(request) {
      const ref = refOf(request);
      const found = await findMonitor(database, ref);
      if (found !== undefined) return representTaggedUnlessCurrent(request.header('If-None-Match'), found);
      throw new Problem('monitor_not_found', `There is no monitor ${ref.id} in this workspace.`);
    },
  }),
  deleteRoute(
    { path: onePath, operationId: 'deleteMonitor', tag, summary: 'Remove a monitor', scope: 'monitor:write' },
    [],
    ({ actor, ref, ifMatch }) =>
      inTransaction(database, async (transaction) => {
        const before = await findMonitor(transaction, ref, true);
        if (before === undefined) return;
        requireMatchTag(ifMatch, tagOf(before));
        await deleteMonitor(transaction, ref);
        const resource = { type: 'monitor', id: ref.id };
        const entry = changeEntry(actor, ref.workspaceId, { resource, before: stateOf(before), after: null });
        await appendAuditEntries(transaction, [entry]);
      }),
  ),
];

/** What audit entries show: what was asked for. */
const stateOf = ({ id, name, environmentId, decisionId, measure, window, condition }: Monitor): object => ({
  ...{ id, name, environmentId, decisionId, measure, window, condition },
});

function createMonitor({ database, actor }: Writer, workspaceId: string, request: CreateMonitor): Promise<Monitor> {
  requireCondition(request);
  const ref = { workspaceId, id: newId() };
  return inTransaction(database, async (transaction) => {
    if ((await countMonitors(transaction, workspaceId)) >= maxMonitors) {
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
    await insertMonitor(transaction, ref, { ...request, name: request.name.trim() });
    const made = await findMonitor(transaction, ref);
    if (made === undefined) throw new Error('a monitor was not written');
    const resource = { type: 'monitor', id: ref.id };
    const entry = changeEntry(actor, workspaceId, { resource, before: null, after: stateOf(made) });
    await appendAuditEntries(transaction, [entry]);
    return made;
  });
}

function requireCondition({ condition, measure }: CreateMonitor): void {
  const parsed = parseCondition(condition);
  if (parsed === undefined) {
    throw broken([{ in: 'body', pointer: '/condition', message: 'must be such as `> 0.2` or `drift > 0.2`' }]);
  }
  if (typeof measure !== 'string' && measure.equals === undefined && !parsed.drift) {
    throw broken([{ in: 'body', pointer: '/measure/equals', message: 'is required, but for drift' }]);
  }
}
