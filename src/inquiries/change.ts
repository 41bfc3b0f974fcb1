import { Problem } from '../errors.js';
import { eventBody } from '../outbox/events.js';
import { replaceNotifications } from '../outbox/notifications.store.js';
import { enqueue, type NewMessage } from '../outbox/outbox.store.js';
import { newId } from '../storage/ids.js';
import { invalid } from '../workspaces/checkedInput.js';
import type { Inquiry, NewNotification, UpdateInquiry } from './inquiries.schema.js';
import {
  setCompleted,
  updateInquiry,
  type InquiryFields,
  type InquiryRef,
  type Store,
  type StoredInquiry,
} from './inquiries.store.js';

/** What becomes of an inquiry; nothing in it where nothing changes. */
interface Effects {
  readonly fields: InquiryFields;
  readonly prerequisites?: Inquiry['prerequisites'];
}

/** What a request does to the inquiry that it has locked: null removes it. Throws what refuses the request. */
export type Changing = (inquiry: Inquiry) => Effects | null;

/** PATCH: the fields that differ; notifications always count, because each list given is sent. */
export const patching =
  ({ externalId, skipConsentMessages, notifications, redirect: given }: UpdateInquiry): Changing =>
  (present) => {
    const redirect = mergedRedirect(present.redirect, given);
    const { onSuccess, onError } = present.redirect;
    const emptyAgain = notifications?.length === 0 && present.notifications.length === 0;
    return {
      fields: {
        ...(externalId === undefined || externalId === present.externalId ? {} : { externalId }),
        ...(skipConsentMessages === undefined || skipConsentMessages === present.skipConsentMessages
          ? {}
          : { skipConsentMessages }),
        ...(redirect.onSuccess === onSuccess && redirect.onError === onError ? {} : { redirect }),
        ...(notifications === undefined || emptyAgain ? {} : { notifications: notifications.map(queued) }),
      },
    };
  };

export const queued = (notification: NewNotification): Inquiry['notifications'][number] => ({
  ...notification,
  id: newId(),
  state: 'queued',
});

type Redirect = Inquiry['redirect'];

/** The redirects after an update: null clears a field, or both; a field that is left out stays. */
export function mergedRedirect(present: Redirect, update: UpdateInquiry['redirect']): Redirect {
  if (update === null) return { onSuccess: null, onError: null };
  const { onSuccess = present.onSuccess, onError = present.onError } = update ?? {};
  return { onSuccess, onError };
}

interface Completion {
  /** Ids of the prerequisites that are now complete; none: all of them. */
  readonly prerequisites: readonly string[];
  /** What the government portal gave for the person's data. */
  readonly authorizationCode: string | undefined;
}

/** What the person has done: prerequisites, and the inquiry itself once all of them are complete. */
export const completing =
  ({ prerequisites: wanted, authorizationCode }: Completion): Changing =>
  (inquiry) => {
    const unknown = wanted.filter((id) => !inquiry.prerequisites.some((each) => each.id === id));
    if (unknown.length > 0) throw invalid(`The inquiry has no prerequisite ${unknown.join(', ')}.`);
    const { fields, ...rest } = settled(
      inquiry,
      ({ id, completed }) => completed || wanted.length === 0 || wanted.includes(id),
    );
    const isNew = authorizationCode !== undefined && authorizationCode !== inquiry.authorizationCode;
    return { ...rest, fields: { ...fields, ...(isNew ? { authorizationCode } : {}) } };
  };

/** One prerequisite; one that is taken back takes back the inquiry's completion too. */
export const settingPrerequisite =
  (id: string, completed: boolean): Changing =>
  (inquiry) => {
    if (!inquiry.prerequisites.some((each) => each.id === id)) {
      throw new Problem('prerequisite_not_found', `The inquiry has no prerequisite ${id}.`);
    }
    return settled(inquiry, (each) => (each.id === id ? completed : each.completed));
  };

/** An inquiry is complete when all its prerequisites are. */
function settled(inquiry: Inquiry, isComplete: (each: Inquiry['prerequisites'][number]) => boolean): Effects {
  const prerequisites = inquiry.prerequisites.map((each) => ({ ...each, completed: isComplete(each) }));
  const completed = prerequisites.every((each) => each.completed);
  const differ = prerequisites.some((each, index) => each.completed !== inquiry.prerequisites[index]?.completed);
  return {
    fields: completed === inquiry.completed ? {} : { completed },
    ...(differ ? { prerequisites } : {}),
  };
}

/** A change of an inquiry with all that follows from it, to be written as a whole. */
interface Change {
  readonly ref: InquiryRef;
  readonly stored: StoredInquiry;
  readonly effects: Effects;
  /** The inquiry as it will be. */
  readonly inquiry: Inquiry;
  /** The notifications, and the events where the tenant has a callback. */
  readonly messages: readonly NewMessage[];
}

/** Undefined where nothing changes. */
export function changeOf(tenantId: string, stored: StoredInquiry, effects: Effects): Change | undefined {
  const { fields, prerequisites = stored.inquiry.prerequisites } = effects;
  if (Object.keys(fields).length === 0 && effects.prerequisites === undefined) return undefined;
  const inquiry = { ...stored.inquiry, ...fields, prerequisites, updatedAt: new Date().toISOString() };
  const events = stored.hasCallback ? eventsOf(stored.inquiry, inquiry) : [];
  const messages = [
    ...notificationsOf(tenantId, { ...inquiry, notifications: fields.notifications ?? [] }),
    ...events.map((body) => ({
      tenantId,
      inquiryId: inquiry.id,
      content: { channel: 'WEBHOOK' as const, body },
    })),
  ];
  return { ref: { tenantId, id: inquiry.id }, stored, effects, inquiry, messages };
}

/** The messages that an inquiry's notifications are sent as. */
export const notificationsOf = (tenantId: string, { id: inquiryId, url, notifications }: Inquiry): NewMessage[] =>
  notifications.map(({ id, type, to, message }) => ({
    ...{ tenantId, inquiryId, id },
    content: { channel: type, to, message, link: url },
  }));

/** Writes a change with its messages, in the transaction that holds the inquiry. Returns the inquiry as it is then. */
export async function writeChange(store: Store, change: Change): Promise<StoredInquiry> {
  const { ref, stored, effects, inquiry, messages } = change;
  const revision = stored.revision + 1;
  if (effects.fields.notifications !== undefined) {
    const before = stored.inquiry.notifications.map(({ id }) => id);
    await replaceNotifications(store.connection, ref.tenantId, before);
  }
  await setCompleted(store, ref, effects.prerequisites ?? []);
  await updateInquiry(store, ref, { fields: effects.fields, revision, updatedAt: inquiry.updatedAt });
  await enqueue(store, messages);
  return { ...stored, inquiry, revision };
}

/** Bodies without personal data, link or code: receivers need only what to do next. */
function eventsOf(before: Inquiry, after: Inquiry): string[] {
  const { id: inquiryId, externalId, completed, skipConsentMessages, updatedAt } = after;
  const prerequisites = after.prerequisites.map((each) => ({
    id: each.id,
    type: each.type,
    completed: each.completed,
  }));
  const done = prerequisites.filter(
    (each, index) => each.completed && before.prerequisites[index]?.completed === false,
  );
  const about = { inquiryId, externalId };
  return [
    eventBody('inquiry.updated', { ...about, completed, skipConsentMessages, updatedAt, prerequisites }),
    ...done.map(({ id, type }) => eventBody('prerequisite.completed', { ...about, prerequisite: { id, type } })),
    ...(completed && !before.completed ? [eventBody('inquiry.completed', { ...about, updatedAt })] : []),
  ];
}
