import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { emptyToNull } from '../api/fields.js';
import type { LogicRoute } from '../api/logicRoute.js';
import { byRevision } from '../resource/answers.js';
import { byId, ofWorkspace } from '../resource/kinds.js';
import { CreateDeployment, Deployment, UpdateDeployment } from './deployments.schema.js';
import { changeDeployment, createDeployment, removeDeployment, type Deploying } from './deployments.service.js';
import { deployments, type DeploymentFields } from './deployments.store.js';
import type { Routing } from './routing.js';

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

/** The five operations on deployments. */
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
  deployment.list({ summary: 'List deployments', scope: 'deployments:read' }, ({ workspaceId }, page) =>
    deployments.list(database, workspaceId, page),
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
