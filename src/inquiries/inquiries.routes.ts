import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { clientRoute, type ClientRoute } from '../http/clientRoute.js';
import { entityTag, requireMatch } from '../http/preconditions.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { changedFields, writeChange } from './change.js';
import { Inquiry, InquiryParams, UpdateInquiry } from './inquiries.schema.js';
import { findInquiry, type StoredInquiry } from './inquiries.store.js';

export interface InquiryDependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** Messages were queued. */
  readonly wakeOutbox: () => void;
}

/** The one operation on inquiries. */
export function inquiryRoutes({ database, encryption, wakeOutbox }: InquiryDependencies): ClientRoute[] {
  return [
    clientRoute({
      method: 'PATCH',
      path: '/fuse/v2/inquiries/{inquiryId}',
      operationId: 'updateInquiry',
      tag: 'Inquiries',
      summary: 'Update an inquiry, and notify the person',
      scope: 'inquiry:update',
      params: InquiryParams,
      body: UpdateInquiry,
      requestHeaders: ['If-Match'],
      replyHeaders: ['ETag'],
      replies: { 200: Inquiry },
      problems: ['inquiry_not_found', 'precondition_failed', 'too_many_requests'],
      async handle({ principal: { tenantId }, params: { inquiryId: id }, body, header }) {
        const { inquiry, revision } = await inTransaction(database, async (connection) => {
          const store = { connection, encryption };
          const stored = existing(await findInquiry(store, { tenantId, id }, true), id);
          requireMatch(header('If-Match'), stored.revision);
          const fields = changedFields(stored.inquiry, body);
          return Object.keys(fields).length === 0 ? stored : writeChange(store, tenantId, { stored, fields });
        });
        wakeOutbox();
        return { status: 200, body: inquiry, headers: { ETag: entityTag(revision) } };
      },
    }),
  ];
}

function existing(stored: StoredInquiry | undefined, id: string): StoredInquiry {
  if (stored === undefined) throw new Problem('inquiry_not_found', `There is no inquiry ${id}.`);
  return stored;
}
