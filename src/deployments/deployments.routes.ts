import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { emptyToNull } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { PageQuery } from '../api/paginate.js';
import { byRevision } from '../resource/answers.js';
import { byId, ofWorkspace } from '../resource/kinds.js';
import { listOf } from '../resource/lists.js';
import { CreateDeployment, Deployment, DeploymentRouting, UpdateDeployment } from './deployments.schema.js';
import { changeDeployment, createDeployment, removeDeployment, type Deploying } from './deployments.service.js';
import { deployments, type DeploymentFields } from './deployments.store.js';
import type { Routing } from './routing.js';
import { namesIn } from '../workspaces/names.store.js';
import { listRoutings } from './routings.store.js';

const deployment = ofWorkspace({
  ...byId('/logic/deployments'),
  ...byRevision<Deployment>(),
  name: 'Deployment',
  tag: 'Deployments',
  schema: Deployment,
  absent: 'deployment_not_found',
});

interface Dependencies {
  readonly database: Knex;
  readonly routing: Routing;
  /** Is told, within the transaction, what moves in a protected environment. */
  readonly moved: Deploying['moved'];
}

const routings = listOf(DeploymentRouting);

/** The five operations on deployments, and what they route. */
export const deploymentRoutes = ({ database, routing, moved }: Dependencies): LogicRoute[] => [
  deployment.create(
    {
      summary: 'Deploy a version and route all traffic of its decision and environment to it',
      scope: 'deployment:write',
      body: CreateDeployment,
      problems: ['reference_not_found', 'approval_required'],
    },
    (request) => {
      const writer = { database, routing, moved, actor: actorOf(request) };
      return createDeployment(writer, request.workspaceId, newFields(request.body));
    },
  ),
  deployment.list(
    {
      summary: 'List deployments',
      scope: 'deployments:read',
      namesOf: ({ workspaceId }) => namesIn(database, workspaceId),
    },
    ({ workspaceId }, page) => deployments.list(database, workspaceId, page),
  ),
  deployment.get({ summary: 'Get a deployment', scope: 'deployment:read' }, (ref) =>
    deployments.require(database, ref),
  ),
  deployment.update(
    {
      summary: 'Update a deployment; routing stays as it is',
      scope: 'deployment:update',
      body: UpdateDeployment,
      problems: ['reference_not_found', 'approval_required'],
    },
    ({ body, ...writing }) => changeDeployment(database, writing, changedFields(body)),
  ),
  deployment.remove(
    {
      summary: 'Delete a deployment; an older one of the same pair comes into force again',
      scope: 'deployment:delete',
      problems: ['execution_history_exists', 'approval_required'],
    },
    (writing) => removeDeployment({ database, routing }, writing),
  ),
  logicRoute({
    method: 'GET',
    path: '/logic/routings',
    operationId: 'listRoutings',
    tag: 'Deployments',
    summary: 'List what deployments route, in the order of their ids, and which of them are in force',
    description:
      'A deployment routes what it named when it was made: PATCH changes the record alone. Of each decision and environment ' +
      'one routing is in force.',
    scope: 'deployments:read',
    query: PageQuery,
    ...routings.declared,
    problems: [],
    handle: (request) =>
      routings.answer(
        request,
        (wanted) => listRoutings(database, request.workspaceId, wanted),
        undefined,
        namesIn(database, request.workspaceId),
      ),
  }),
];

const newFields = (body: CreateDeployment): DeploymentFields => ({
  decisionId: body.decisionId.toLowerCase(),
  version: body.version ?? 0,
  environmentId: body.environmentId.toLowerCase(),
  name: body.name.trim(),
  message: emptyToNull(body.message ?? null),
  deployedBy: body.deployedBy.trim(),
});

function changedFields(body: UpdateDeployment): Partial<DeploymentFields> {
  const { decisionId, version, environmentId, name, message, deployedBy } = body;
  return {
    ...(decisionId === undefined ? {} : { decisionId: decisionId.toLowerCase() }),
    ...(version === undefined ? {} : { version: version ?? 0 }),
    ...(environmentId === undefined ? {} : { environmentId: environmentId.toLowerCase() }),
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(message === undefined ? {} : { message: emptyToNull(message) }),
    ...(deployedBy === undefined ? {} : { deployedBy: deployedBy.trim() }),
  };
}
