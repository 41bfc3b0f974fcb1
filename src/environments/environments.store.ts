import { Resource } from '../resource/resource.js';
import { id, plain, time } from '../storage/columns.js';
import type { Revised } from '../storage/resourceTable.js';
import type { Environment } from './environments.schema.js';

/** An environment's deployments, routings and variables are deleted with it. */
export const environments = new Resource<Revised<Environment>>({
  type: 'environment',
  table: 'environments',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    name: plain('name'),
    description: plain('description'),
    color: plain('color'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    revision: plain('revision'),
  },
  index: 'environments_workspace',
  texts: [['description'], 16_000],
});
