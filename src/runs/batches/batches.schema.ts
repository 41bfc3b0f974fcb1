import Type from 'typebox';
import { flag, Id, exampleIds, nullable, oneOf } from '../../api/fields.js';
import { maxItems } from '../../http/body/itemsBody.js';
import { exampleFact, exampleResult, Performance, Result, Select, Status } from '../runs.schema.js';

export const BatchItem = Type.Object(
  {
    fact: Type.Object({}, { additionalProperties: true, description: "The decision's input facts" }),
    select: Select,
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Tells the items of one Idempotency-Key apart; without it they go by their places',
      }),
    ),
    reference: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,255}$',
        description: "The caller's own id of the execution, by which it can be found again",
      }),
    ),
  },
  { additionalProperties: false, title: 'BatchItem', examples: [{ fact: exampleFact, key: '1' }] },
);

export const BatchQuery = Type.Object(
  {
    meant: Type.Optional(
      flag({
        description:
          'Of a spreadsheet: cells that have one meaning for the decision are read so (`12,5` where semicolons separate them, `01.04.2026`, `yes`), which else refuse the file',
        default: false,
      }),
    ),
    others: Type.Optional(
      oneOf(['taken'], {
        description:
          'Of a spreadsheet with `meant`: columns that are no field of the decision are sent as they are, and fields without a column left out, which else refuse the file',
      }),
    ),
  },
  { additionalProperties: false },
);

export const BatchRequest = Type.Object(
  { items: Type.Array(BatchItem, { minItems: 1, maxItems }) },
  { additionalProperties: false, title: 'BatchRequest', examples: [{ items: [{ fact: exampleFact }] }] },
);

const Code = Type.Optional(
  Type.String({
    description: 'Why an item has no result of its model, as in problems: `engine_timeout`, `validation_failed`, …',
  }),
);

const exampleAnswer = {
  index: 0,
  key: '1',
  id: exampleIds.run,
  status: 'COMPLETED',
  result: exampleResult,
  performance: '0.184ms',
};

export const BatchItemAnswer = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Which item of the request; from 0' }),
    key: nullable(Type.String()),
    id: nullable(Id),
    status: Status,
    result: Result,
    performance: nullable(Performance),
    code: Code,
    errors: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'What is wrong with the item' }),
    ),
  },
  { title: 'BatchItemAnswer', examples: [exampleAnswer] },
);

const counts = {
  deploymentId: Id,
  version: Type.Integer({ minimum: 0 }),
  completed: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
};
const exampleCounts = { deploymentId: exampleIds.deployment, version: 3, completed: 1, failed: 0 };

export const Batch = Type.Object(
  { ...counts, items: Type.Array(BatchItemAnswer) },
  { title: 'Batch', examples: [{ ...exampleCounts, items: [exampleAnswer] }] },
);

export const BatchSummary = Type.Object(
  { summary: Type.Object(counts) },
  { title: 'BatchSummary', examples: [{ summary: exampleCounts }] },
);
