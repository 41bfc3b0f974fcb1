import type { Actor } from '../audit/actor.js';
import { tenantEntry, type NewAuditEntry } from '../audit/audit.store.js';
import type { Inquiry } from './inquiries.schema.js';
import type { InquiryRef } from './inquiries.store.js';

/** The audit entry of a write, without personal data: no links, codes, addresses or messages. */
export const inquiryEntry = (
  actor: Actor,
  { tenantId, id }: InquiryRef,
  {
    verb,
    before,
    after,
  }: {
    readonly verb: 'create' | 'update' | 'complete' | 'delete';
    readonly before: Inquiry | null;
    readonly after: Inquiry | null;
  },
): NewAuditEntry =>
  tenantEntry(actor, tenantId, {
    action: `inquiry.${verb}`,
    resource: { type: 'inquiry', id },
    before: before && audited(before),
    after: after && audited(after),
  });

const audited = (inquiry: Inquiry): object => ({
  id: inquiry.id,
  externalId: inquiry.externalId,
  skipConsentMessages: inquiry.skipConsentMessages,
  completed: inquiry.completed,
  redirect: inquiry.redirect,
  notifications: inquiry.notifications.map(({ type, state }) => ({ type, state })),
  prerequisites: inquiry.prerequisites.map(({ id, type, completed }) => ({ id, type, completed })),
  createdAt: inquiry.createdAt,
  updatedAt: inquiry.updatedAt,
});
