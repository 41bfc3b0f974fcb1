import Type, { type Static } from 'typebox';
import { Id } from '../../api/fields.js';
import { maxItems } from '../../http/body/itemsBody.js';

/** What an outcome is called. */
export const OutcomeName = Type.String({ trimmedLength: [1, 100] });

/** A text, number, boolean or null. */
export const Scalar = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: 255,
});

const example = { reference: 'order-4711', name: 'paid back', value: true, at: '2026-01-31T09:30:00.000Z' };

export const Outcome = Type.Object(
  {
    reference: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,255}$',
        description: "The caller's own id of the executions (Execution-Reference); this or `executionId`",
      }),
    ),
    executionId: Type.Optional(Id),
    name: OutcomeName,
    value: Scalar,
    at: Type.Optional(
      Type.String({
        format: 'timestamp',
        description: 'When it was so, not in the future; the value of the latest time counts. Else: now',
      }),
    ),
  },
  { additionalProperties: false, title: 'Outcome', examples: [example] },
);
export type Outcome = Static<typeof Outcome>;

export const WriteOutcomes = Type.Object(
  { outcomes: Type.Array(Outcome, { minItems: 1, maxItems }) },
  { additionalProperties: false, title: 'WriteOutcomes', examples: [{ outcomes: [example] }] },
);

const counts = {
  added: Type.Integer({ minimum: 0, description: 'Values that were not known before' }),
  unchanged: Type.Integer({ minimum: 0 }),
};

export const OutcomesWritten = Type.Object(counts, {
  title: 'OutcomesWritten',
  examples: [{ added: 1, unchanged: 0 }],
});

export const OutcomesSummary = Type.Object(
  { summary: Type.Object({ ...counts, refused: Type.Integer({ minimum: 0 }) }) },
  { title: 'OutcomesSummary', examples: [{ summary: { added: 1, unchanged: 0, refused: 0 } }] },
);

export const RefusedOutcome = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Which line of the request; from 0' }),
    code: Type.String({ description: 'As in problems: `validation_failed`' }),
    errors: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'What is wrong with the line' }),
  },
  {
    title: 'RefusedOutcome',
    examples: [
      {
        index: 3,
        code: 'validation_failed',
        errors: [{ in: 'body', pointer: '/name', message: 'is required' }],
      },
    ],
  },
);
