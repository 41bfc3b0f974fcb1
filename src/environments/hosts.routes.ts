import type { Knex } from 'knex';
import type { TObject } from 'typebox';
import type { LogicRoute } from '../api/logicRoute.js';
import { parseHost } from '../formats.js';
import { byContent } from '../resource/answers.js';
import { oneOfWorkspace, ofEnvironment, ofWorkspace, type WorkspaceRoutes } from '../resource/kinds.js';
import type { Configurations } from './configurations.js';
import { audited, readHosts, writeHosts, type HostsOwner, type StoredHosts } from './hosts.store.js';
import { Hosts, WriteHosts } from './variables.schema.js';

interface Dependencies {
  readonly database: Knex;
  readonly configurations: Configurations;
}

const hosts = { ...byContent(audited), schema: Hosts };
const ofExecutions = ofWorkspace({
  ...hosts,
  ...ofEnvironment('/logic/environments/{id}/hosts'),
  name: 'Hosts',
  tag: 'Environments',
});
const ofEvaluations = ofWorkspace({
  ...hosts,
  ...oneOfWorkspace('/logic/evaluation-hosts'),
  name: 'EvaluationHosts',
  tag: 'Runs',
});

/** The lists of hosts that function nodes may call: of an environment's executions, and of a workspace's evaluations. */
export const hostsRoutes = (parts: Dependencies): LogicRoute[] => [
  ...routesOf(parts, ofExecutions, { from: 'from the environment', problems: ['approval_required'] }),
  ...routesOf(parts, ofEvaluations, { from: 'in evaluations, of drafts too', problems: [] }),
];

/** @param from ends the summaries, after "function nodes may call" */
const routesOf = <Ref extends HostsOwner, P extends TObject>(
  { database, configurations }: Dependencies,
  kind: WorkspaceRoutes<Ref, StoredHosts, P>,
  { from, problems }: { readonly from: string; readonly problems: LogicRoute['problems'] },
): LogicRoute[] => [
  kind.get({ summary: `Get the hosts that function nodes may call ${from}`, scope: 'variables:read' }, (owner) =>
    readHosts(database, owner),
  ),
  kind.set(
    {
      summary: `Replace the hosts that function nodes may call ${from}; without any, they can call nothing`,
      scope: 'variable:write',
      body: WriteHosts,
      problems,
    },
    async ({ body, ...writing }) => {
      const parsed = [...new Set(body.hosts.map((host) => parseHost(host) ?? host))];
      const { after } = await writeHosts(database, writing, parsed);
      await configurations.publish(writing.ref, after.revision);
      return after;
    },
  ),
];
