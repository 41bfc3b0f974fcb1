/* eslint-disable max-lines -- a table of examples */
import { expect } from 'chai';
import { analyse } from '../../../workers/analysis/index.js';
import { compile, stringify } from '../../../workers/engine/index.js';

interface Example {
  readonly title: string;
  /** `-` for a column of conditions. */
  readonly fields: readonly string[];
  /** Input cells, then the result. */
  readonly rows: readonly (readonly string[])[];
  readonly collect?: true;
  /** JSON Schema of the request. */
  readonly schema?: object;
  /** Beside the columns and rows. */
  readonly content?: object;
  readonly told: readonly string[];
}

/** What is told of a table: `kind rows: message`, a question mark before what is unknown, and the witness's fact. */
async function told({ fields, rows, collect, schema, content }: Example): Promise<string[]> {
  const inputs = fields.map((field, at) => ({ id: `i${at}`, name: field, field: field.replace(/^-$/, '') }));
  const rules = rows.map((cells, at) => ({
    _id: `${at + 1}`,
    ...Object.fromEntries(cells.map((cell, column) => [column < fields.length ? `i${column}` : 'o', cell])),
  }));
  const outputs = [{ id: 'o', name: 'out', field: 'out' }];
  const table = { hitPolicy: collect ? 'collect' : 'first', inputs, outputs, rules, ...content };
  const document = {
    nodes: [
      {
        id: 'in',
        type: 'inputNode',
        name: 'in',
        content: schema === undefined ? {} : { schema: JSON.stringify(schema) },
      },
      { id: 'table', type: 'decisionTableNode', name: 'table', content: table },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  };
  const program = compile(document, { resolve: () => undefined });
  const { report, unconfirmed } = await analyse({ version: { document, program, linked: '' }, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report.tables.flatMap(({ findings }) =>
    findings.map(({ kind, status, message, witness }) => {
      const fact = witness?.fact === null ? `node ${stringify(witness.input)}` : stringify(witness?.fact ?? null);
      const shown = witness === null ? '' : ` | ${fact}`;
      return `${status === 'proved' ? '' : '?'}${kind}: ${message}${shown}`;
    }),
  );
}
const dead = (row: number): string => `shadowed: Row ${row} is never reached: rows before it take all of its inputs`;
const undecided = ': not decided, as no input could be made that shows it';
const day = (format: string): object => ({
  type: 'object',
  properties: { day: { type: 'string', format } },
  required: ['day'],
});

const examples: readonly Example[] = [
  {
    title: 'ranges of every openness',
    fields: ['x'],
    rows: [
      ['[1..2]', '1'],
      ['(2..3)', '1'],
      ['(3..4]', '1'],
      ['(4..6)', '2'],
      [']0..6[', '2'],
    ],
    told: ['gap: No row takes (x in (0..1) or x = 3) | {"x":3}'],
  },
  {
    title: 'ranges that meet, where all rows count',
    fields: ['x'],
    collect: true,
    rows: [
      ['[1..2]', '1'],
      ['[2..3)', '1'],
      ['[3..4]', '1'],
      ['(4..5]', '2'],
    ],
    told: ['overlap: Rows 1 and 2 hold together where x = 2 | {"x":2}'],
  },
  {
    title: 'numbers of 28 digits',
    fields: ['x'],
    rows: [
      ['<= 0.1234567890123456789012345678', '1'],
      ['>= 0.1234567890123456789012345680', '2'],
      ['0.1234567890123456789012345681', '3'],
    ],
    told: [
      `${dead(3)} | {"x":0.1234567890123456789012345681}`,
      'gap: No row takes x in (0.1234567890123456789012345678..0.1234567890123456789012345680) | {"x":0.1234567890123456789012345679}',
    ],
  },
  {
    title: 'the largest number, beyond which there is none',
    fields: ['x'],
    rows: [
      ['<= 79228162514264337593543950333', '1'],
      ['79228162514264337593543950335', '2'],
    ],
    told: [
      'gap: No row takes x in (79228162514264337593543950333..79228162514264337593543950335) | {"x":79228162514264337593543950334}',
    ],
  },
  {
    title: 'numbers of 28 digits, where all rows count',
    fields: ['x'],
    collect: true,
    rows: [
      ['<= 12345678901234567890.00000001', '1'],
      ['>= 12345678901234567890.00000001', '2'],
    ],
    told: [
      'overlap: Rows 1 and 2 hold together where x = 12345678901234567890.00000001 | {"x":12345678901234567890.00000001}',
    ],
  },
  {
    title: 'texts that name dates',
    fields: ['day'],
    rows: [
      ["< d('2024-01-01')", '1'],
      ["> d('2024-01-01')", '2'],
      ["$ > d('2025-06-30T12:00:00+02:00')", '3'],
    ],
    told: [
      `${dead(3)} | {"day":"2025-07-01T10:00:00Z"}`,
      `gap: No row takes day = d('2024-01-01') | {"day":"2024-01-01"}`,
    ],
  },
  {
    title: 'dates by the schema of the request',
    fields: ['day'],
    schema: day('date'),
    rows: [
      ["< d('2024-01-01')", '1'],
      ["[d('2024-01-01')..d('2024-12-31'))", '2'],
      ["> '2025-03-01'", '3'],
      ["> d('2025-04-01')", '4'],
    ],
    told: [
      `${dead(4)} | {"day":"2025-04-02"}`,
      'gap: No row takes day in [d(\'2024-12-31\')..d(\'2025-03-01\')] | {"day":"2024-12-31"}',
    ],
  },
  {
    title: 'times by the schema of the request, in any zone',
    fields: ['day'],
    schema: day('date-time'),
    rows: [
      ["< d('2024-01-01T01:00:00+01:00')", '1'],
      ["> d('2024-01-01')", '2'],
    ],
    told: ['gap: No row takes day = d(\'2024-01-01\') | {"day":"2024-01-01T01:00:00+01:00"}'],
  },
  {
    title: 'dates where all rows count',
    fields: ['day'],
    collect: true,
    rows: [
      ["<= d('2024-01-01')", '1'],
      ["d('2024-01-01')", '2'],
      ["> d('2024-01-01')", '3'],
    ],
    told: ['overlap: Rows 1 and 2 hold together where day = d(\'2024-01-01\') | {"day":"2024-01-01"}'],
  },
  {
    title: 'texts with quotes and backslashes',
    fields: ['t'],
    rows: [
      [`"it's", 'a\\nb'`, '1'],
      [`'say "x"'`, '2'],
      [`"a\\nb"`, '3'],
      [`not in ['x', "it's", 'a\\nb', 'say "x"']`, '4'],
    ],
    told: [`${dead(3)} | {"t":"a\\\\nb"}`, `gap: No row takes t = 'x' | {"t":"x"}`],
  },
  {
    title: 'negations',
    fields: ['x', 't'],
    rows: [
      ['not ($ > 5)', "not in ['a']", '1'],
      ['$ > 5', '', '2'],
      ['not ($ >= 3 and $ <= 7)', "$ != 'b'", '3'],
      ['', "'a'", '4'],
      ['<= 2', "'b'", '5'],
    ],
    told: [`${dead(5)} | {"x":2,"t":"b"}`],
  },
  {
    title: 'empty cells',
    fields: ['a', 'b'],
    rows: [
      ['', '> 1', '1'],
      ['> 1', '', '2'],
      ['> 5', '> 5', '3'],
      ['', '', '4'],
      ['1', '1', '5'],
    ],
    told: [`${dead(3)} | {"b":6,"a":6}`, `${dead(5)} | {"b":1,"a":1}`],
  },
  {
    title: 'fields of fields',
    fields: ['customer.address.country', 'customer["risk level"]'],
    rows: [
      ["'DE'", '< 3', '1'],
      ["'DE'", '>= 3', '2'],
      ["'FR'", '', '3'],
      ["'FR'", '5', '4'],
    ],
    told: [
      `${dead(4)} | {"customer":{"risk level":5,"address":{"country":"FR"}}}`,
      `gap: No row takes customer.address.country not in ['DE', 'FR'] | {"customer":{"risk level":3,"address":{"country":"other"}}}`,
    ],
  },
  {
    title: 'cells that exclude each other',
    fields: ['age', 'age'],
    rows: [
      ['> 18', '< 10', '1'],
      ['', '', '2'],
    ],
    told: ['conflict: Row 1 never matches: its own cells exclude each other'],
  },
  {
    title: 'cells that exclude each other, where all rows count',
    fields: ['age', 'age'],
    collect: true,
    rows: [
      ['> 18', '< 10', '1'],
      ['> 18', '', '2'],
    ],
    told: ['conflict: Row 1 never matches: its own cells exclude each other'],
  },
  {
    title: 'columns of conditions',
    fields: ['-'],
    rows: [
      ["amount > 100 and country == 'DE'", '1'],
      ['amount <= 100', '2'],
      ['amount > 50', '3'],
      ['amount > 200', '4'],
    ],
    told: [`${dead(4)} | {"amount":201,"country":"DE"}`],
  },
  {
    title: 'columns that are computed of one field',
    fields: ['amount * 12'],
    rows: [
      ['< 1200', '1'],
      ['(1200..2400]', '2'],
      ['> 1300 and < 2000', '3'],
      ['> 2400', '4'],
    ],
    told: [`${dead(3)} | {"amount":109.33333333333333333333333333}`, 'gap: No row takes amount = 100 | {"amount":100}'],
  },
  {
    title: 'conditions that compute, with the digits that are lost',
    fields: ['-'],
    rows: [
      ['price / 3 < 1', '1'],
      ['price >= 3', '2'],
    ],
    told: ['gap: No row takes price = 2.9999999999999999999999999999 | {"price":2.9999999999999999999999999999}'],
  },
  {
    title: 'columns of two fields, whose values stand for themselves',
    fields: ['a + b'],
    rows: [
      ['< 5', '1'],
      ['>= 5', '2'],
      ['> 7', '3'],
    ],
    told: [`?${dead(3)}${undecided}`],
  },
  {
    title: 'rows that change nothing',
    fields: ['tier', 'n'],
    rows: [
      ["'gold'", '> 5', '1'],
      ["'silver'", '', '2'],
      ["'gold'", '', '1'],
      ['', '', '2'],
    ],
    told: [
      'redundant: Row 1 changes nothing: without it, later rows give the same results | {"tier":"gold","n":6}',
      'redundant: Row 2 changes nothing: without it, later rows give the same results | {"tier":"silver","n":4}',
    ],
  },
  {
    title: 'truth values, and fields that are not there',
    fields: ['a', 'b'],
    rows: [
      ['true', 'true', '1'],
      ['false', '', '2'],
      ['null', '', '3'],
      ['!= null', '', '4'],
      ['', '', '5'],
    ],
    told: [`${dead(5)} | {"b":false}`],
  },
  {
    title: 'items of a list, which need not be objects',
    fields: ['x'],
    content: { inputField: 'items', executionMode: 'loop' },
    rows: [
      ['null', '1'],
      ['!= null', '2'],
      ['', '3'],
      ['5', '4'],
    ],
    told: [`${dead(4)} | node {"x":5}`],
  },
  {
    title: 'items of a list, of which a result cannot read a name where they are no objects',
    fields: ['x'],
    content: { inputField: 'items', executionMode: 'loop' },
    rows: [
      ['', 'x'],
      ['', '2'],
    ],
    told: [],
  },
  {
    title: 'texts with quotes and backslashes, where all rows count',
    fields: ['t'],
    collect: true,
    rows: [
      [`"it's", 'a\\nb'`, '1'],
      [`"a\\nb", 'say "x"'`, '2'],
      [`not in ["it's", 'a\\nb']`, '3'],
    ],
    told: [
      `overlap: Rows 1 and 2 hold together where t = 'a\\nb' | {"t":"a\\\\nb"}`,
      `overlap: Rows 2 and 3 hold together where t = 'say "x"' | {"t":"say \\"x\\""}`,
    ],
  },
  {
    title: 'negations, where all rows count',
    fields: ['x'],
    collect: true,
    rows: [
      ['not ($ > 5)', '1'],
      ['$ != 7', '2'],
      ['not ($ in (0..9))', '3'],
    ],
    told: [
      'overlap: Rows 1 and 2 hold together where x <= 5 | {"x":0}',
      'overlap: Rows 1 and 3 hold together where x <= 0 | {"x":0}',
      'overlap: Rows 2 and 3 hold together where (x <= 0 or x >= 9 or x is any date or x is no valid date) | {"x":0}',
    ],
  },
  {
    title: 'ranges that are open outwards, where all rows count',
    fields: ['x'],
    collect: true,
    rows: [
      [']2..4[', '1'],
      ['[2..4)', '2'],
      ['(2..4]', '3'],
    ],
    told: [
      'overlap: Rows 1 and 2 hold together where x = 2 | {"x":2}',
      'overlap: Rows 1 and 3 hold together where x = 4 | {"x":4}',
      'overlap: Rows 2 and 3 hold together where x in (2..4) | {"x":3}',
    ],
  },
  {
    title: 'empty cells, where all rows count',
    fields: ['a', 'b'],
    collect: true,
    rows: [
      ['', '> 1', '1'],
      ['< 1', '', '2'],
      ['> 1', '<= 1', '3'],
    ],
    told: ['overlap: Rows 1 and 2 hold together where b > 1 and a < 1 | {"b":2,"a":0}'],
  },
  {
    title: 'fields of fields, where all rows count',
    fields: ['customer.address.country', 'customer["risk level"]'],
    collect: true,
    rows: [
      ["'DE'", '< 3', '1'],
      ["'DE', 'FR'", '(2..5]', '2'],
      ["'FR'", '> 5', '3'],
    ],
    told: [
      `overlap: Rows 1 and 2 hold together where customer.address.country = 'DE' and customer["risk level"] in (2..3) | {"customer":{"risk level":2.5,"address":{"country":"DE"}}}`,
    ],
  },
  {
    title: 'columns that are computed of one field, where all rows count',
    fields: ['amount * 12', '-'],
    collect: true,
    rows: [
      ['<= 1200', '', '1'],
      ['>= 1200', '', '2'],
      ['', "amount < 50 and country == 'DE'", '3'],
    ],
    told: [
      'overlap: Rows 1 and 2 hold together where amount = 100 | {"amount":100,"country":"DE"}',
      `overlap: Rows 1 and 3 hold together where amount in [-6602346876188694799461995861.2..50) and country = 'DE' | {"amount":-6602346876188694799461995861.2,"country":"DE"}`,
    ],
  },
  {
    title: 'rows with days, ranges of days and texts that change nothing',
    fields: ['day', 't'],
    schema: day('date'),
    rows: [
      ["[d('2024-01-01')..d('2024-01-31')]", "'a'", '1'],
      ["< d('2024-01-01')", '', '2'],
      ["<= d('2024-01-31')", "'a', 'b'", '1'],
      ['', '', '3'],
    ],
    told: [
      'redundant: Row 1 changes nothing: without it, later rows give the same results | {"day":"2024-01-01","t":"a"}',
    ],
  },
  {
    title: 'cells that exclude each other: days, digits, fields of fields, conditions',
    fields: ['day', 'day', 'a.b', '-'],
    rows: [
      ["< d('2024-01-01')", "> d('2024-01-02')", '', '', '1'],
      ['', '', '> 0.1234567890123456789012345678', 'a.b < 0.1234567890123456789012345679', '2'],
      ['', '', "'x'", 'not (a.b == "x")', '3'],
      ['', '', '(1..2]', 'a.b * 2 > 4', '4'],
      ['', '', '', '', '5'],
    ],
    told: [
      'conflict: Row 1 never matches: its own cells exclude each other',
      'conflict: Row 2 never matches: its own cells exclude each other',
      'conflict: Row 3 never matches: its own cells exclude each other',
      'conflict: Row 4 never matches: its own cells exclude each other',
    ],
  },
  {
    title: 'functions, of which nothing is known',
    fields: ['name'],
    rows: [
      ["startsWith($, 'A')", '1'],
      ["'Alma'", '2'],
      ["'Alma'", '3'],
    ],
    told: [
      `${dead(3)} | {"name":"Alma"}`,
      'gap: No row takes this input; it is not decided for which others where name != \'Alma\', as `startsWith($, \'A\')` does more than compare a field with constants | {"name":"other"}',
    ],
  },
  {
    title: 'results that may fail, so that the row is passed over',
    fields: ['x'],
    rows: [
      ['> 9', 'a / b'],
      ['> 9', '1'],
      ['> 5', '{ [[1]]: 1 }'],
      ['> 5', '2'],
      ['<= 5', '3'],
    ],
    told: [],
  },
];

describe('findings of each kind', () => {
  for (const example of examples) {
    it(`about ${example.title}`, async () => {
      expect(await told(example)).to.deep.equal(example.told);
    });
  }
});
