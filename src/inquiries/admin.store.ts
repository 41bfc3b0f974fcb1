import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Place } from './inquiries.store.js';

/** What operators do with inquiries by their ids, without the encryption key. */

interface Row {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly external_id: string | null;
  readonly completed: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Whose an inquiry is, for the operator's command line, which may not know. */
export async function findTenantOf(connection: Connection, id: string): Promise<string | undefined> {
  const [row] = (await connection('inquiries').select('tenant_id').where('id', idToBytes(id))) as {
    tenant_id: Buffer;
  }[];
  return row === undefined ? undefined : idFromBytes(row.tenant_id);
}

/** An inquiry without its encrypted fields. */
export interface InquirySummary {
  readonly id: string;
  readonly tenantId: string;
  readonly externalId: string | null;
  readonly completed: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Newest first, for operators; `olderThan` is the id of the last one of the page before. */
export async function listInquiries(
  connection: Connection,
  tenantId: string | undefined,
  { size, olderThan }: { readonly size: number; readonly olderThan: string | undefined },
): Promise<InquirySummary[]> {
  const page = connection('inquiries').select(
    ...['id', 'tenant_id', 'external_id', 'completed', 'created_at', 'updated_at'],
  );
  if (tenantId !== undefined) page.where('tenant_id', idToBytes(tenantId));
  if (olderThan !== undefined) page.where('id', '<', idToBytes(olderThan));
  const rows = (await page.orderBy('id', 'desc').limit(size)) as Row[];
  return rows.map((row) => ({
    id: idFromBytes(row.id),
    tenantId: idFromBytes(row.tenant_id),
    externalId: row.external_id,
    completed: row.completed === 1,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }));
}

/**
 * Deletes an inquiry with all its personal data: prerequisites, messages and kept answers. False when there is none.
 */
export async function removeInquiry(connection: Connection, { tenantId, id }: Place): Promise<boolean> {
  const place = { tenant_id: idToBytes(tenantId), id: idToBytes(id) };
  return (await connection('inquiries').where(place).delete()) === 1;
}
