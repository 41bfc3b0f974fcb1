import Type, { type Static } from 'typebox';
import { Id, Timestamp, nullable, flag, oneOf } from '../api/fields.js';
import { OrderQuery, PageQuery } from '../api/paginate.js';
import { notificationStates } from '../outbox/notifications.store.js';

const WebUrl = Type.String({ format: 'web-url', description: 'http or https, without credentials' });

const Channel = oneOf(['SMS', 'EMAIL']);

/** A notification in a request. The form of `to` follows from `type`. */
export const NewNotification = Type.Object(
  {
    type: Channel,
    message: Type.String({
      minLength: 1,
      maxLength: 1600,
      format: 'prose',
      description: "Every $link is replaced by the inquiry's URL",
    }),
    to: Type.String({ description: 'SMS: a phone number in E.164. EMAIL: an address' }),
  },
  {
    additionalProperties: false,
    allOf: [
      ['SMS', 'phone'],
      ['EMAIL', 'mail'],
    ].map(([type, format]) => ({
      if: { properties: { type: { const: type } }, required: ['type'] },
      then: { properties: { to: { type: 'string', format } } },
    })),
  },
);
export type NewNotification = Static<typeof NewNotification>;

/** PATCH: every field is optional, and one must be there. */
export const UpdateInquiry = Type.Object(
  {
    externalId: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
    skipConsentMessages: Type.Optional(Type.Boolean()),
    notifications: Type.Optional(Type.Array(NewNotification, { maxItems: 20 })),
    redirect: Type.Optional(
      nullable(
        Type.Object(
          { onSuccess: Type.Optional(nullable(WebUrl)), onError: Type.Optional(nullable(WebUrl)) },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'UpdateInquiry',
    examples: [
      {
        externalId: 'customer-4711',
        notifications: [{ type: 'SMS', to: '+358401234567', message: 'Please go on here: $link' }],
        redirect: { onSuccess: 'https://shop.example/thanks', onError: null },
      },
    ],
  },
);
export type UpdateInquiry = Static<typeof UpdateInquiry>;

const { externalId, skipConsentMessages, notifications, redirect } = UpdateInquiry.properties;

export const CreateInquiry = Type.Object(
  {
    personId: Type.String({ minLength: 1, maxLength: 255, description: 'Whom it is for; encrypted at rest' }),
    externalId,
    prerequisites: Type.Optional(
      Type.Array(
        Type.Object(
          { type: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' }), url: WebUrl },
          { additionalProperties: false },
        ),
        { maxItems: 50, description: 'What the person has to complete, and where' },
      ),
    ),
    ...{ skipConsentMessages, redirect, notifications },
  },
  {
    additionalProperties: false,
    title: 'CreateInquiry',
    examples: [
      {
        personId: '120190-123X',
        externalId: 'customer-4711',
        prerequisites: [{ type: 'CONSENT', url: 'https://consent.example/4711' }],
      },
    ],
  },
);
export type CreateInquiry = Static<typeof CreateInquiry>;

export const SetPrerequisite = Type.Object(
  { completed: Type.Boolean() },
  { additionalProperties: false, title: 'SetPrerequisite', examples: [{ completed: true }] },
);

export const CompleteInquiry = Type.Object(
  {
    authorizationCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "What the person's data is fetched with" }),
    ),
  },
  { additionalProperties: false, title: 'CompleteInquiry', examples: [{}] },
);

export const InquiryQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(OrderQuery),
    externalId: Type.Optional(Type.String({ maxLength: 255 })),
    completed: Type.Optional(flag()),
  },
  { additionalProperties: false },
);

const Prerequisite = Type.Object({ id: Id, type: Type.String(), completed: Type.Boolean(), url: Type.String() });
export type Prerequisite = Static<typeof Prerequisite>;

const Notification = Type.Object({
  id: Id,
  state: oneOf(notificationStates, {
    description:
      'queued: waits, or is being sent. sent: the gateway took it. failed: refused, or given up. logged: there is no ' +
      'gateway. replaced: a later list of notifications took its place before it was sent',
  }),
  type: Channel,
  message: Type.String(),
  to: Type.String(),
});

/** A notification of an inquiry. */
export interface Notification extends NewNotification {
  /** The outbox id. */
  readonly id: string;
}

export const Inquiry = Type.Object(
  {
    id: Id,
    personId: Type.String(),
    url: Type.String({ description: 'Where the person starts the flow' }),
    externalId: nullable(Type.String()),
    skipConsentMessages: Type.Boolean(),
    completed: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    notifications: Type.Array(Notification),
    redirect: Type.Object({ onSuccess: nullable(Type.String()), onError: nullable(Type.String()) }),
    authorizationCode: nullable(Type.String()),
    prerequisites: Type.Array(Prerequisite),
  },
  { title: 'Inquiry' },
);

/** An inquiry as it is shown. */
export type Inquiry = Readonly<Static<typeof Inquiry>>;

export const InquiryParams = Type.Object({ inquiryId: Id }, { additionalProperties: false });

export const PrerequisiteParams = Type.Object({ inquiryId: Id, prerequisiteId: Id }, { additionalProperties: false });

/** An inquiry in lists: without its encrypted fields, and without what stands in other tables. */
export const InquirySummary = Type.Object(
  {
    id: Id,
    externalId: nullable(Type.String()),
    skipConsentMessages: Type.Boolean(),
    completed: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'InquirySummary', description: 'Without the person, the link, the code, notifications and prerequisites' },
);
export type InquirySummary = Readonly<Static<typeof InquirySummary>>;
