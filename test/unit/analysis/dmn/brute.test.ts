import { expect } from 'chai';
import fc from 'fast-check';
import { noDeadline } from '../../../../workers/analysis/deadline.js';
import { readTable, type ReadTable } from '../../../../workers/analysis/dmn/readTable.js';
import { findingsFor, type TableFindings } from '../../../../workers/analysis/findings.js';
import type { FindingKind } from '../../../../workers/analysis/finding.js';
import { compileDmn, rowsIn, type Value } from '../../../../workers/engine/index.js';
import { cases } from '../../../support/environment.js';
import { tableDocument, type TableInput } from '../../../support/dmnTables.js';

// All values that the cells below tell apart are tried: what is found is what the engine does with them.

const inputs: readonly TableInput[] = [
  { name: 'n', type: 'number', taken: '[0..4]' },
  { name: 't', type: 'string', allowed: '"a", "b", "c"' },
  { name: 'd', type: 'date' },
];
/** Those that a person expects, by input; a value of another type counts as null. */
const expected: readonly (readonly Value[])[] = [
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 4],
  ['a', 'b', 'c'],
  ['2023-12-31', '2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04'],
];
const others: readonly (readonly Value[])[] = [[null, -1, 5, true], [null, 'x'], [null]];

const bound = fc.integer({ min: 0, max: 3 });
const day = fc.integer({ min: 1, max: 3 }).map((value) => `date("2024-01-0${value}")`);
const compared = fc.constantFrom('<', '<=', '>', '>=');
const ranges = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('[', '(', ']'), value, value, fc.constantFrom(']', ')', '['))
    .map(([open, low, high, close]) => `${open}${String(low)}..${String(high)}${close}`);
const cells = [
  fc.oneof(
    fc.constantFrom('-', '', 'null', 'not(1, 2)', '? > 1 and ? < 3', '? in [1..2]', '? between 1 and 2', '< 1, > 2'),
    fc.constantFrom('n > 1 and n < 3', 'n = 2', '1 < n', 'n between 1 and 2', 'n in [1..2]', 'n > 1 or ? < 1'),
    fc.tuple(compared, bound).map(([operator, value]) => `${operator} ${value}`),
    ranges(bound),
  ),
  fc.constantFrom(
    '-',
    '"a"',
    '"b"',
    '"a", "b"',
    'not("a")',
    'not("b", "c")',
    '? = "c"',
    '["a", "c"]',
    'null',
    't = "b"',
    't != "a"',
  ),
  fc.oneof(
    fc.constantFrom('-', '-', '@"2024-01-02"', 'not(date("2024-01-01"))', '5', 'd > date("2024-01-01")'),
    fc.tuple(compared, day).map(([operator, value]) => `${operator} ${value}`),
    ranges(day),
  ),
] as const;
const rows = fc.array(fc.tuple(...cells, fc.constantFrom('1', '2', '3')), { minLength: 1, maxLength: 6 });
type Rows = readonly (readonly string[])[];

interface Tried {
  readonly fact: Record<string, Value>;
  readonly rows: readonly number[];
  readonly isExpected: boolean;
}

function tryAll(table: Rows, hitPolicy: string): { readonly found: TableFindings; readonly tried: readonly Tried[] } {
  const read: ReadTable[] = [];
  const xml = tableDocument({ hitPolicy, inputs, rows: table, outputValues: '3, 1, 2' });
  const { program } = compileDmn(xml, { onTable: (each, node) => read.push(readTable(each, node)) });
  const [only] = read;
  if (only === undefined) throw new Error('there is no table');
  const { ruling, possibleOf } = only.table;
  const found = findingsFor(only.table, noDeadline, { ruling, beside: {}, possibleOf });
  const tried: Tried[] = [];
  const domain = inputs.map((_, at) => [...(expected[at] ?? []), ...(others[at] ?? [])]);
  for (const n of domain[0] ?? [])
    for (const t of domain[1] ?? [])
      for (const d of domain[2] ?? []) {
        const fact = { n, t, d };
        const { trace = {} } = program.run(fact, { trace: true, now: 0, random: () => 0, deadline: Infinity });
        const isExpected = [n, t, d].every((value, at) => expected[at]?.includes(value) === true);
        tried.push({ fact, rows: rowsIn(trace['result']?.traceData ?? null), isExpected });
      }
  return { found, tried };
}

const proved = ({ findings }: TableFindings, ...kinds: FindingKind[]): string[] =>
  findings
    .filter(({ kind, isProved }) => kinds.includes(kind) && isProved)
    .map((each) => each.rows.join(' '))
    .sort();

const pairs = (tried: readonly Tried[], counts: (one: number, other: number) => boolean): string[] => {
  const all = new Set<string>();
  for (const { rows: hits } of tried)
    for (const one of hits) for (const other of hits) if (one < other && counts(one, other)) all.add(`${one} ${other}`);
  return [...all].sort();
};

/** Rows that a run never comes to. */
const never = (table: Rows, tried: readonly Tried[]): string[] =>
  table.flatMap((_, row) => (tried.some(({ rows: hits }) => hits.includes(row)) ? [] : [`${row}`]));

function holdsOfGaps({ found, tried }: ReturnType<typeof tryAll>): void {
  const gaps = found.findings.filter(({ kind }) => kind === 'gap');
  if (gaps.length === 20) return;
  expect(gaps.every(({ isProved }) => isProved)).to.equal(true);
  const isIn = (fact: Record<string, Value>): boolean =>
    gaps.some(({ region }) => found.boxes.dimensions.every((each, at) => each.isIn(fact, region?.[at] ?? [])));
  for (const { fact, rows: hits, isExpected } of tried)
    if (isExpected) expect(isIn(fact), JSON.stringify(fact)).to.equal(hits.length === 0);
}

const numRuns = cases(300);

describe('findings about small tables of DMN, and what trying everything says', function () {
  this.timeout(600_000);
  const holds = (hitPolicy: string, property: (table: Rows, all: ReturnType<typeof tryAll>) => void): void =>
    fc.assert(
      fc.property(rows, (table) => property(table, tryAll(table, hitPolicy))),
      { numRuns },
    );

  it('agree on gaps, on rules that never match and on each two that hold together under UNIQUE', () => {
    holds('UNIQUE', (table, all) => {
      holdsOfGaps(all);
      expect(proved(all.found, 'conflict')).to.deep.equal(never(table, all.tried));
      expect(proved(all.found, 'overlap')).to.deep.equal(pairs(all.tried, () => true));
    });
  });

  it('agree under ANY on the rules that hold together and give different outputs', () => {
    holds('ANY', (table, all) => {
      holdsOfGaps(all);
      const differ = pairs(all.tried, (one, other) => table[one]?.at(-1) !== table[other]?.at(-1));
      expect(proved(all.found, 'overlap')).to.deep.equal(differ);
    });
  });

  for (const hitPolicy of ['FIRST', 'PRIORITY']) {
    it(`agree under ${hitPolicy} on the rules that others leave nothing`, () => {
      holds(hitPolicy, (table, all) => {
        holdsOfGaps(all);
        expect(proved(all.found, 'conflict', 'shadowed')).to.deep.equal(never(table, all.tried));
        expect(proved(all.found, 'overlap')).to.deep.equal([]);
      });
    });
  }

  for (const hitPolicy of ['RULE ORDER', 'COLLECT', 'OUTPUT ORDER']) {
    it(`tell of ${hitPolicy} nothing but the rules that never match`, () => {
      holds(hitPolicy, (table, { found, tried }) => {
        expect(proved(found, 'conflict')).to.deep.equal(never(table, tried));
        expect(proved(found, 'gap', 'overlap', 'shadowed', 'redundant')).to.deep.equal([]);
      });
    });
  }
});
