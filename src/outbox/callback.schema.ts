import Type from 'typebox';
import { Timestamp, exampleIds, nullable, oneOf } from '../api/fields.js';
import { eventKinds } from '../events/kinds.js';

const Kinds = Type.Array(oneOf(eventKinds), {
  minItems: 1,
  maxItems: eventKinds.length,
  uniqueItems: true,
  description: '`execution.failed` is sampled: at most one a second',
});
const Url = Type.String({ format: 'web-url', maxLength: 2048 });
const example = { url: 'https://hooks.example/verdict', kinds: ['change.requested', 'change.applied'] };

export const WorkspaceCallback = Type.Object(
  {
    url: Type.String(),
    kinds: Kinds,
    secret: Type.Optional(Type.String({ description: 'What signs the events: shown once, when it is made' })),
  },
  { title: 'WorkspaceCallback', examples: [example] },
);

export const WriteWorkspaceCallback = Type.Object(
  { url: Url, kinds: Kinds },
  { title: 'WriteWorkspaceCallback', additionalProperties: false, examples: [example] },
);
export const NewCallbackSecret = Type.Object(
  {
    secret: Type.String({ description: 'Shown this once' }),
    previousExpiresAt: Timestamp,
  },
  {
    title: 'NewCallbackSecret',
    description: 'Until `previousExpiresAt` events are signed with the secret before as well',
  },
);

export const CallbackPing = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id` of the event' }),
    url: Type.String(),
    delivered: Type.Boolean({ description: 'The receiver answered 2xx' }),
    status: nullable(Type.Integer({ description: 'What the receiver answered; null where it gave no answer' })),
    error: nullable(Type.String({ description: 'Why it was not delivered' })),
    ms: Type.Integer({ minimum: 0 }),
  },
  {
    title: 'CallbackPing',
    examples: [{ id: exampleIds.run, url: example.url, delivered: true, status: 204, error: null, ms: 12 }],
  },
);
