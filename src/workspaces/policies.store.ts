import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Policy } from './policies.js';

interface Row {
  readonly id: Buffer;
  readonly effect: 'allow' | 'deny';
  readonly subjects: string;
  readonly roles: string;
  readonly scopes: string;
  readonly created_at: Date;
}

const columns = ['id', 'effect', 'subjects', 'roles', 'scopes', 'created_at'];

const list = (json: string): readonly string[] => JSON.parse(json) as string[];

const mapRow = (row: Row): Policy => ({
  id: idFromBytes(row.id),
  effect: row.effect,
  subjects: list(row.subjects),
  roles: list(row.roles),
  scopes: list(row.scopes),
  createdAt: row.created_at.toISOString(),
});

/** The policies of a workspace, oldest first. */
export async function listPolicies(connection: Connection, workspaceId: string): Promise<Policy[]> {
  const rows = (await connection('policies')
    .select(columns)
    .where('workspace_id', idToBytes(workspaceId))
    .orderBy('id')) as Row[];
  return rows.map(mapRow);
}

/** Throws MySQL's 1452 when there is no such workspace. */
export async function insertPolicy(connection: Connection, workspaceId: string, policy: Policy): Promise<void> {
  await connection('policies').insert({
    id: idToBytes(policy.id),
    workspace_id: idToBytes(workspaceId),
    effect: policy.effect,
    subjects: JSON.stringify(policy.subjects),
    roles: JSON.stringify(policy.roles),
    scopes: JSON.stringify(policy.scopes),
    created_at: new Date(policy.createdAt),
  });
}

/** Holds the policy until the transaction ends. */
export async function findPolicy(
  transaction: Connection,
  workspaceId: string,
  id: string,
): Promise<Policy | undefined> {
  const [row] = (await transaction('policies')
    .select(columns)
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
    .forUpdate()) as Row[];
  return row === undefined ? undefined : mapRow(row);
}

export async function deletePolicy(connection: Connection, workspaceId: string, id: string): Promise<void> {
  await connection('policies')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
    .delete();
}
