import Type, { type Static } from 'typebox';
import { Id, Timestamp, exampleIds, nullable } from '../api/fields.js';

const Fact = Type.Object({}, { additionalProperties: true, description: "The decision's input facts" });
export const Status = Type.Union([Type.Literal('COMPLETED'), Type.Literal('FAILED')]);
export const Result = Type.Unknown({ description: 'What the decision gave; {"error": message} when FAILED' });
export const Performance = Type.String({
  pattern: '^\\d+(\\.\\d{1,3})?ms$',
  description: 'Engine time alone',
  examples: ['0.184ms'],
});
export const Trace = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Per node: input, output, what matched, `unmatched` where no row of a table did, with the `nearest` of them, rows ' +
      '`passedOver` whose results failed; secrets redacted',
  },
);

// From the demo, so that the example can be tried as it is.
export const exampleFact = { zone: 'domestic', coupon: 'x', items: [{ price: 1, quantity: 1, weight: 12 }] };
export const exampleResult = { discount: 0, shipping: 7.1, arrivesInDays: 3, total: 8.1 };

/** dmn.md, section 27. */
export const Select = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 1000,
    description: 'Of a DMN model: the decisions and decision services whose values are wanted, by name',
  }),
);
export const Warnings = Type.Optional(
  Type.Array(
    Type.Object({
      nodeId: Type.String(),
      node: Type.String(),
      message: Type.String(),
      source: Type.String(),
      span: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }),
    }),
    { description: 'Why values of a DMN model were null; absent where none was' },
  ),
);

export const DecisionParams = Type.Object({ decisionId: Id }, { additionalProperties: false });
export const DeployedParams = Type.Object({ environmentId: Id, decisionId: Id }, { additionalProperties: false });

export const EvaluationRequest = Type.Object(
  { version: Type.Integer({ minimum: 0 }), fact: Fact, select: Select },
  { additionalProperties: false, title: 'EvaluationRequest', examples: [{ version: 3, fact: exampleFact }] },
);
export type EvaluationRequest = Static<typeof EvaluationRequest>;

export const DraftRequest = Type.Object(
  {
    content: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'A model: JDM, or a document of DMN as `{contentType, xml}`',
    }),
    key: Type.Optional(
      Type.String({ maxLength: 512, description: 'Where it would be; relative names of sub-decisions start there' }),
    ),
    fact: Fact,
    select: Select,
  },
  {
    additionalProperties: false,
    title: 'DraftRequest',
    examples: [
      { content: { nodes: [{ id: 'in', type: 'inputNode', name: 'Request' }], edges: [] }, fact: exampleFact },
    ],
  },
);

export const Evaluation = Type.Object(
  { id: Id, status: Status, result: Result, performance: Performance, trace: nullable(Trace), warnings: Warnings },
  {
    title: 'Evaluation',
    examples: [{ id: exampleIds.run, status: 'COMPLETED', result: exampleResult, performance: '0.184ms', trace: {} }],
  },
);

export const ExecutionRequest = Type.Object(
  { fact: Fact, select: Select },
  { additionalProperties: false, title: 'ExecutionRequest', examples: [{ fact: exampleFact }] },
);

export const Execution = Type.Object(
  {
    id: Id,
    decisionId: Id,
    status: Status,
    result: Result,
    performance: Performance,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    trace: Type.Optional(Trace),
  },
  {
    title: 'Execution',
    examples: [
      {
        id: exampleIds.run,
        decisionId: exampleIds.decision,
        status: 'COMPLETED',
        result: exampleResult,
        performance: '0.184ms',
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:00.000Z',
      },
    ],
  },
);
