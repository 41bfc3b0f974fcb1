import type { Knex } from 'knex';
import type { LogicRoute } from '../../api/logicRoute.js';
import { byContent } from '../../resource/answers.js';
import { ofEnvironment, ofWorkspace } from '../../resource/kinds.js';
import { writeResource } from '../../resource/write.js';
import { Retention } from './retention.schema.js';
import { lockRetention, readRetention, writeRetention } from './retention.store.js';

const retention = ofWorkspace({
  ...ofEnvironment('/logic/environments/{id}/retention'),
  ...byContent((stored: Retention) => stored),
  name: 'Retention',
  tag: 'Environments',
  schema: Retention,
});

/** How long the executions of an environment are kept. */
export const retentionRoutes = ({ database }: { readonly database: Knex }): LogicRoute[] => [
  retention.get(
    { summary: 'Get how long the executions of an environment are kept', scope: 'environment:read' },
    (ref) => readRetention(database, ref),
  ),
  retention.set(
    {
      summary: 'Set how long the executions of an environment are kept: older ones are removed, and cannot be had back',
      scope: 'retention:write',
      body: Retention,
    },
    async ({ body, ref, ...writing }) => {
      const { workspaceId, environmentId } = ref;
      const resource = { type: 'retention', id: environmentId } as const;
      const find = (transaction: Knex.Transaction) => lockRetention(transaction, ref);
      await writeResource({ database, workspaceId, resource, find }, writing, async (transaction) => {
        await writeRetention(transaction, ref, body);
        return { after: body };
      });
      return body;
    },
  ),
];
