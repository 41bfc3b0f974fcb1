import Type, { type Static } from 'typebox';
import { Id, Principal, Timestamp, exampleIds, nullable, oneOf } from '../api/fields.js';

const byReference = { reference: 'order-4711' };

export const CreateErasure = Type.Object(
  {
    reference: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,255}$',
        description: "The caller's own id of the executions (Execution-Reference); this or `executionIds`",
      }),
    ),
    executionIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000 })),
  },
  { additionalProperties: false, title: 'CreateErasure', examples: [byReference] },
);
export type CreateErasure = Static<typeof CreateErasure>;

/** How far an erasure is: a receipt that never says of whom. */
export const Erasure = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    status: oneOf(['RUNNING', 'COMPLETED']),
    requested: nullable(
      Type.Integer({ minimum: 1, description: 'Executions that were named; null where it was of a reference' }),
    ),
    erased: Type.Integer({
      minimum: 0,
      description:
        'Executions that it has erased so far; those that were erased before, or are not there, do not count',
    }),
    principal: Principal('Who asked for it'),
    createdAt: Timestamp,
    completedAt: nullable(Timestamp),
  },
  {
    title: 'Erasure',
    examples: [
      {
        id: exampleIds.run,
        workspaceId: exampleIds.workspace,
        status: 'COMPLETED',
        requested: null,
        erased: 3,
        principal: `client:${exampleIds.deployment}`,
        createdAt: '2026-01-31T09:30:00.000Z',
        completedAt: '2026-01-31T09:30:14.000Z',
      },
    ],
  },
);
export type Erasure = Static<typeof Erasure>;
