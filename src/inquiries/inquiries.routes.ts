import { clientRoute, type ClientRoute } from '../http/clientRoute.js';
import { entityTag } from '../http/preconditions.js';
import { Inquiry, InquiryParams, UpdateInquiry } from './inquiries.schema.js';
import { createUpdateInquiry } from './update.js';

/** The one operation on inquiries. */
export function inquiryRoutes(dependencies: Parameters<typeof createUpdateInquiry>[0]): ClientRoute[] {
  const updateInquiry = createUpdateInquiry(dependencies);
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
        const update = { place: { tenantId, id }, body, ifMatch: header('If-Match') };
        const { inquiry, revision } = await updateInquiry(update);
        return { status: 200, body: inquiry, headers: { ETag: entityTag(revision) } };
      },
    }),
  ];
}
