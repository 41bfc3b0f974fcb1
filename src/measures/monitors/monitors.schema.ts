import Type, { type Static } from 'typebox';
import { Id, JsonPointer, Name, Timestamp, exampleIds, nullable, oneOf } from '../../api/fields.js';

const ResultMeasure = Type.Object(
  {
    pointer: JsonPointer({ minLength: 1, maxLength: 200, description: 'One of the measured fields' }),
    equals: Type.Optional(
      Type.Unsafe<string | boolean | null>({
        type: ['string', 'boolean', 'null'],
        maxLength: 190,
        description: 'The share of results with that value; may be left out for drift, which then is of all values',
      }),
    ),
  },
  { title: 'ResultMeasure', additionalProperties: false },
);

const fields = {
  name: Name,
  environmentId: Id,
  decisionId: Id,
  measure: Type.Unsafe<'failed' | 'p99' | Static<typeof ResultMeasure>>({
    if: { type: 'object' },
    then: ResultMeasure,
    else: { type: 'string', enum: ['failed', 'p99'] },
    documentedAs: { anyOf: [{ type: 'string', enum: ['failed', 'p99'] }, ResultMeasure] },
    description:
      '`failed`: the share of executions that failed; `p99`: milliseconds in the engine; or a share of results',
  }),
  window: oneOf(['1h', '24h'], { description: 'The present hour of the clock and the one before, or the 24 before' }),
  condition: Type.String({
    maxLength: 40,
    format: 'monitor-condition',
    description: '`> 0.2`, also with `>=`, `<`, `<=`; or `drift > 0.2`: the population stability index',
  }),
};

const example = {
  name: 'Refusals',
  environmentId: exampleIds.environment,
  decisionId: exampleIds.decision,
  measure: { pointer: '/decision', equals: 'refused' },
  window: '1h' as const,
  condition: '> 0.2',
};

export const CreateMonitor = Type.Object(fields, {
  title: 'CreateMonitor',
  additionalProperties: false,
  examples: [example],
});
export type CreateMonitor = Static<typeof CreateMonitor>;

export const Monitor = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    ...fields,
    state: oneOf(['CLEAR', 'TRIPPED']),
    value: nullable(
      Type.Number({ description: 'What the condition was held against the last time; null before there was enough' }),
    ),
    changedAt: nullable(Timestamp),
    lookedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  {
    title: 'Monitor',
    examples: [
      {
        id: exampleIds.run,
        workspaceId: exampleIds.workspace,
        ...example,
        state: 'TRIPPED',
        value: 0.24,
        changedAt: '2026-01-31T09:30:00.000Z',
        lookedAt: '2026-01-31T09:30:05.000Z',
        createdAt: '2026-01-30T09:30:00.000Z',
      },
    ],
  },
);
export type Monitor = Static<typeof Monitor>;
