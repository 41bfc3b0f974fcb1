import Type, { type TObject, type TProperties } from 'typebox';
import { Id, Timestamp, nullable, oneOf } from '../api/fields.js';

/** The event `version.saved` as `VersionSaved`. */
const camel = (kind: string): string => kind.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** An event that a callback can receive, in the envelope of all of them (Standard Webhooks). */
export const webhookOf = (kind: string, summary: string, { data, example }: { data: TObject; example: object }) => ({
  operationId: `on${camel(kind)}`,
  summary,
  schema: Type.Object({ type: Type.Literal(kind), timestamp: Timestamp, data }, { title: camel(kind) }),
  example: { type: kind, timestamp: '2026-01-31T09:30:00.000Z', data: example },
});

const about = {
  inquiryId: Id,
  externalId: nullable(Type.String({ description: "The integrator's own id of the inquiry" })),
};
const inquiry = { inquiryId: '019c0e0a-7c00-7abc-8def-0123456789ab', externalId: 'customer-4711' };
const notificationId = Type.String({ format: 'uuid', description: "Which of the inquiry's notifications" });
const type = oneOf(['SMS', 'EMAIL']);
const id = '019c0e0a-7c11-7abc-8def-0123456789ab';
const updatedAt = '2026-01-31T09:29:59.871Z';
const prerequisite = { id: '019c0e0a-7c01-7abc-8def-0123456789ab', type: 'CONSENT' };

/** What each kind of event tells besides the inquiry, and an example of that. */
const kinds: readonly (readonly [kind: string, summary: string, data: TProperties, example: object])[] = [
  [
    'inquiry.updated',
    'An inquiry was changed, by the API or by what its person did',
    {
      completed: Type.Boolean(),
      skipConsentMessages: Type.Boolean(),
      updatedAt: Timestamp,
      prerequisites: Type.Array(Type.Object({ id: Id, type: Type.String(), completed: Type.Boolean() })),
    },
    { completed: false, skipConsentMessages: false, updatedAt, prerequisites: [{ ...prerequisite, completed: true }] },
  ],
  ['inquiry.completed', 'All that an inquiry asks for is done', { updatedAt: Timestamp }, { updatedAt }],
  [
    'prerequisite.completed',
    'The person has completed a prerequisite',
    { prerequisite: Type.Object({ id: Id, type: Type.String() }) },
    { prerequisite },
  ],
  [
    'notification.delivered',
    'The gateway took a notification',
    { notificationId, notification: Type.Object({ id: notificationId, type }) },
    { notificationId: id, notification: { id, type: 'SMS' } },
  ],
  [
    'notification.failed',
    'A notification was refused, or given up',
    {
      notificationId,
      notification: Type.Object({
        id: notificationId,
        type,
        reason: oneOf(['refused', 'undeliverable'], {
          description: 'refused: for good, by the gateway. undeliverable: given up after the last attempt',
        }),
      }),
    },
    { notificationId: id, notification: { id, type: 'EMAIL', reason: 'refused' } },
  ],
];

/** Each event that a tenant's callback can receive, with an example. */
export const events = kinds.map(([kind, summary, data, example]) =>
  webhookOf(kind, summary, {
    data: Type.Object({ ...about, ...data }),
    example: { ...inquiry, ...example },
  }),
);
