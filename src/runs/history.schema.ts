import Type, { type Static } from 'typebox';
import { Id, Principal, Timestamp, exampleIds, nullable, flag, oneOf } from '../api/fields.js';
import { OrderQuery, PageQuery } from '../api/paginate.js';
import { inexactReasons } from './explanation.js';
import { Performance, Result, Select, Status, Trace, Warnings, exampleFact, exampleResult } from './runs.schema.js';

/** What a caller's own id of an execution must be. */
const referencePattern = /^[\x21-\x7e]{1,255}$/;

const Reference = Type.String({ description: "The caller's own id, of the header Execution-Reference" });
const ErrorOfRun = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
  description: 'What went wrong, and where; null when COMPLETED',
});

const identity = {
  id: Id,
  workspaceId: Id,
  environmentId: Id,
  deploymentId: Id,
  decisionId: Id,
  version: Type.Integer({ minimum: 0 }),
  status: Status,
  reference: nullable(Reference),
};
const Erased = Type.Optional(
  Type.Boolean({ description: 'True where fact, result, error and trace were erased; else absent' }),
);
const request = {
  performance: Performance,
  requestId: Id,
  principal: Principal(),
  createdAt: Timestamp,
  erased: Erased,
};

const example = {
  id: exampleIds.run,
  workspaceId: exampleIds.workspace,
  environmentId: exampleIds.environment,
  deploymentId: exampleIds.deployment,
  decisionId: exampleIds.decision,
  version: 3,
  status: 'COMPLETED',
  reference: 'order-4711',
};
const exampleRequest = {
  performance: '0.184ms',
  requestId: '01934f5e-7a60-7e08-9d13-4c2b8a5f1e07',
  principal: 'client:01934f5e-7a50-7b11-8c42-1d9e3f6a7b06',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const ExecutionSummary = Type.Object(
  { ...identity, error: ErrorOfRun, ...request },
  { title: 'ExecutionSummary', examples: [{ ...example, error: null, ...exampleRequest }] },
);

export const RecordedExecution = Type.Object(
  {
    ...identity,
    fact: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'As it was run, secrets redacted; null where facts are not recorded',
    }),
    result: Result,
    error: ErrorOfRun,
    trace: nullable(Trace),
    ...request,
    altered: Type.Optional(
      Type.Boolean({
        description: 'True where the record is not what its leaf in the evidence was made of; else absent',
      }),
    ),
    select: Select,
    warnings: Warnings,
  },
  {
    title: 'RecordedExecution',
    examples: [{ ...example, fact: exampleFact, result: exampleResult, error: null, trace: null, ...exampleRequest }],
  },
);

const Step = Type.Object(
  {
    node: Type.String({ description: "The node's name, with which each sentence begins" }),
    sentences: Type.Array(Type.String()),
    reasons: Type.Array(Type.Object({ text: Type.String(), language: Type.String() }), {
      description: 'What the model says of the way that was taken',
    }),
    inside: Type.Array(Type.Unknown(), { description: 'Steps of a decision that the node asked' }),
  },
  { title: 'ExplainedStep' },
);

export const ExplanationQuery = Type.Object(
  {
    steps: Type.Optional(
      flag({
        description: 'Tell how it came about in sentences, too, in a language of `Accept-Language`',
        default: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export const ExecutionExplanation = Type.Object(
  {
    executionId: Id,
    exact: Type.Boolean({ description: 'The run came out byte for byte as it is recorded' }),
    reasons: Type.Array(oneOf(inexactReasons), {
      description: 'Why it is not exact',
    }),
    result: Type.Unknown({ description: 'What the run gave now, secrets redacted; null where there was none' }),
    trace: nullable(Trace),
    warnings: Warnings,
    steps: Type.Optional(Type.Array(Step, { description: 'With `steps`' })),
    left: Type.Optional(Type.Integer({ minimum: 0, description: 'With `steps`: how many are not told' })),
  },
  {
    title: 'ExecutionExplanation',
    examples: [{ executionId: exampleIds.run, exact: true, reasons: [], result: exampleResult, trace: {} }],
  },
);

const Time = Type.String({ format: 'timestamp' });

export const HistoryQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(OrderQuery),
    environmentId: Type.Optional(Id),
    decisionId: Type.Optional(Id),
    deploymentId: Type.Optional(Id),
    version: Type.Optional(
      // A query holds text; what this one says is a number.
      Type.String({
        pattern: '^(0|[1-9]\\d{0,8})$',
        documentedAs: { type: 'integer', minimum: 0, maximum: 999_999_999 },
      }),
    ),
    status: Type.Optional(oneOf(['COMPLETED', 'FAILED'])),
    reference: Type.Optional(Type.String({ pattern: referencePattern.source })),
    requestId: Type.Optional(Id),
    from: Type.Optional({
      ...Time,
      description: 'Executions from then on: 2026-01-31 (midnight UTC) or with time and zone',
    }),
    to: Type.Optional({ ...Time, description: 'Executions before then: for the whole of a day, the next one' }),
  },
  { additionalProperties: false },
);
export type HistoryQuery = Static<typeof HistoryQuery>;
