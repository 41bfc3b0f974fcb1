import Type, { type Static } from 'typebox';
import { Id, Timestamp, nullable, oneOf } from '../api/fields.js';

const about = {
  inquiryId: Id,
  externalId: nullable(Type.String({ description: "The integrator's own id of the inquiry" })),
};
const notificationId = Type.String({ format: 'uuid', description: "Which of the inquiry's notifications" });
const channel = oneOf(['SMS', 'EMAIL']);

/** The envelope of every event (Standard Webhooks). */
const event = <N extends string, D extends Parameters<typeof Type.Object>[0]>(title: string, type: N, data: D) =>
  Type.Object({ type: Type.Literal(type), timestamp: Timestamp, data: Type.Object({ ...about, ...data }) }, { title });

const InquiryUpdated = event('InquiryUpdated', 'inquiry.updated', {
  completed: Type.Boolean(),
  skipConsentMessages: Type.Boolean(),
  updatedAt: Timestamp,
  prerequisites: Type.Array(Type.Object({ id: Id, type: Type.String(), completed: Type.Boolean() })),
});

const InquiryCompleted = event('InquiryCompleted', 'inquiry.completed', { updatedAt: Timestamp });

const PrerequisiteCompleted = event('PrerequisiteCompleted', 'prerequisite.completed', {
  prerequisite: Type.Object({ id: Id, type: Type.String() }),
});

const NotificationDelivered = event('NotificationDelivered', 'notification.delivered', {
  notificationId,
  notification: Type.Object({ id: notificationId, type: channel }),
});

const NotificationFailed = event('NotificationFailed', 'notification.failed', {
  notificationId,
  notification: Type.Object({
    id: notificationId,
    type: channel,
    reason: oneOf(['refused', 'undeliverable'], {
      description: 'refused: for good, by the gateway. undeliverable: given up after the last attempt',
    }),
  }),
});

const inquiry = { inquiryId: '019c0e0a-7c00-7abc-8def-0123456789ab', externalId: 'customer-4711' };
const timestamp = '2026-01-31T09:30:00.000Z';
const id = '019c0e0a-7c11-7abc-8def-0123456789ab';

/** Each event that a tenant's callback can receive, with an example. */
export const events = [
  {
    operationId: 'onInquiryUpdated',
    schema: InquiryUpdated,
    summary: 'An inquiry was changed, by the API or by what its person did',
    example: {
      type: 'inquiry.updated',
      timestamp,
      data: {
        ...inquiry,
        completed: false,
        skipConsentMessages: false,
        updatedAt: '2026-01-31T09:29:59.871Z',
        prerequisites: [{ id: '019c0e0a-7c01-7abc-8def-0123456789ab', type: 'CONSENT', completed: true }],
      },
    } satisfies Static<typeof InquiryUpdated>,
  },
  {
    operationId: 'onInquiryCompleted',
    schema: InquiryCompleted,
    summary: 'All that an inquiry asks for is done',
    example: {
      type: 'inquiry.completed',
      timestamp,
      data: { ...inquiry, updatedAt: '2026-01-31T09:29:59.871Z' },
    } satisfies Static<typeof InquiryCompleted>,
  },
  {
    operationId: 'onPrerequisiteCompleted',
    schema: PrerequisiteCompleted,
    summary: 'The person has completed a prerequisite',
    example: {
      type: 'prerequisite.completed',
      timestamp,
      data: { ...inquiry, prerequisite: { id: '019c0e0a-7c01-7abc-8def-0123456789ab', type: 'CONSENT' } },
    } satisfies Static<typeof PrerequisiteCompleted>,
  },
  {
    operationId: 'onNotificationDelivered',
    schema: NotificationDelivered,
    summary: 'The gateway took a notification',
    example: {
      type: 'notification.delivered',
      timestamp,
      data: { ...inquiry, notificationId: id, notification: { id, type: 'SMS' } },
    } satisfies Static<typeof NotificationDelivered>,
  },
  {
    operationId: 'onNotificationFailed',
    schema: NotificationFailed,
    summary: 'A notification was refused, or given up',
    example: {
      type: 'notification.failed',
      timestamp,
      data: { ...inquiry, notificationId: id, notification: { id, type: 'EMAIL', reason: 'refused' } },
    } satisfies Static<typeof NotificationFailed>,
  },
] as const;
