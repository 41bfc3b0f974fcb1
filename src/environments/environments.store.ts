import { idFromBytes } from '../storage/ids.js';
import { ResourceTable, type ResourceRow } from '../storage/resourceTable.js';
import type { Environment } from './environments.schema.js';

export interface EnvironmentFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

/** An environment's deployments, routings and variables are deleted with it. */
export const environments = new ResourceTable<Environment, ResourceRow & EnvironmentFields>(
  'environment',
  ['name', 'description', 'color'],
  'description',
  (row) => ({
    id: idFromBytes(row.id),
    workspaceId: idFromBytes(row.workspace_id),
    name: row.name,
    description: row.description,
    color: row.color,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }),
);
