import Type from 'typebox';

export const TestRequest = Type.Object(
  { version: Type.Integer({ minimum: 0, description: '0 is the working copy' }) },
  { additionalProperties: false, title: 'TestRequest', examples: [{ version: 0 }] },
);

const Hits = Type.Integer({ minimum: 0, description: 'How often tests came by; 0 for what no test reaches' });

export const TestReport = Type.Object(
  {
    passed: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    tests: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          passed: Type.Boolean(),
          differences: Type.Array(
            Type.Object(
              {
                pointer: Type.String({ description: 'A JSON Pointer into the result' }),
                expected: Type.Optional(Type.Unknown({ description: 'Absent where nothing was expected' })),
                actual: Type.Optional(
                  Type.Unknown({
                    description: 'Absent where there was nothing; {"error": message} of a run that failed',
                  }),
                ),
              },
              { title: 'ResultDifference' },
            ),
            { description: 'The first 20' },
          ),
        },
        { title: 'TestResult' },
      ),
    ),
    coverage: Type.Object({
      nodes: Type.Array(Type.Object({ nodeId: Type.String(), hits: Hits }, { title: 'NodeCoverage' })),
      rules: Type.Array(
        Type.Object({ nodeId: Type.String(), ruleId: Type.String(), hits: Hits }, { title: 'RuleCoverage' }),
        { description: 'Rows of tables (by `_id`, else by number from 0) and statements of switches' },
      ),
      uncounted: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'The decisions that it runs, as its nodes name them: nothing of those is counted; absent where there are none',
        }),
      ),
    }),
  },
  { title: 'TestReport' },
);

const JsonSchema = Type.Unknown({ description: 'A JSON Schema' });

export const Schemas = Type.Object(
  {
    input: JsonSchema,
    output: JsonSchema,
    inferred: Type.Boolean({
      description:
        'At least one of them is not declared by the model: it names what expressions and tables read or write, and forbids nothing',
    }),
    about: Type.String({
      description:
        'What it decides, in its own words: its description, and of its nodes or decisions the names, questions and descriptions',
    }),
  },
  {
    title: 'Schemas',
    examples: [
      {
        input: { type: 'object' },
        output: { type: 'object' },
        inferred: true,
        about: 'Fees: a table that gives fee by age.',
      },
    ],
  },
);
