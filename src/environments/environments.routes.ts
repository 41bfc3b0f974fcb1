import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { emptyToNull } from '../api/fields.js';
import type { LogicRoute } from '../api/logicRoute.js';
import { type Routing, changeRoutesOfEnvironment, environmentsRoutedBy } from '../deployments/routing.js';
import { byRevision } from '../resource/answers.js';
import { byId, ofWorkspace } from '../resource/kinds.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import { environments } from './environments.store.js';
import { tellHostsRemoved } from './hosts.store.js';
import { tellVariablesRemoved, type WithinWrite } from './variables.store.js';
import { holdDeploymentsOf, tellRemovals } from '../deployments/deployments.store.js';
import { requireUnexecuted } from '../deployments/executed.store.js';
import { routingEntries } from '../deployments/routingEntries.js';
import { requireUnprotected } from '../protections/guard.js';
import type { Writing } from '../resource/write.js';
import type { Encryption } from '../storage/encryption.js';
import type { EnvironmentRef, ResourceRef, Revised } from '../storage/resourceTable.js';

const environment = ofWorkspace({
  ...byId('/logic/environments'),
  name: 'Environment',
  tag: 'Environments',
  schema: Environment,
  ...byRevision<Environment>(),
  absent: 'environment_not_found',
});

/**
 * Ends what a room has of an environment that is removed, and writes down that it is removed with it, by a transaction that
 * holds the environment. The rows go by themselves.
 */
type RemoveWith = (write: WithinWrite, ref: EnvironmentRef) => Promise<void>;

interface EnvironmentDependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly routing: Routing;
  /** Of the rooms that know environments, and that environments do not know. */
  readonly removedWith: readonly RemoveWith[];
}

/** The five operations on environments. */
export const environmentRoutes = ({ database, ...parts }: EnvironmentDependencies): LogicRoute[] => [
  environment.create(
    { summary: 'Create an environment', scope: 'environment:write', body: CreateEnvironment },
    (request) => {
      const { name, description = null, color = randomColor() } = request.body;
      const fields = { name: name.trim(), description: emptyToNull(description), color };
      return environments.create({ database, actor: actorOf(request) }, request.workspaceId, fields);
    },
  ),
  environment.list({ summary: 'List environments', scope: 'environments:read' }, ({ workspaceId }, page) =>
    environments.list(database, workspaceId, page),
  ),
  environment.get({ summary: 'Get an environment', scope: 'environment:read' }, (ref) =>
    environments.require(database, ref),
  ),
  environment.update(
    { summary: 'Update an environment', scope: 'environment:update', body: UpdateEnvironment },
    ({ body, ...writing }) => environments.change(database, writing, changedFields(body)),
  ),
  environment.remove(
    {
      summary: 'Delete an environment with its deployments',
      scope: 'environment:delete',
      problems: ['execution_history_exists', 'approval_required'],
    },
    (writing) => removeEnvironment({ database, ...parts }, writing),
  ),
];

const randomColor = (): string => palette[Math.floor(Math.random() * palette.length)] ?? palette[0];

const changedFields = ({ name, description, color }: UpdateEnvironment): Partial<Environment> => ({
  ...(name === undefined ? {} : { name: name.trim() }),
  ...(description === undefined ? {} : { description: emptyToNull(description) }),
  ...(color === undefined ? {} : { color }),
});

/**
 * Removes an environment with its deployments, and publishes the routes that change by it. Rejects with
 * `environment_not_found`, `precondition_failed`, `approval_required`, `execution_history_exists`.
 */
async function removeEnvironment(
  { database, encryption, routing, removedWith }: EnvironmentDependencies,
  writing: Writing<ResourceRef, Revised<Environment>>,
): Promise<void> {
  const { workspaceId, id } = writing.ref;
  const { changed } = await environments.write(database, writing, async (transaction) => {
    const routed = await environmentsRoutedBy(transaction, workspaceId, { environmentId: id });
    for (const environmentId of [...new Set([id, ...routed])].sort()) {
      await requireUnprotected(transaction, { workspaceId, environmentId });
    }
    const changed = await changeRoutesOfEnvironment(transaction, workspaceId, id);
    const deploymentIds = await holdDeploymentsOf(transaction, workspaceId, id);
    await requireUnexecuted(transaction, 'environment', { workspaceId, environmentId: id, deploymentIds });
    await tellRemovals(transaction, writing.actor, { workspaceId, ids: deploymentIds });
    const { actor } = writing;
    const ref = { workspaceId, environmentId: id };
    await tellHostsRemoved(transaction, actor, ref);
    for (const remove of [tellVariablesRemoved, ...removedWith])
      await remove({ database: transaction, encryption, actor }, ref);
    await environments.delete(transaction, writing.ref);
    const entries = await routingEntries(transaction, writing.actor, changed);
    return { after: null, entries, changed };
  });
  await routing.publish(changed);
}
