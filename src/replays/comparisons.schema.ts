import Type, { type Static } from 'typebox';
import { Id, JsonPointer, oneOf } from '../api/fields.js';
import { OutcomeName, Scalar } from './outcomes/outcomes.schema.js';

const Pointer = JsonPointer({ maxLength: 1000 });

/** How results are compared, in requests for replays and shadows. */
export const comparisonFields = {
  ignore: Type.Optional(
    Type.Array(Pointer, {
      maxItems: 100,
      description: 'JSON Pointers of what does not count; `*` stands for every item of a list',
    }),
  ),
  tolerance: Type.Optional(
    Type.Number({ minimum: 0, default: 0, description: 'Numbers that differ by no more than this are the same' }),
  ),
  measures: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Type.String({ trimmedLength: [1, 255] }),
          expression: Type.String({
            minLength: 1,
            maxLength: 10_000,
            description: 'ZEN over `{fact, result}`, asked for every run by the recorded and by the new result',
          }),
          aggregate: oneOf(['sum', 'mean', 'count', 'min', 'max', 'share'], {
            description:
              '`sum`, `mean`, `min`, `max` of its numbers; `count` of the runs for which it is neither null nor false, ' +
              '`share` of those among all',
          }),
        },
        { title: 'Measure', additionalProperties: false },
      ),
      { maxItems: 20 },
    ),
  ),
  outcomes: Type.Optional(
    Type.Array(OutcomeName, {
      maxItems: 5,
      uniqueItems: true,
      description: 'Names of outcomes that results are held against; a case of which none is known counts as unknown',
    }),
  ),
  result: Type.Optional(
    Type.Object(
      { pointer: Pointer, equals: Scalar },
      {
        title: 'StatedResult',
        additionalProperties: false,
        description: 'The result that is to meet the outcomes: precision and recall are of it',
      },
    ),
  ),
};

const Count = Type.Integer({ minimum: 0 });
const MeasuredNumber = Type.Union([Type.Number(), Type.Null()]);
const Milliseconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description: 'Milliseconds in the engine, measured now; null where nothing ran',
});
const Quantiles = Type.Object({ p50: Milliseconds, p99: Milliseconds });

/** Of rows that may tell of one person. */
const anonymous = {
  hash: Type.Optional(
    Type.String({ description: 'In place of the values, where fewer than five executions are left that have them' }),
  ),
  erased: Type.Optional({
    ...Count,
    description: 'How many executions with the earlier value were erased since; absent for none',
  }),
};

const Ratio = Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]);
const Fit = Type.Object(
  { precision: Ratio, recall: Ratio },
  {
    description:
      'Of the cases with that result, the share in which the outcome happened (its value is none of null, false, 0 and an ' +
      'empty text); of those in which it happened, the share with that result. Null where there is none, or no `result`',
  },
);

export const ComparisonReport = Type.Object(
  {
    replayed: { ...Count, description: 'The sum of the next four' },
    identical: { ...Count, description: 'Two failures are identical, whatever their texts' },
    changed: { ...Count, description: 'Completed both times, with another result' },
    newlyFailed: Count,
    newlyCompleted: Count,
    skipped: Type.Object(
      {},
      {
        additionalProperties: Count,
        description:
          'By reason: `facts_not_recorded` (or erased since), `fact_redacted`, `http` (a function node called another host), `secret` (a ' +
          'version that was never in force in the environment read a secret variable of it), `limit` (the measures ' +
          'passed their limit), and of shadows `dropped` (there was no time)',
      },
    ),
    fields: Type.Array(Type.Object({ pointer: Type.String(), count: Count }), {
      description: 'Places that changed, by JSON Pointer, the most frequent first',
    }),
    transitions: Type.Array(
      Type.Object({
        pointer: Type.String(),
        before: Type.Optional(Type.Unknown({ description: 'Absent where there was nothing' })),
        after: Type.Optional(Type.Unknown({ description: 'Absent where there is nothing' })),
        ...anonymous,
        count: Count,
      }),
      { description: 'The 50 most frequent changes of a value; long values are shortened' },
    ),
    measures: Type.Array(
      Type.Object({
        name: Type.String(),
        before: MeasuredNumber,
        after: MeasuredNumber,
        erased: Type.Optional({
          ...Count,
          description:
            'How many of the executions may have been erased since; absent for none. `min` and `max` are null then, `sum` and ' +
            '`mean` where fewer than five others are left',
        }),
      }),
    ),
    engine: Type.Object({ before: Quantiles, after: Quantiles }),
    outcomes: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          known: Count,
          unknown: { ...Count, description: 'Cases of which no outcome was told; they count as neither' },
          table: Type.Array(
            Type.Object({
              before: Type.Optional(
                Type.Unknown({ description: 'At the place of `result`; absent where there was nothing' }),
              ),
              after: Type.Optional(Type.Unknown()),
              outcome: Type.Optional(Type.Unknown()),
              ...anonymous,
              count: Count,
            }),
            { description: 'The 100 most frequent' },
          ),
          before: Fit,
          after: Fit,
        }),
        { description: 'Where the request names outcomes' },
      ),
    ),
  },
  { title: 'ComparisonReport' },
);

const reachedNode = { nodeId: Type.String(), hits: Count };

/** What of the candidate's model recorded facts reach. */
const Reach = Type.Object(
  {
    nodes: Type.Array(Type.Object(reachedNode, { title: 'ReachedNode' })),
    rules: Type.Array(Type.Object({ ...reachedNode, ruleId: Type.String() }, { title: 'ReachedRule' }), {
      description:
        'Rows of tables (by `_id`, else by number from 0) and statements of switches, those without hits too; of more than ' +
        '1,000 those that were reached most seldom',
    }),
    unreached: { ...Count, description: 'Rules that no fact reached' },
  },
  {
    title: 'Reach',
    description: 'Which rows and branches of the version the recorded facts reach; there once the replay is completed',
  },
);

export const ReplayReport = Type.Object(
  { ...ComparisonReport.properties, reach: Type.Optional(Reach) },
  { title: 'ReplayReport' },
);

const exampleReport = {
  replayed: 10_000,
  identical: 9940,
  changed: 58,
  newlyFailed: 2,
  newlyCompleted: 0,
  skipped: { fact_redacted: 12 },
  fields: [{ pointer: '/rate', count: 58 }],
  transitions: [{ pointer: '/rate', before: 3.9, after: 4.1, count: 51 }],
  measures: [{ name: 'mean rate', before: 4.2, after: 4.21 }],
  engine: { before: { p50: 0.021, p99: 0.04 }, after: { p50: 0.022, p99: 0.042 } },
};

export const comparisonExample = { report: exampleReport };

/** What a replay or shadow may name. */
export const references = { decisionId: Id, environmentId: Id };

export type ComparisonFields = Static<ReturnType<typeof Type.Object<typeof comparisonFields>>>;
