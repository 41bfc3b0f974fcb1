import { Problem } from '../errors.js';
import type { EventKind } from '../events/kinds.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Callback } from './transports/webhook.js';

/** Where a workspace's events go, and which. */
export interface WorkspaceCallback {
  readonly url: string;
  readonly kinds: EventKind[];
}

const contextOf = (workspaceId: string): string => `workspace_callbacks/${workspaceId}/secret`;

export const sealedWorkspaceCallbacks: SealedTable = {
  table: 'workspace_callbacks',
  key: ['workspace_id'],
  contexts: { secret: ({ id }: SealedRow) => contextOf(id('workspace_id')) },
};

interface Sealing {
  readonly connection: Connection;
  readonly encryption: Encryption;
}

/** @param lock holds the row until the transaction ends */
export async function findWorkspaceCallback(
  connection: Connection,
  workspaceId: string,
  lock = false,
): Promise<WorkspaceCallback | undefined> {
  const reading = connection('workspace_callbacks')
    .select('url', 'kinds')
    .where('workspace_id', idToBytes(workspaceId));
  if (lock) reading.forUpdate();
  const [row] = (await reading) as { url: string; kinds: string }[];
  return row && { url: row.url, kinds: row.kinds.split(',') as EventKind[] };
}

/** The same. Rejects with `callback_not_found`. */
export async function requireWorkspaceCallback(
  ...args: Parameters<typeof findWorkspaceCallback>
): Promise<WorkspaceCallback> {
  const found = await findWorkspaceCallback(...args);
  if (found === undefined) throw new Problem('callback_not_found', 'The workspace has no callback.');
  return found;
}

/** Where an event is sent, and what signs it. Undefined where the workspace hears of nothing any more. */
export async function openWorkspaceCallback(
  { connection, encryption }: Sealing,
  workspaceId: string,
): Promise<Callback | undefined> {
  const [row] = (await connection('workspace_callbacks')
    .select('url', 'secret')
    .where('workspace_id', idToBytes(workspaceId))) as { url: string; secret: Buffer }[];
  return row && { url: row.url, secrets: [encryption.open(row.secret, contextOf(workspaceId))] };
}

/** Writes a first one, or other fields of it; its secret stays. @param secret of the first */
export async function writeWorkspaceCallback(
  { connection, encryption }: Sealing,
  workspaceId: string,
  { url, kinds, secret }: WorkspaceCallback & { readonly secret: string },
): Promise<void> {
  const now = new Date();
  const fields = { url, kinds: kinds.join(), updated_at: now };
  await connection('workspace_callbacks')
    .insert({
      workspace_id: idToBytes(workspaceId),
      ...fields,
      secret: encryption.seal(secret, contextOf(workspaceId)),
      created_at: now,
    })
    .onConflict('workspace_id')
    .merge(Object.keys(fields));
}

export async function deleteWorkspaceCallback(connection: Connection, workspaceId: string): Promise<void> {
  await connection('workspace_callbacks').where('workspace_id', idToBytes(workspaceId)).delete();
}
