import Type, { type Static } from 'typebox';
import { Id, exampleIds, nullable } from '../api/fields.js';

const Bound = Type.String({
  maxLength: 64,
  format: 'replay-bound',
  description: 'What the report of a replay must keep, such as `changed <= 0.5%` or `newlyFailed <= 0`',
});
const requires = {
  tests: Type.Boolean({ description: "The model's own tests pass; the detail of the check says where it has none" }),
  analysis: Type.Boolean({ description: 'No `gap`, `shadowed`, `conflict` or `fails` is proved' }),
  replay: nullable(Bound),
  coverage: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'The least share of rows and statements that tests reach' }),
  ),
};
const approvals = Type.Integer({ minimum: 1, maximum: 5, description: 'How many principals must approve' });
const authorMayApprove = Type.Boolean({
  description: 'Whether who wrote the request, or saved a version of it, counts as an approver',
});
const override = Type.Boolean({ description: 'Whether `change:override` may apply what was not approved' });

const example = {
  approvals: 2,
  authorMayApprove: false,
  requires: { tests: true, analysis: true, replay: 'changed <= 0.5%', coverage: 0.9 },
  override: true,
};

const fields = { approvals, authorMayApprove, requires: Type.Object(requires), override };

/** How an environment is protected. */
export const Protection = Type.Object(fields, { title: 'Protection', examples: [example] });
export type Protection = Static<typeof Protection>;

/** One of a workspace's protections. */
export const EnvironmentProtection = Type.Object(
  { environmentId: Id, ...fields },
  { title: 'EnvironmentProtection', examples: [{ environmentId: exampleIds.environment, ...example }] },
);
export type EnvironmentProtection = Static<typeof EnvironmentProtection>;

export const WriteProtection = Type.Object(
  {
    approvals,
    authorMayApprove: Type.Optional({ ...authorMayApprove, default: false }),
    requires: Type.Optional(
      Type.Object(
        {
          tests: Type.Optional({ ...requires.tests, default: false }),
          analysis: Type.Optional({ ...requires.analysis, default: false }),
          replay: Type.Optional(requires.replay),
          coverage: Type.Optional(requires.coverage),
        },
        { additionalProperties: false },
      ),
    ),
    override: Type.Optional({ ...override, default: false }),
  },
  { title: 'WriteProtection', additionalProperties: false, examples: [example, { approvals: 1 }] },
);
export type WriteProtection = Static<typeof WriteProtection>;
