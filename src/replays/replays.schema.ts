import Type, { type Static } from 'typebox';
import { Id, JsonPointer, Timestamp, exampleIds, oneOf } from '../api/fields.js';
import { OrderQuery, PageQuery } from '../api/paginate.js';
import { ReplayReport, comparisonExample, comparisonFields, references } from './comparisons.schema.js';

const Version = Type.Integer({ minimum: 0, maximum: 999_999_999 });
const Time = Type.String({ format: 'timestamp' });

/** The most executions that one replay runs, and how many it runs unless it is told. */
const maxLimit = 100_000;
export const defaultLimit = 10_000;

export const CreateReplay = Type.Object(
  {
    ...references,
    candidate: Type.Object(
      { version: { ...Version, description: '0 for the working copy' } },
      { additionalProperties: false },
    ),
    from: Type.Optional({ ...Time, description: 'Executions from then on' }),
    to: Type.Optional({ ...Time, description: 'Executions before then: for the whole of a day, the next one' }),
    filter: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(oneOf(['COMPLETED', 'FAILED'])),
          version: Type.Optional({ ...Version, description: 'Executions of that version' }),
        },
        { additionalProperties: false },
      ),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'The newest so many' }),
    ),
    ...comparisonFields,
  },
  {
    title: 'CreateReplay',
    additionalProperties: false,
    examples: [
      {
        decisionId: exampleIds.decision,
        environmentId: exampleIds.environment,
        candidate: { version: 4 },
        limit: 10_000,
        ignore: ['/offers/*/id'],
        tolerance: 0.005,
        measures: [{ name: 'mean rate', expression: 'result.rate', aggregate: 'mean' }],
      },
    ],
  },
);
export type CreateReplay = Static<typeof CreateReplay>;

const replayStatuses = ['RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;

export const Replay = Type.Object(
  {
    id: Id,
    status: oneOf(replayStatuses),
    done: Type.Integer({
      minimum: 0,
      description: 'Executions that were looked at, those that were skipped among them',
    }),
    total: Type.Integer({ minimum: 0, description: 'Executions that are to be; 0 until they were counted' }),
    report: ReplayReport,
    request: Type.Unsafe<CreateReplay>({ ...CreateReplay, title: 'ReplayRequest', description: 'What was asked for' }),
    error: Type.Optional(Type.String({ description: 'Why it FAILED' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Replay',
    examples: [
      {
        id: exampleIds.run,
        status: 'COMPLETED',
        done: 10_012,
        total: 10_012,
        ...comparisonExample,
        request: {
          decisionId: exampleIds.decision,
          environmentId: exampleIds.environment,
          candidate: { version: 4 },
          limit: 10_012,
          measures: [{ name: 'mean rate', expression: 'result.rate', aggregate: 'mean' }],
        },
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:04.000Z',
      },
    ],
  },
);

export const ReplaysQuery = Type.Object(
  { ...PageQuery.properties, order: Type.Optional(OrderQuery) },
  { additionalProperties: false },
);

const { size, after } = PageQuery.properties;
export const ReplayDifferencesQuery = Type.Object(
  {
    pointer: Type.Optional(
      JsonPointer({ maxLength: 4096, description: 'Those that changed there: a JSON Pointer as `fields` has it' }),
    ),
    size,
    after,
  },
  { additionalProperties: false },
);

export const ReplayDifference = Type.Object(
  {
    executionId: Id,
    reference: Type.Union([Type.String(), Type.Null()], { description: "The execution's own Execution-Reference" }),
    changes: Type.Array(
      Type.Object({
        pointer: Type.String({ description: 'JSON Pointer (RFC 6901); empty where it failed in one of the two runs' }),
        before: Type.Optional(Type.Unknown({ description: 'Absent where there was nothing' })),
        after: Type.Optional(Type.Unknown({ description: 'Absent where there is nothing' })),
      }),
    ),
  },
  {
    title: 'ReplayDifference',
    examples: [
      {
        executionId: exampleIds.run,
        reference: 'order-4711',
        changes: [{ pointer: '/rate', before: 3.9, after: 4.1 }],
      },
    ],
  },
);
