import { actorOf } from '../audit/actor.js';
import type { Knex } from 'knex';
import { clientRoute, type ClientRoute } from '../http/routes/clientRoute.js';
import { isCurrentTag } from '../http/routes/preconditions.js';
import { readIdempotencyKey } from '../runs/idempotency.js';
import type { Encryption } from '../storage/encryption.js';
import { Inquiry, InquiryParams, UpdateInquiry } from './inquiries.schema.js';
import { readInquiry } from './inquiries.service.js';
import { represent } from './representation.js';
import type { Update, Updated } from './update.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly updateInquiry: (update: Update) => Promise<Updated>;
}

const path = '/fuse/v2/inquiries/{inquiryId}';
const tag = 'Inquiries';
/** Answers hold a person, a link that opens the flow and a code that fetches data. */
const unstored = { 'Cache-Control': 'no-store' } as const;

/** What integrators do with inquiries. */
export function inquiryRoutes({ database, encryption, updateInquiry }: Dependencies): ClientRoute[] {
  return [
    clientRoute({
      method: 'GET',
      path,
      operationId: 'getInquiry',
      tag,
      summary: 'Get an inquiry, with what has become of its notifications',
      scope: 'inquiry:read',
      orScope: 'inquiry:update',
      params: InquiryParams,
      requestHeaders: ['If-None-Match'],
      replyHeaders: ['ETag', 'Cache-Control'],
      replies: { 200: Inquiry, 304: null },
      problems: ['inquiry_not_found', 'too_many_requests'],
      async handle({ principal: { tenantId }, params: { inquiryId: id }, header }) {
        const { body, etag } = represent(await readInquiry({ database, encryption }, { tenantId, id }));
        const headers = { ETag: etag, ...unstored };
        return isCurrentTag(header('If-None-Match'), etag) ? { status: 304, headers } : { status: 200, body, headers };
      },
    }),
    clientRoute({
      method: 'PATCH',
      path,
      operationId: 'updateInquiry',
      tag,
      summary: 'Update an inquiry, and notify the person',
      scope: 'inquiry:update',
      params: InquiryParams,
      body: UpdateInquiry,
      requestHeaders: ['If-Match', 'Idempotency-Key'],
      replyHeaders: ['ETag', 'Cache-Control', 'Idempotency-Replayed'],
      replies: { 200: Inquiry },
      problems: ['inquiry_not_found', 'idempotency_key_reused', 'precondition_failed', 'too_many_requests'],
      async handle(request) {
        const { principal, params, body, bodyText, header } = request;
        const { tenantId, name } = principal;
        const key = readIdempotencyKey(header('Idempotency-Key'));
        const keyed = key === undefined ? undefined : { principal: name, key, bodyText };
        const updated = await updateInquiry({
          actor: actorOf(request),
          place: { tenantId, id: params.inquiryId },
          body,
          ifMatch: header('If-Match'),
          keyed,
        });
        const replayed = updated.replayed ? { 'Idempotency-Replayed': 'true' } : {};
        return { status: 200, body: updated.body, headers: { ETag: updated.etag, ...unstored, ...replayed } };
      },
    }),
  ];
}
