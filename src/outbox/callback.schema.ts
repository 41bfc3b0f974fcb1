import Type, { type Static } from 'typebox';
import { eventKinds, type EventKind } from '../events/kinds.js';

const Kinds = Type.Array(Type.Unsafe<EventKind>({ type: 'string', enum: [...eventKinds] }), {
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
export type WriteWorkspaceCallback = Static<typeof WriteWorkspaceCallback>;
