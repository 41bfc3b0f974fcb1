import Type, { type Static } from 'typebox';
import { Id, Timestamp, exampleIds, oneOf } from '../api/fields.js';
import { comparisonExample, comparisonFields, ComparisonReport, references } from './comparisons.schema.js';

/** How long a shadow may run. */
export const maxDays = 30;

const compared = {
  ...references,
  version: Type.Integer({ minimum: 0, maximum: 999_999_999, description: '0 for the working copy' }),
  sample: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    description: 'The share of the executions that are run on it',
  }),
};
const example = {
  environmentId: exampleIds.environment,
  decisionId: exampleIds.decision,
  version: 4,
  sample: 0.1,
  expiresAt: '2026-02-07T09:30:00.000Z',
};

export const CreateShadow = Type.Object(
  {
    ...compared,
    expiresAt: Type.String({ format: 'timestamp', description: `At most ${maxDays} days from now` }),
    ...comparisonFields,
  },
  { title: 'CreateShadow', additionalProperties: false, examples: [example] },
);
export type CreateShadow = Static<typeof CreateShadow>;

export type ShadowStatus = 'RUNNING' | 'COMPLETED' | 'CANCELLED';

export const Shadow = Type.Object(
  {
    id: Id,
    status: oneOf(['RUNNING', 'COMPLETED', 'CANCELLED'], { description: '`COMPLETED` once `expiresAt` has passed' }),
    ...compared,
    expiresAt: Timestamp,
    ...comparisonFields,
    reason: Type.Optional(oneOf(['environment_removed'], { description: 'Why it was cancelled, where nobody did' })),
    report: ComparisonReport,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Shadow',
    examples: [
      {
        id: exampleIds.run,
        status: 'RUNNING',
        ...example,
        ...comparisonExample,
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:04.000Z',
      },
    ],
  },
);
