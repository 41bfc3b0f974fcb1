import Type from 'typebox';
import { Id, nullable, oneOf } from '../../api/fields.js';

const index = nullable(Type.Integer({ minimum: 0 }));
const Position = Type.Object(
  { from: index, to: index },
  { description: 'Indexes in the lists of the two versions; null where it is absent', title: 'ListPosition' },
);
const text = nullable(Type.String());
const change = (description: string): Type.TUnsafe<string> =>
  oneOf(['added', 'removed', 'changed', 'moved'], { description });
const ChangedField = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901); empty for the whole' }),
    before: Type.Optional(Type.Unknown({ description: 'Absent where there was nothing' })),
    after: Type.Optional(Type.Unknown({ description: 'Absent where there is nothing' })),
  },
  { title: 'ChangedField' },
);
const fields = Type.Array(ChangedField);
const elementName = Type.String({ description: "Of DMN, the element's name" });

/** How two versions differ (modelDifferences.ts). */
export const Differences = Type.Object(
  {
    from: Type.Integer({ minimum: 0 }),
    to: Type.Integer({ minimum: 0 }),
    nodes: Type.Array(
      Type.Object(
        {
          id: text,
          name: text,
          type: text,
          change: change('`moved`: at another place on the canvas or in the list, which changes no result; not of DMN'),
          position: Position,
          fields,
        },
        { title: 'NodeDifference' },
      ),
      { description: 'A table of which only rows differ is not among them' },
    ),
    edges: Type.Array(
      Type.Object(
        {
          id: text,
          change: change('`moved`: at another place in the list'),
          position: Position,
          source: text,
          target: text,
          sourceName: Type.Optional(elementName),
          targetName: Type.Optional(elementName),
          fields,
        },
        { title: 'EdgeDifference' },
      ),
    ),
    rows: Type.Array(
      Type.Object(
        {
          nodeId: Type.String(),
          nodeName: Type.Optional(elementName),
          ruleId: text,
          change: change('`moved`: unchanged at another place among the rows that stayed, which may change results'),
          moved: Type.Optional(
            Type.Literal(true, { description: 'Of one that changed: it is at another place among the rows, too' }),
          ),
          position: Position,
          cells: Type.Array(
            Type.Object(
              {
                column: Type.String({
                  description:
                    "The column's id, of DMN what the input reads or the output is named; `_description` for the row's own",
                }),
                before: Type.Optional(Type.Unknown()),
                after: Type.Optional(Type.Unknown()),
              },
              { title: 'CellDifference' },
            ),
          ),
        },
        { title: 'RowDifference' },
      ),
    ),
    dependencies: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Type.String(),
            decisionId: Id,
            change: oneOf(['added', 'removed', 'changed']),
            before: nullable(Type.String({ description: 'The hash of the content that the one version runs' })),
            after: nullable(Type.String({ description: 'That of the other' })),
          },
          { title: 'ChangedDependency' },
        ),
        {
          description:
            'The decisions that they run with different contents, which change results too; absent where there are none',
        },
      ),
    ),
    fields: Type.Optional({ ...fields, description: 'Outside of nodes and edges, such as the tests of the model' }),
  },
  {
    title: 'Differences',
    examples: [
      {
        from: 1,
        to: 2,
        nodes: [],
        edges: [],
        rows: [
          {
            nodeId: 'fees',
            ruleId: 'senior',
            change: 'added',
            position: { from: null, to: 0 },
            cells: [{ column: 'age', after: '>= 65' }],
          },
        ],
      },
    ],
  },
);
