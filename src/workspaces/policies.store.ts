import { createHash } from 'node:crypto';
import type { UserPrincipal } from '../oauth/principal.js';
import { batches } from '../storage/batches.js';
import { id, json, plain, time, timeOrNull } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { ResourceTable } from '../storage/resourceTable.js';
import type { Policy } from './policies.js';

export const policies = new ResourceTable<Policy>({
  type: 'policy',
  table: 'policies',
  columns: {
    id: id(),
    effect: plain('effect'),
    subjects: json('subjects'),
    roles: json('roles'),
    scopes: json('scopes'),
    expiresAt: timeOrNull('expires_at'),
    createdAt: time('created_at'),
  },
});

/** The policies of a workspace, oldest first. */
export async function listPolicies(connection: Connection, workspaceId: string): Promise<Policy[]> {
  return ((await policies.rows(connection, workspaceId).orderBy('id')) as object[]).map(policies.map);
}

/** The policies of all workspaces that name a user, one of the user's roles or everybody, by workspace. */
export async function listPoliciesNaming(
  connection: Connection,
  { issuer, subject, roles }: UserPrincipal,
): Promise<Map<string, Policy[]>> {
  const subjects = ['*', subject, `${issuer}#${subject}`];
  const naming = connection('policy_names').select('policy_id').whereIn('name', namesOf({ subjects, roles }));
  const rows = (await connection('policies')
    .select([...policies.names, 'workspace_id'])
    .whereIn('id', naming)
    .orderBy(['workspace_id', 'id'])) as { readonly workspace_id: Buffer }[];
  const found = new Map<string, Policy[]>();
  for (const row of rows) {
    const workspaceId = idFromBytes(row.workspace_id);
    found.set(workspaceId, [...(found.get(workspaceId) ?? []), policies.map(row)]);
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
  await policies.insert(connection, workspaceId, policy);
  const names = namesOf(policy).map((name) => ({ name, policy_id: idToBytes(policy.id) }));
  for (const batch of batches(names)) await connection('policy_names').insert(batch).onConflict().ignore();
}
