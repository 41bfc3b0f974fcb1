import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { emptyToNull } from '../api/fields.js';
import type { LogicRoute } from '../api/logicRoute.js';
import type { Routing } from '../deployments/routing.js';
import { byRevision } from '../resource/answers.js';
import { byId, ofWorkspace } from '../resource/places.js';
import { CreateEnvironment, Environment, UpdateEnvironment, palette } from './environments.schema.js';
import { removeEnvironment } from './environments.service.js';
import { environments } from './environments.store.js';

const environment = ofWorkspace({
  ...byId('/logic/environments'),
  name: 'Environment',
  tag: 'Environments',
  schema: Environment,
  ...byRevision<Environment>(),
  absent: 'environment_not_found',
});

/** The five operations on environments. */
export const environmentRoutes = ({ database, routing }: { database: Knex; routing: Routing }): LogicRoute[] => [
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
    (writing) => removeEnvironment({ database, routing }, writing),
  ),
];

const randomColor = (): string => palette[Math.floor(Math.random() * palette.length)] ?? palette[0];

const changedFields = ({ name, description, color }: UpdateEnvironment): Partial<Environment> => ({
  ...(name === undefined ? {} : { name: name.trim() }),
  ...(description === undefined ? {} : { description: emptyToNull(description) }),
  ...(color === undefined ? {} : { color }),
});
