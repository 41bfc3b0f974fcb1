import Type, { type Static } from 'typebox';
import { Id, Timestamp, nullable } from '../http/fields.js';

const Fact = Type.Object({}, { description: "The decision's input facts" });
const Status = Type.Union([Type.Literal('COMPLETED'), Type.Literal('FAILED')]);
const Result = Type.Unknown({ description: 'What the decision gave; {"error": message} when FAILED' });
const Performance = Type.String({ description: 'Engine time alone, e.g. "0.184ms"' });
const Trace = Type.Object({}, { description: 'Per node: input, output, what matched; secrets redacted' });

export const DecisionParams = Type.Object({ decisionId: Id }, { additionalProperties: false });
export const DeployedParams = Type.Object({ environmentId: Id, decisionId: Id }, { additionalProperties: false });

export const EvaluationRequest = Type.Object(
  { version: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }), fact: Fact },
  { additionalProperties: false },
);
export type EvaluationRequest = Static<typeof EvaluationRequest>;

export const Evaluation = Type.Object({
  id: Id,
  status: Status,
  result: Result,
  performance: Performance,
  trace: nullable(Trace),
});

export const ExecutionRequest = Type.Object({ fact: Fact }, { additionalProperties: false });

export const Execution = Type.Object({
  id: Id,
  decisionId: Id,
  status: Status,
  result: Result,
  performance: Performance,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  trace: Type.Optional(Trace),
});
