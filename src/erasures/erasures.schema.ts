import Type, { type Static } from 'typebox';
import { Id, exampleIds } from '../api/fields.js';

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

export const Erasure = Type.Object({ id: Id }, { title: 'Erasure', examples: [{ id: exampleIds.run }] });
