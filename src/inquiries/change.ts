import type { Content } from '../outbox/message.js';
import { eventBody } from '../outbox/events.js';
import { enqueue } from '../outbox/outbox.store.js';
import type { Inquiry, Notification, Redirect, UpdateInquiry } from './inquiries.schema.js';
import { updateInquiry, type InquiryFields, type Store, type StoredInquiry } from './inquiries.store.js';

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

/** A change of an inquiry with all that follows from it, to be written as a whole. */
export interface Change {
  readonly tenantId: string;
  readonly stored: StoredInquiry;
  readonly fields: InquiryFields;
  /** The inquiry as it will be. */
  readonly inquiry: Inquiry;
  /** The notifications, and the event where the tenant has a callback. */
  readonly contents: readonly Content[];
}

export function changeOf(
  tenantId: string,
  stored: StoredInquiry,
  fields: InquiryFields,
  prerequisites: Inquiry['prerequisites'] = stored.inquiry.prerequisites,
): Change {
  const inquiry = { ...stored.inquiry, ...fields, prerequisites, updatedAt: new Date().toISOString() };
  const contents: Content[] = (fields.notifications ?? []).map((notification) => contentOf(notification, inquiry.url));
  if (stored.hasCallback) contents.push({ channel: 'WEBHOOK', body: updatedEvent(inquiry) });
  return { tenantId, stored, fields, inquiry, contents };
}

/** Writes a change with its contents, in the transaction that holds the inquiry. Returns the inquiry as it is then. */
export async function writeChange(store: Store, change: Change): Promise<StoredInquiry> {
  const { tenantId, stored, fields, inquiry, contents } = change;
  const revision = stored.revision + 1;
  await updateInquiry(
    store,
    { tenantId, id: inquiry.id },
    { fields, revision, updatedAt: new Date(inquiry.updatedAt) },
  );
  await enqueue(
    store,
    contents.map((content) => ({ tenantId, inquiryId: inquiry.id, content })),
  );
  return { ...stored, inquiry, revision };
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
