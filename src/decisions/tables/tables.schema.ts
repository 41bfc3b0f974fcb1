import Type from 'typebox';
import { Id, flag, nullable, oneOf } from '../../api/fields.js';
import { Fault } from '../../api/problems/faults.schema.js';
import { Decision, VersionParams } from '../routes/decisions.schema.js';
import { Differences } from '../routes/differences.schema.js';

const NodeId = Type.String({ minLength: 1, maxLength: 512, description: "The table's id in the model" });

export const TableParams = Type.Object({ id: Id, nodeId: NodeId }, { additionalProperties: false });
export const TableFileParams = Type.Object(
  { ...VersionParams.properties, nodeId: NodeId },
  { additionalProperties: false },
);

export const DryRunQuery = Type.Object(
  {
    dryRun: Type.Optional(
      flag({ description: 'Tell what would be, errors included, and store nothing', default: false }),
    ),
  },
  { additionalProperties: false },
);

const header = Type.Optional(
  Type.String({
    pattern: '^[1-9][0-9]{0,6}(-[1-9][0-9]{0,6})?$',
    description:
      'The row that names the columns, where others stand above it, or two that name them together, such as `1-2`; else the first one that is not empty',
  }),
);

const sheet = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The sheet of an .xlsx; else one called as it is exported, or the first that is not hidden',
  }),
);

const range = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4000,
    description:
      'Two columns as one input, such as `Age [Age from..Age to)`, or with `]` where the end is within; others behind a comma',
  }),
);

const matrix = Type.Optional(
  Type.String({
    pattern: '^[^,]*[^ ,][^,]*(,[^,]*[^ ,][^,]*){2}$',
    maxLength: 1000,
    description:
      'The sheet has bands down its first column or along its first row, and bands or names on the other side: ' +
      'what these are, and what stands between them, such as `Score,LTV,Rate`',
  }),
);

const empty = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4000,
    description:
      'What the empty cells of a column are: `Branch=above` the same as above, `Branch=any` any value, as without it; others behind a comma',
  }),
);

const columns = Type.Optional(
  Type.String({
    pattern: '^ *[A-Za-z]{1,3} ?: ?[A-Za-z]{1,3} *$',
    maxLength: 12,
    description:
      'The columns of the sheet that are read, such as `A:E`; without it those of the first table, where several stand beside one another',
  }),
);

const prefer = Type.Optional(
  oneOf(['file', 'table'], {
    description:
      'Whose row is taken where the file and the table changed it since the file was made; without it that is refused (412)',
  }),
);

export const TableImportQuery = Type.Object(
  { ...DryRunQuery.properties, header, sheet, columns, range, matrix, empty, prefer },
  { additionalProperties: false },
);

export const TestsSheetQuery = Type.Object({ ...DryRunQuery.properties, sheet }, { additionalProperties: false });

/** What a file has changed, or would change. */
export const FileImport = Type.Object(
  {
    decision: Decision,
    differences: Differences,
    faults: Type.Array(Fault, {
      description: 'Of the file and of the model; `field` begins with the cell: `Rules!B17`',
    }),
    content: Type.Optional(Type.Unknown({ description: 'With `dryRun`: the working copy as it would be' })),
  },
  { title: 'FileImport' },
);

const Names = Type.Optional(
  Type.Unsafe<string | readonly string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    description: 'Names of columns, repeated or with commas between them; guessed where neither parameter is given',
    documentedAs: { type: 'array', items: { type: 'string' } },
  }),
);

export const ConversionQuery = Type.Object(
  { inputs: Names, outputs: Names, header, sheet, columns, range, matrix, empty },
  { additionalProperties: false },
);

export const Conversion = Type.Object(
  {
    content: Type.Unknown({ description: 'A model, JDM: a request, the table and a response' }),
    inputs: Type.Array(Type.String(), { description: 'The names of its columns' }),
    outputs: Type.Array(Type.String()),
    note: nullable(Type.String({ description: 'The name of the column that has the note of each row' })),
    faults: Type.Array(Fault),
  },
  { title: 'Conversion' },
);
