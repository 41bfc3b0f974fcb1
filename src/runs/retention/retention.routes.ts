import type { Knex } from 'knex';
import { actorOf } from '../../api/actor.js';
import { IdParams } from '../../api/fields.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { requireMatchTag } from '../../api/preconditions.js';
import {
  conditionalGet,
  conditionalWrite,
  refOf,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../../api/resource.js';
import { appendAuditEntries, changeEntry } from '../../audit/audit.store.js';
import { inTransaction } from '../../storage/database.js';
import { Retention } from './retention.schema.js';
import { lockRetention, readRetention, writeRetention } from './retention.store.js';

const path = '/logic/environments/{id}/retention';

/** How long the executions of an environment are kept. */
export const retentionRoutes = ({ database }: { readonly database: Knex }): LogicRoute[] => [
  logicRoute({
    method: 'GET',
    path,
    operationId: 'getRetention',
    tag: 'Environments',
    summary: 'Get how long the executions of an environment are kept',
    scope: 'environment:read',
    params: IdParams,
    ...conditionalGet(Retention),
    problems: ['environment_not_found'],
    async handle(request) {
      const { workspaceId, id } = refOf(request);
      const retention = await readRetention(database, { workspaceId, environmentId: id });
      return representTaggedUnlessCurrent(request.header('If-None-Match'), retention);
    },
  }),
  logicRoute({
    method: 'PUT',
    path,
    operationId: 'setRetention',
    tag: 'Environments',
    summary: 'Set how long the executions of an environment are kept: older ones are removed, and cannot be had back',
    scope: 'retention:write',
    params: IdParams,
    body: Retention,
    ...conditionalWrite(Retention),
    problems: ['environment_not_found', 'precondition_failed'],
    async handle(request) {
      const { workspaceId, id } = refOf(request);
      const ref = { workspaceId, environmentId: id };
      const retention = request.body;
      await inTransaction(database, async (transaction) => {
        const before = await lockRetention(transaction, ref);
        requireMatchTag(request.header('If-Match'), tagOf(before));
        await writeRetention(transaction, ref, retention);
        const resource = { type: 'retention', id };
        const entry = changeEntry(actorOf(request), workspaceId, { resource, before, after: retention });
        await appendAuditEntries(transaction, [entry]);
      });
      return representTagged(200, retention);
    },
  }),
];
