import { expect } from 'chai';
import fc from 'fast-check';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { findingsOf } from '../../../workers/analysis/findings.js';
import type { Finding } from '../../../workers/analysis/finding.js';
import { tableChange } from '../../../workers/analysis/tableChange.js';
import { runOn, tableProgram } from '../../../workers/analysis/witness.js';
import { parseNumber, rowsIn, type Program, type Value } from '../../../workers/engine/index.js';
import { Reader } from '../../../workers/engine/jdm/reader.js';
import { readTable } from '../../../workers/engine/nodes/table.js';
import { dateField } from '../../../workers/engine/zen/dates/read.js';

// Tables of every kind of cell, and facts of every kind of value: whatever is claimed is tried.

const exact = (digits: string): Value => parseNumber(digits) ?? null;
const numberCells = [
  ...['', '', '< 5', '>= 5', '[1..5]', '(1..5)', ']1..5[', '5', '1, 2', '!= 5', 'not in [1..5]', '> 2.5 and < 7'],
  ...['null', '!= null', '$ * 2 < 10', '$ / 3 >= 1', 'not ($ > 5)', '12345678901234567890', '<= 0.1 + 0.2'],
  ...['abs($) > 3', '> other', 'true'],
];
const textCells = [
  ...['', '', "'a'", "'a', 'b'", "!= 'a'", "not in ['a', 'c']", "== 'b' or == 'c'", 'null', "startsWith($, 'a')"],
  ...["d('2024-01-01')", "< d('2024-06-01')", ">= d('2024-06-01')", "'2024-01-01'", "> '2024-01-01'", 'true', 'false'],
  ...["[d('2024-01-01')..d('2024-12-31')]", "not in [d('2024-01-01')]"],
];
const conditions = [
  ...['', '', '', "n > 5 and t == 'a'", 'n <= 5', "t == 'a' or t == 'b'", 'not (n == 5)', 'n * 2 > 8', 'true'],
  ...["t < d('2024-06-01')", "n in [1, 2, 'a']", 'a.b == 1', 'a.b != null and n > 1', 'len(t) > 1'],
];
const columns = ['n', 't', '', 'a.b', 'n * 3'];
const rowOf = fc.record({
  n: fc.constantFrom(...numberCells),
  t: fc.constantFrom(...textCells),
  c: fc.constantFrom(...conditions),
  d: fc.constantFrom('', '', '', '1', '> 1', 'null', "'x'"),
  e: fc.constantFrom('', '', '', '< 15', '15', '> 9 and <= 21'),
  o: fc.constantFrom('1', '2', "'x'", 'n', 'n / t', '$'),
});
const rows = fc.array(rowOf, { minLength: 1, maxLength: 7 });
type Rows = readonly Readonly<Record<'n' | 't' | 'c' | 'd' | 'e' | 'o', string>>[];

const number = fc.oneof(
  fc.integer({ min: -1, max: 9 }),
  fc.constantFrom<Value>(0.3, 2.5, 3.5, 4.999, 1e20, exact('12345678901234567890'), exact('12345678901234567891')),
  fc.constantFrom(exact('0.3000000000000000000000000001'), exact('79228162514264337593543950335')),
);
const odd = fc.constantFrom<Value>(null, true, false, [], [1], {}, { b: 1 }, 'a', '5');
const text = fc.oneof(
  fc.constantFrom<Value>(
    ...['a', 'b', 'c', 'ab', '', '2024-01-01', '2024-01-01T00:00:00Z', '2024-06-01', '2025', '1999/1/1'],
  ),
  fc.constantFrom<Value>(...['2024-01-01', '2024-06-01T00:00:00Z', '2024-12-31', 'none'].map(dateField)),
);
const object = fc.record(
  {
    n: fc.oneof({ weight: 4, arbitrary: number }, { weight: 1, arbitrary: fc.oneof(odd, text) }),
    t: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.oneof(odd, number) }),
    a: fc.oneof(fc.record({ b: fc.oneof(number, odd) }), odd),
    other: fc.oneof(number, odd),
  },
  { requiredKeys: [] },
);
/** What a table in a loop may be given. */
const input = fc.oneof({ weight: 5, arbitrary: object }, { weight: 1, arbitrary: fc.oneof(odd, number, text) });

const contentOf = (cells: Rows, hitPolicy: string): Record<string, unknown> => ({
  hitPolicy,
  inputs: columns.map((field, at) => ({ id: 'ntcde'[at] ?? '', field })),
  outputs: [{ id: 'o', field: 'o' }],
  rules: cells,
});
const tableOf = (content: object) => readTable(new Reader(content, 'content', () => undefined));
const anything = { at: () => ({ values: null, tests: [] }), isObject: false };

async function run(program: Program, fact: Value): Promise<{ rows: number[]; result: string }> {
  const seen = await runOn(program, fact, noDeadline);
  return { rows: rowsIn(seen?.trace['table']?.traceData ?? null), result: JSON.stringify(seen?.result ?? null) };
}

const claimed = (findings: readonly Finding[], kind: Finding['kind']): Finding[] =>
  findings.filter((each) => each.kind === kind && each.isProved);

/** Facts that are tried on each table. */
const factsOfTable = 60;
const tables = Math.ceil(Number(process.env['FACTS'] ?? 12_000) / factsOfTable);

describe('what is claimed of tables with every kind of cell', function () {
  this.timeout(1_200_000);

  it('holds for random facts of every kind, inputs that are no objects among them', async () => {
    let claims = 0;
    await fc.assert(
      fc.asyncProperty(
        rows,
        rows,
        fc.array(input, { minLength: factsOfTable, maxLength: factsOfTable }),
        async (cells, others, facts) => {
          const [content, all, next] = [
            contentOf(cells, 'first'),
            contentOf(cells, 'collect'),
            contentOf(others, 'first'),
          ];
          const { findings, unreachable, boxes, isTotal } = findingsOf(tableOf(content), noDeadline, anything);
          const gaps = claimed(findings, 'gap');
          const redundant = claimed(findings, 'redundant').map(({ rows: [row] }) => row);
          const budget = { comparisons: 10_000_000, until: noDeadline };
          const change = tableChange(tableOf(content), tableOf(next), { budget, mayBeNoObject: true });
          const conflicts = new Set(claimed(findings, 'conflict').map(({ rows: [row] }) => row));
          claims += unreachable.size + gaps.length + redundant.length + Number(change.reason === null);
          const [first, every, second] = [content, all, next].map(tableProgram) as [Program, Program, Program];
          const shorter = redundant.map((row) =>
            tableProgram(
              contentOf(
                cells.filter((_, at) => at !== row),
                'first',
              ),
            ),
          );
          for (const fact of facts) {
            const seen = await run(first, fact);
            for (const row of seen.rows) expect(unreachable.has(row), `row ${row}`).to.equal(false);
            for (const row of (await run(every, fact)).rows) expect(conflicts.has(row), `row ${row}`).to.equal(false);
            if (isTotal) expect(seen.rows, 'total').to.have.length(1);
            for (const program of shorter) expect((await run(program, fact)).result).to.equal(seen.result);
            // A dimension knows a field of an object alone.
            if (typeof fact !== 'object' || fact === null || Array.isArray(fact)) continue;
            const isIn = (region: (typeof gaps)[number]['region'], of = boxes): boolean =>
              region !== null && of.dimensions.every((each, at) => each.isIn(fact, region[at] ?? []));
            if (gaps.some(({ region }) => isIn(region))) expect(seen.rows, 'gap').to.deep.equal([]);
            if (change.reason !== null) continue;
            const differs = (await run(second, fact)).result !== seen.result;
            const isTold = change.regions.some(({ box }) => isIn(box, change.boxes));
            if (differs) expect(isTold, 'a difference that is not told').to.equal(true);
          }
        },
      ),
      { numRuns: tables },
    );
    expect(claims).to.be.greaterThan(tables / 2);
  });
});
