import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, isUuid } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import { principalName } from './principalName.js';

/** The names that people know of the principals in records. A principal without an entry has no other name. */
type Names = ReadonlyMap<string, string>;

/** Who it was, on paper: the name, and the principal that it stands for. */
export function named(names: Names, principal: string): string {
  const name = names.get(principal);
  return name === undefined ? principal : `${name} (${principal})`;
}

const ofClient = 'client:';

/** What people call resources that others name by their ids: tables, and the columns of names. */
const called = [
  ['decisions', 'decision_key'],
  ['environments', 'name'],
] as const;

/**
 * The names of clients of the workspace's tenant among these principals, and what the others are called; of ids in their place,
 * those of the workspace's decisions and environments.
 */
export async function namesOf(
  connection: Connection,
  workspaceId: string,
  principals: readonly (string | null)[],
): Promise<Names> {
  const names = new Map<string, string>();
  const ids = new Set<string>();
  const resources: string[] = [];
  for (const principal of principals) {
    if (principal === null) continue;
    if (isUuid(principal)) resources.push(principal);
    const name = principalName(principal);
    if (name !== undefined) names.set(principal, name);
    const id = principal.startsWith(ofClient) ? principal.slice(ofClient.length) : '';
    if (isUuid(id)) ids.add(id);
  }
  for (const [table, name] of resources.length > 0 ? called : []) {
    const rows = (await connection(table)
      .select('id', { name })
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn('id', resources.map(idToBytes))) as { id: Buffer; name: string }[];
    for (const { id, name } of rows) names.set(idFromBytes(id), name);
  }
  if (ids.size === 0) return names;
  const rows = (await connection('clients as c')
    .join('workspaces as w', 'w.tenant_id', 'c.tenant_id')
    .select('c.id', 'c.name')
    .where('w.id', idToBytes(workspaceId))
    .whereIn('c.id', [...ids].map(idToBytes))) as { id: Buffer; name: string }[];
  for (const { id, name } of rows) names.set(ofClient + idFromBytes(id), name);
  return names;
}

/** A page of the clients that are granted a workspace: whom other workspaces have is told to nobody in this one. */
export async function pageOfNames(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<{ readonly principal: string; readonly name: string }>> {
  const granted = connection('grants as g')
    .join('workspaces as w', { 'w.tenant_id': 'g.tenant_id', 'w.id': 'g.workspace_id' })
    .join('clients as c', { 'c.tenant_id': 'g.tenant_id', 'c.id': 'g.client_id' })
    .select('c.id', 'c.name')
    .where('w.id', idToBytes(workspaceId));
  const map = ({ id, name }: { id: Buffer; name: string }) => ({ id: idFromBytes(id), name });
  const { data, page } = await readPage(granted, request, map, { column: 'g.client_id' });
  return { data: data.map(({ id, name }) => ({ principal: ofClient + id, name })), page };
}

/** The same, to be asked for as they are met. */
export const namesIn =
  (connection: Connection, workspaceId: string) =>
  (principals: readonly string[]): Promise<Names> =>
    namesOf(connection, workspaceId, principals);
