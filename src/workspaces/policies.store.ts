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

const columns = 'id, effect, subjects, roles, scopes, created_at';

const list = (json: string): readonly string[] => JSON.parse(json) as string[];

const mapRow = (row: Row): Policy => ({
  id: idFromBytes(row.id),
  effect: row.effect,
  subjects: list(row.subjects),
  roles: list(row.roles),
  scopes: list(row.scopes),
  createdAt: row.created_at,
});

/** The policies of a workspace, oldest first. */
export async function listPolicies(connection: Connection, workspaceId: string): Promise<Policy[]> {
  const [rows] = await connection.raw<[Row[]]>(`SELECT ${columns} FROM policies WHERE workspace_id = ? ORDER BY id`, [
    idToBytes(workspaceId),
  ]);
  return rows.map(mapRow);
}

/** Throws MySQL's 1452 when there is no such workspace. */
export async function insertPolicy(connection: Connection, workspaceId: string, policy: Policy): Promise<void> {
  await connection.raw(`INSERT INTO policies (workspace_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`, [
    idToBytes(workspaceId),
    idToBytes(policy.id),
    policy.effect,
    JSON.stringify(policy.subjects),
    JSON.stringify(policy.roles),
    JSON.stringify(policy.scopes),
    policy.createdAt,
  ]);
}

/** False when the workspace has no such policy. */
export async function deletePolicy(connection: Connection, workspaceId: string, id: string): Promise<boolean> {
  const [result] = await connection.raw<[{ affectedRows: number }]>(
    'DELETE FROM policies WHERE workspace_id = ? AND id = ?',
    [idToBytes(workspaceId), idToBytes(id)],
  );
  return result.affectedRows > 0;
}
