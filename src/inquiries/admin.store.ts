import { flag, id, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import { ResourceTable } from '../storage/resourceTable.js';
import { emptyAnswers } from './answers.store.js';
import type { InquirySummary } from './inquiries.schema.js';
import type { InquiryRef } from './inquiries.store.js';

/** What is told and done of inquiries without the encryption key. */

const inquiries = new ResourceTable<InquirySummary>({
  type: 'inquiry',
  table: 'inquiries',
  owner: 'tenant_id',
  columns: {
    id: id(),
    externalId: plain('external_id'),
    skipConsentMessages: flag('skip_consent_messages'),
    completed: flag('completed'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
});

/** The tenant of an inquiry, for operators who know only its id; undefined where there is none. */
export async function findTenantOf(connection: Connection, id: string): Promise<string | undefined> {
  const [row] = (await connection('inquiries').select('tenant_id').where('id', idToBytes(id))) as {
    tenant_id: Buffer;
  }[];
  return row === undefined ? undefined : idFromBytes(row.tenant_id);
}

/** Which inquiries; undefined fields do not filter. */
interface InquiryFilter {
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
  const rows = inquiries.rows(connection, tenantId).from(connection.raw(`inquiries FORCE INDEX (${index})`));
  if (externalId !== undefined) rows.where('external_id', externalId);
  if (completed !== undefined) rows.where('completed', completed);
  const counted = connection(connection.raw('inquiries FORCE INDEX (inquiries_completed)')).where(tenant);
  return readPage(rows, request, inquiries.map, { counted });
}

/**
 * Deletes an inquiry with all its personal data: prerequisites, messages and kept answers. False when there is none. To be called in a
 * transaction.
 */
export async function removeInquiry(connection: Connection, { tenantId, id }: InquiryRef): Promise<boolean> {
  await emptyAnswers(connection, { tenantId, id });
  const primaryKey = { tenant_id: idToBytes(tenantId), id: idToBytes(id) };
  return (await connection('inquiries').where(primaryKey).delete()) === 1;
}
