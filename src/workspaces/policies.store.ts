import { createHash } from 'node:crypto';
import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import type { UserPrincipal } from '../oauth/principal.js';
import type { Policy } from './policies.js';

interface Row {
  readonly id: Buffer;
  readonly effect: 'allow' | 'deny';
  readonly subjects: string;
  readonly roles: string;
  readonly scopes: string;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

const columns = ['id', 'effect', 'subjects', 'roles', 'scopes', 'expires_at', 'created_at'];

const list = (json: string): readonly string[] => JSON.parse(json) as string[];

const mapRow = (row: Row): Policy => ({
  id: idFromBytes(row.id),
  effect: row.effect,
  subjects: list(row.subjects),
  roles: list(row.roles),
  scopes: list(row.scopes),
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

/** A page of the policies of a workspace. */
export const pageOfPolicies = (
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<Policy>> =>
  readPage(connection('policies').select(columns).where('workspace_id', idToBytes(workspaceId)), request, mapRow);

/** The policies of a workspace, oldest first. */
export async function listPolicies(connection: Connection, workspaceId: string): Promise<Policy[]> {
  const rows = (await connection('policies')
    .select(columns)
    .where('workspace_id', idToBytes(workspaceId))
    .orderBy('id')) as Row[];
  return rows.map(mapRow);
}

/** The policies of all workspaces that name a user, one of the user's roles or everybody, by workspace. */
export async function listPoliciesNaming(
  connection: Connection,
  { issuer, subject, roles }: UserPrincipal,
): Promise<Map<string, Policy[]>> {
  const subjects = ['*', subject, `${issuer}#${subject}`];
  const naming = connection('policy_names').select('policy_id').whereIn('name', namesOf({ subjects, roles }));
  const rows = (await connection('policies')
    .select([...columns, 'workspace_id'])
    .whereIn('id', naming)
    .orderBy(['workspace_id', 'id'])) as (Row & { readonly workspace_id: Buffer })[];
  const found = new Map<string, Policy[]>();
  for (const row of rows) {
    const id = idFromBytes(row.workspace_id);
    const policies = found.get(id);
    if (policies === undefined) found.set(id, [mapRow(row)]);
    else policies.push(mapRow(row));
  }
  return found;
}

/** Names as they are filed: subjects and roles may have the same. */
const namesOf = ({ subjects, roles }: Pick<Policy, 'subjects' | 'roles'>): Buffer[] =>
  [...subjects.map((name) => `subject ${name}`), ...roles.map((name) => `role ${name}`)].map((name) =>
    createHash('sha256').update(name).digest(),
  );

/** Throws MySQL's 1452 when there is no such workspace. */
export async function insertPolicy(connection: Connection, workspaceId: string, policy: Policy): Promise<void> {
  const id = idToBytes(policy.id);
  await connection('policies').insert({
    id,
    workspace_id: idToBytes(workspaceId),
    effect: policy.effect,
    subjects: JSON.stringify(policy.subjects),
    roles: JSON.stringify(policy.roles),
    scopes: JSON.stringify(policy.scopes),
    expires_at: policy.expiresAt === null ? null : new Date(policy.expiresAt),
    created_at: new Date(policy.createdAt),
  });
  const names = namesOf(policy).map((name) => ({ name, policy_id: id }));
  for (const batch of batches(names)) await connection('policy_names').insert(batch).onConflict().ignore();
}

export async function findPolicy(connection: Connection, workspaceId: string, id: string): Promise<Policy | undefined> {
  const [row] = (await connection('policies')
    .select(columns)
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })) as Row[];
  return row === undefined ? undefined : mapRow(row);
}

export async function deletePolicy(connection: Connection, workspaceId: string, id: string): Promise<void> {
  await connection('policies')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
    .delete();
}
