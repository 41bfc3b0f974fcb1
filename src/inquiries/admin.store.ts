import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import type { InquirySummary } from './inquiries.schema.js';
import type { InquiryRef } from './inquiries.store.js';

/** What is told and done of inquiries without the encryption key. */

interface Row {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly external_id: string | null;
  readonly skip_consent_messages: number;
  readonly completed: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The tenant of an inquiry, for operators who know only its id. */
export async function findTenantOf(connection: Connection, id: string): Promise<string | undefined> {
  const [row] = (await connection('inquiries').select('tenant_id').where('id', idToBytes(id))) as {
    tenant_id: Buffer;
  }[];
  return row === undefined ? undefined : idFromBytes(row.tenant_id);
}

const columns = ['id', 'tenant_id', 'external_id', 'skip_consent_messages', 'completed', 'created_at', 'updated_at'];

const mapRow = (row: Row): InquirySummary => ({
  id: idFromBytes(row.id),
  externalId: row.external_id,
  skipConsentMessages: row.skip_consent_messages === 1,
  completed: row.completed === 1,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Which inquiries; undefined fields do not filter. */
export interface InquiryFilter {
  readonly externalId?: string | undefined;
  readonly completed?: boolean | undefined;
}

/** A page of a tenant's inquiries; `total` counts all of the tenant, whatever the filter. */
export function pageOfInquiries(
  connection: Connection,
  tenantId: string,
  { externalId, completed }: InquiryFilter,
  request: PageRequest,
): Promise<Page<InquirySummary>> {
  const tenant = { tenant_id: idToBytes(tenantId) };
  // Each filter is a range of one index, in the order of ids; the external id is the more selective one.
  const index =
    externalId !== undefined ? 'inquiries_external' : completed === undefined ? 'PRIMARY' : 'inquiries_completed';
  const rows = connection(connection.raw(`inquiries FORCE INDEX (${index})`))
    .select(columns)
    .where(tenant);
  if (externalId !== undefined) rows.where('external_id', externalId);
  if (completed !== undefined) rows.where('completed', completed);
  const counted = connection(connection.raw('inquiries FORCE INDEX (inquiries_completed)')).where(tenant);
  return readPage(rows, request, mapRow, { counted });
}

/**
 * Deletes an inquiry with all its personal data: prerequisites, messages and kept answers. False when there is none.
 */
export async function removeInquiry(connection: Connection, { tenantId, id }: InquiryRef): Promise<boolean> {
  const primaryKey = { tenant_id: idToBytes(tenantId), id: idToBytes(id) };
  return (await connection('inquiries').where(primaryKey).delete()) === 1;
}
