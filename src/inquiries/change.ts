import type { Content } from '../outbox/message.js';
import { eventBody } from '../outbox/events.js';
import { enqueue } from '../outbox/outbox.store.js';
import type { Inquiry, Notification, Redirect, UpdateInquiry } from './inquiries.schema.js';
import { updateInquiry, type InquiryFields, type Place, type Store, type StoredInquiry } from './inquiries.store.js';

/** What a PATCH sets that is not so already; notifications always, since each list given is sent. */
export function changedFields(present: Inquiry, update: UpdateInquiry): InquiryFields {
  const { externalId, skipConsentMessages, notifications } = update;
  const redirect = mergedRedirect(present.redirect, update.redirect);
  const { onSuccess, onError } = present.redirect;
  const emptyAgain = notifications?.length === 0 && present.notifications.length === 0;
  return {
    ...(externalId === undefined || externalId === present.externalId ? {} : { externalId }),
    ...(skipConsentMessages === undefined || skipConsentMessages === present.skipConsentMessages
      ? {}
      : { skipConsentMessages }),
    ...(redirect.onSuccess === onSuccess && redirect.onError === onError ? {} : { redirect }),
    ...(notifications === undefined || emptyAgain ? {} : { notifications }),
  };
}

/** By field; null clears a field, or both. */
function mergedRedirect(present: Redirect, update: UpdateInquiry['redirect']): Redirect {
  if (update === null) return { onSuccess: null, onError: null };
  const { onSuccess = present.onSuccess, onError = present.onError } = update ?? {};
  return { onSuccess, onError };
}

/**
 * Writes a change of an inquiry that is locked, and queues what follows from it: the notifications, and the event
 * where the tenant has a callback.
 */
export async function writeChange(
  store: Store,
  tenantId: string,
  {
    stored,
    fields,
    prerequisites,
  }: { stored: StoredInquiry; fields: InquiryFields; prerequisites?: Inquiry['prerequisites'] },
): Promise<StoredInquiry> {
  const updatedAt = new Date();
  const place: Place = { tenantId, id: stored.inquiry.id };
  await updateInquiry(store, place, { fields, updatedAt });
  const inquiry: Inquiry = {
    ...stored.inquiry,
    ...fields,
    ...(prerequisites === undefined ? {} : { prerequisites }),
    updatedAt: updatedAt.toISOString(),
  };
  const contents: Content[] = (fields.notifications ?? []).map((notification) => contentOf(notification, inquiry.url));
  if (stored.hasCallback) contents.push({ channel: 'WEBHOOK', body: updatedEvent(inquiry) });
  await enqueue(
    store,
    contents.map((content) => ({ tenantId, inquiryId: inquiry.id, content })),
  );
  return { ...stored, inquiry, revision: stored.revision + 1 };
}

const contentOf = ({ type, to, message }: Notification, link: string): Content => ({
  channel: type,
  to,
  message,
  link,
});

/** It names no person and holds no link or code: whoever gets it asks for nothing more than what to do next. */
function updatedEvent({ id, externalId, completed, skipConsentMessages, updatedAt, prerequisites }: Inquiry): string {
  return eventBody('inquiry.updated', {
    inquiryId: id,
    externalId,
    completed,
    skipConsentMessages,
    updatedAt,
    prerequisites: prerequisites.map((each) => ({ id: each.id, type: each.type, completed: each.completed })),
  });
}
