import type { Knex } from 'knex';
import Type, { type Static, type TObject } from 'typebox';
import { actorOf } from '../api/actor.js';
import { IdParams } from '../api/fields.js';
import { parseHost } from '../formats.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { requireMatchTag } from '../api/preconditions.js';
import {
  conditionalGet,
  conditionalWrite,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../api/resource.js';
import type { Configurations } from './configurations.js';
import { readHttpHosts, writeHttpHosts, type HostsOwner } from './hosts.store.js';
import { Hosts, WriteHosts } from './variables.schema.js';

interface Dependencies {
  readonly database: Knex;
  readonly configurations: Configurations;
}

interface List<P extends TObject> {
  readonly path: string;
  /** What the operations' ids end with. */
  readonly name: string;
  readonly tag: LogicRoute['tag'];
  readonly params: P;
  readonly problems: LogicRoute['problems'];
  /** Problems that only writes have. */
  readonly writeProblems: LogicRoute['problems'];
  /** Ends the summaries, after "function nodes may call". */
  readonly from: string;
  readonly ownerOf: (workspaceId: string, params: Static<P>) => HostsOwner;
}

/** The lists of hosts that function nodes may call: of an environment's executions, and of a workspace's evaluations. */
export const hostsRoutes = (dependencies: Dependencies): LogicRoute[] => [
  ...routesOf(dependencies, {
    path: '/logic/environments/{id}/hosts',
    name: 'Hosts',
    tag: 'Environments',
    params: IdParams,
    problems: ['environment_not_found'],
    writeProblems: ['approval_required'],
    from: 'from the environment',
    ownerOf: (workspaceId, { id }) => ({ workspaceId, environmentId: id }),
  }),
  ...routesOf(dependencies, {
    path: '/logic/evaluation-hosts',
    name: 'EvaluationHosts',
    tag: 'Runs',
    params: Type.Object({}, { additionalProperties: false }),
    problems: [],
    writeProblems: [],
    from: 'in evaluations, of drafts too',
    ownerOf: (workspaceId) => ({ workspaceId }),
  }),
];

function routesOf<P extends TObject>(
  { database, configurations }: Dependencies,
  { path, name, tag, params, problems, writeProblems, from, ownerOf }: List<P>,
): LogicRoute[] {
  return [
    logicRoute({
      method: 'GET',
      path,
      operationId: `get${name}`,
      tag,
      summary: `Get the hosts that function nodes may call ${from}`,
      scope: 'variables:read',
      params,
      ...conditionalGet(Hosts),
      problems,
      async handle(request) {
        const hosts = await readHttpHosts(database, ownerOf(request.workspaceId, request.params));
        return representTaggedUnlessCurrent(request.header('If-None-Match'), { hosts });
      },
    }),
    logicRoute({
      method: 'PUT',
      path,
      operationId: `set${name}`,
      tag,
      summary: `Replace the hosts that function nodes may call ${from}; without any, they can call nothing`,
      scope: 'variable:write',
      params,
      body: WriteHosts,
      ...conditionalWrite(Hosts),
      problems: [...problems, ...writeProblems, 'precondition_failed'],
      async handle(request) {
        const owner = ownerOf(request.workspaceId, request.params);
        const hosts = [...new Set(request.body.hosts.map((host) => parseHost(host) ?? host))];
        const precondition = (present: readonly string[]): void =>
          requireMatchTag(request.header('If-Match'), tagOf({ hosts: present }));
        const revision = await writeHttpHosts({ database, actor: actorOf(request) }, owner, { hosts, precondition });
        await configurations.publish(owner, revision);
        return representTagged(200, { hosts });
      },
    }),
  ];
}
