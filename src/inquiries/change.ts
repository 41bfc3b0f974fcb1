import { eventBody } from '../outbox/events.js';
import { replaceNotifications } from '../outbox/notifications.store.js';
import { enqueue, type NewMessage } from '../outbox/outbox.store.js';
import { newId } from '../storage/ids.js';
import type { Inquiry, Redirect, UpdateInquiry } from './inquiries.schema.js';
import { updateInquiry, type InquiryFields, type Store, type StoredInquiry } from './inquiries.store.js';

/** The fields that a PATCH changes; notifications always count, because each list given is sent. */
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
    ...(notifications === undefined || emptyAgain
      ? {}
      : { notifications: notifications.map((each) => ({ ...each, id: newId(), state: 'queued' as const })) }),
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
  readonly messages: readonly NewMessage[];
}

export function changeOf(
  tenantId: string,
  stored: StoredInquiry,
  fields: InquiryFields,
  prerequisites: Inquiry['prerequisites'] = stored.inquiry.prerequisites,
): Change {
  const inquiry = { ...stored.inquiry, ...fields, prerequisites, updatedAt: new Date().toISOString() };
  const place = { tenantId, inquiryId: inquiry.id };
  const messages: NewMessage[] = (fields.notifications ?? []).map(({ id, type, to, message }) => ({
    ...place,
    id,
    content: { channel: type, to, message, link: inquiry.url },
  }));
  if (stored.hasCallback) messages.push({ ...place, content: { channel: 'WEBHOOK', body: updatedEvent(inquiry) } });
  return { tenantId, stored, fields, inquiry, messages };
}

/** Writes a change with its messages, in the transaction that holds the inquiry. Returns the inquiry as it is then. */
export async function writeChange(store: Store, change: Change): Promise<StoredInquiry> {
  const { tenantId, stored, fields, inquiry, messages } = change;
  const revision = stored.revision + 1;
  const updatedAt = new Date(inquiry.updatedAt);
  if (fields.notifications !== undefined) {
    const before = stored.inquiry.notifications.map(({ id }) => id);
    await replaceNotifications(store.connection, tenantId, before);
  }
  await updateInquiry(store, { tenantId, id: inquiry.id }, { fields, revision, updatedAt });
  await enqueue(store, messages);
  return { ...stored, inquiry, revision };
}

/** Holds no personal data, link or code: receivers need only what to do next. */
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
