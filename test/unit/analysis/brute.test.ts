import { expect } from 'chai';
import fc from 'fast-check';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { examineGraph, givenTo } from '../../../workers/analysis/examinedGraph.js';
import { findingsOf } from '../../../workers/analysis/findings.js';
import type { FindingKind } from '../../../workers/analysis/finding.js';
import { tableChange } from '../../../workers/analysis/tableChange.js';
import { tableProgram, runOn } from '../../../workers/analysis/witness.js';
import { compile, rowsIn, type Value, type ValueObject } from '../../../workers/engine/index.js';
import { Reader } from '../../../workers/engine/jdm/reader.js';
import { readTable } from '../../../workers/engine/nodes/table.js';
import { cases } from '../../support/environment.js';

/** All values that cells over 0 to 3 and two texts tell apart. */
const numbers = [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4];
const texts = ['a', 'b', 'c'];
const expected = numbers.flatMap((n) => texts.map((t) => ({ n, t })));
const others: Value[] = [null, true, 'x', [], {}];
/** Those that no cell expects come last. */
const domain: { readonly n: Value; readonly t: Value }[] = [
  ...expected,
  ...others.flatMap((n) => [...texts, ...others, 1].map((t) => ({ n, t }))),
  ...numbers.flatMap((n) => [...others, 1].map((t) => ({ n, t }))),
];

const bound = fc.integer({ min: 0, max: 3 });
const numberCell = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '!='), bound).map(([operator, value]) => `${operator} ${value}`),
  fc
    .tuple(fc.constantFrom('[', '('), bound, bound, fc.constantFrom(']', ')'))
    .map(([open, low, high, close]) => `${open}${low}..${high}${close}`),
);
const textCell = fc.constantFrom('', "'a'", "'b'", "'a', 'b'", "!= 'a'", "not in ['b']");
const rows = fc.array(fc.tuple(numberCell, textCell, fc.constantFrom('1', '2')), { minLength: 1, maxLength: 6 });
type Rows = readonly (readonly [string, string, string])[];

const contentOf = (cells: Rows, hitPolicy = 'first') => ({
  hitPolicy,
  inputs: ['n', 't'].map((field) => ({ id: field, field })),
  outputs: [{ id: 'o', field: 'o' }],
  // The constants are in every table, so that its fields have the same kinds.
  rules: cells.map(([n, t, o]) => ({ n, t, o })),
});
const tableOf = (content: object) => readTable(new Reader(content, 'content', () => undefined));

/** Which rows the engine takes for each of the domain. */
async function taken(content: Record<string, unknown>): Promise<number[][]> {
  const program = tableProgram(content);
  const all: number[][] = [];
  for (const fact of domain) {
    const seen = await runOn(program, fact, noDeadline);
    all.push(rowsIn(seen?.trace['table']?.traceData ?? null));
  }
  return all;
}

const rowsOf = (content: object, kind: FindingKind): string[] =>
  findingsOf(tableOf(content), noDeadline)
    .findings.filter((finding) => finding.kind === kind && finding.isProved)
    .map((finding) => finding.rows.join(' '));

const numRuns = cases(500);

describe('findings about small tables, and what trying everything says', () => {
  it('name the one row that takes all of another, where it is one', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const content = contentOf(cells);
        const every = await taken(contentOf(cells, 'collect'));
        const { findings } = findingsOf(tableOf(content), noDeadline);
        const shadowed = findings.filter(({ kind }) => kind === 'shadowed');
        const hidden = new Set(shadowed.flatMap((finding) => finding.rows));
        for (const {
          rows: [row = -1],
          hiddenBy,
        } of shadowed) {
          const hides = (other: number): boolean =>
            !hidden.has(other) && every.every((found) => !found.includes(row) || found.includes(other));
          expect(hiddenBy).to.equal([...cells.keys()].slice(0, row).find(hides));
        }
      }),
      { numRuns },
    );
  });

  it('agree row by row and gap by gap where the first row counts', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const content = contentOf(cells);
        const first = await taken(content);
        const every = await taken(contentOf(cells, 'collect'));
        const never = cells.flatMap((_, row) => (first.some((found) => found.includes(row)) ? [] : [`${row}`]));
        expect([...rowsOf(content, 'shadowed'), ...rowsOf(content, 'conflict')].sort()).to.deep.equal(never);
        const excluded = cells.flatMap((_, row) => (every.some((found) => found.includes(row)) ? [] : [`${row}`]));
        expect(rowsOf(content, 'conflict')).to.deep.equal(excluded);
        const tested = [0, 1].map((column) => cells.some((row) => row[column] !== ''));
        // A field that no cell tests has no expected kind.
        if (tested.every(Boolean))
          expect(rowsOf(content, 'gap').length > 0).to.equal(
            first.slice(0, expected.length).some((found) => found.length === 0),
          );
      }),
      { numRuns },
    );
  });

  it('agree gap by gap where only whole numbers are expected, which proves no more of rows', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const content = contentOf(cells);
        const [n, t] = content.inputs;
        const whole = { ...content, inputs: [{ ...n, _whole: true }, t] };
        const first = await taken(content);
        const { findings } = findingsOf(tableOf(whole), noDeadline, givenTo(whole));
        const others = findings.filter(({ kind }) => kind !== 'gap').map(({ kind, rows: some }) => ({ kind, some }));
        const all = findingsOf(tableOf(content), noDeadline).findings;
        expect(others).to.deep.equal(
          all.filter(({ kind }) => kind !== 'gap').map(({ kind, rows: some }) => ({ kind, some })),
        );
        const hasGap = expected.some((fact, at) => Number.isInteger(fact.n) && first[at]?.length === 0);
        const tested = [0, 1].map((column) => cells.some((row) => row[column] !== ''));
        if (tested.every(Boolean)) expect(findings.some(({ kind }) => kind === 'gap')).to.equal(hasGap);
      }),
      { numRuns },
    );
  });

  it('agree on rows that change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const content = contentOf(cells);
        const resultsOf = async (all: Rows): Promise<(string | null)[]> =>
          (await taken(contentOf(all))).map(([row]) => (row === undefined ? null : (all[row]?.[2] ?? null)));
        const before = await resultsOf(cells);
        for (const row of rowsOf(content, 'redundant'))
          expect(await resultsOf(cells.filter((_, at) => at !== Number(row)))).to.deep.equal(before);
      }),
      { numRuns },
    );
  });

  it('agree on pairs of rows that hold together where all rows count', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const content = contentOf(cells, 'collect');
        const pairs = new Set<string>();
        for (const found of await taken(content))
          for (const [at, one] of found.entries())
            for (const other of found.slice(at + 1)) pairs.add(`${one} ${other}`);
        expect(rowsOf(content, 'overlap').sort()).to.deep.equal([...pairs].sort());
      }),
      { numRuns },
    );
  });
});

describe('findings about tables of whole numbers, by the schema of the request', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } } };
  const documentOf = (cells: Rows, hitPolicy = 'first') => ({
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in', content: { schema: JSON.stringify(schema) } },
      { id: 'table', type: 'decisionTableNode', name: 'table', content: contentOf(cells, hitPolicy) },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  });
  const wholes = [-2, -1, 0, 1, 2, 3, 4, 5];
  const known = wholes.flatMap((n) => texts.map((t) => ({ n, t })));
  // Those that no cell expects come last; without `n` a fact is as good.
  const facts: readonly object[] = [
    ...known,
    ...wholes.flatMap((n) => [...others, 1].map((t) => ({ n, t }))),
    ...[...texts, ...others, 1].map((t) => ({ t })),
  ];
  const halves = fc.integer({ min: 0, max: 6 }).map((value) => value / 2);
  const halfCell = fc.oneof(
    numberCell,
    fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '!='), halves).map(([operator, value]) => `${operator} ${value}`),
    fc
      .tuple(fc.constantFrom('[', '('), halves, halves, fc.constantFrom(']', ')'))
      .map(([open, low, high, close]) => `${open}${low}..${high}${close}`),
  );
  const tables = fc.array(fc.tuple(halfCell, textCell, fc.constantFrom('1', '2')), { minLength: 1, maxLength: 6 });

  /** Which rows the model takes for each fact; null where it refuses the fact. */
  async function rowsFor(document: object, some: readonly object[]) {
    const program = compile(document, { resolve: () => undefined });
    const all: (number[] | null)[] = [];
    for (const fact of some) {
      const seen = await runOn(program, fact as ValueObject, noDeadline);
      all.push(seen === undefined || !('table' in seen.trace) ? null : rowsIn(seen.trace['table'].traceData ?? null));
    }
    return all;
  }

  it('agree with what every whole number does, and the model takes no other ones', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (cells) => {
        const first = await rowsFor(documentOf(cells), facts);
        const [found] = examineGraph(documentOf(cells), noDeadline).tables;
        const told = (kind: FindingKind): number[] =>
          (found?.found.findings ?? []).flatMap((each) => (each.kind === kind && each.isProved ? each.rows : []));
        const never = cells.flatMap((_, row) => (first.some((taken) => taken?.includes(row)) ? [] : [row]));
        expect([...(found?.found.unreachable ?? [])].sort()).to.deep.equal(never);
        expect(never).to.include.members([...told('shadowed'), ...told('conflict')]);
        const tested = [0, 1].map((column) => cells.some((row) => row[column] !== ''));
        const hasGap = (found?.found.findings ?? []).some(({ kind }) => kind === 'gap');
        if (tested.every(Boolean))
          expect(hasGap).to.equal(first.slice(0, known.length).some((taken) => taken?.length === 0));
        const refused = await rowsFor(
          documentOf(cells),
          [0.5, 2.5, -1.5].map((n) => ({ n, t: 'a' })),
        );
        expect(refused).to.deep.equal([null, null, null]);
      }),
      { numRuns },
    );
  });
});

describe('versions of a table', () => {
  const changesOf = (before: Rows, after: Rows) =>
    tableChange(tableOf(contentOf(before)), tableOf(contentOf(after)), {
      budget: { comparisons: 1_000_000, until: noDeadline },
    });

  it('are equal however they are written: rows split, merged, or reordered where that changes nothing', () => {
    const whole: Rows = [
      ['[1..3)', "'a', 'b'", '1'],
      ['>= 3', '', '2'],
      ['', '', '3'],
    ];
    const split: Rows = [
      ['[1..2]', "'a'", '1'],
      ['(2..3)', "'a'", '1'],
      ['[3..10)', '', '2'],
      ['>= 10', '', '2'],
      ['[1..3)', "'b'", '1'],
      ['', '', '3'],
    ];
    const reordered: Rows = [
      ['not ($ < 3)', '', '2'],
      ['$ >= 1 and $ < 3', "in ['b', 'a']", '1.0'],
      ['', '', '3'],
    ];
    for (const [before, after] of [
      [whole, split],
      [split, whole],
      [whole, reordered],
      [reordered, split],
    ] as const) {
      const { regions, reason } = changesOf(before, after);
      expect({ regions, reason }).to.deep.equal({ regions: [], reason: null });
    }
  });

  it('differ in regions where some fact has another result, and nowhere else, by the rows that are told of', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (before, after) => {
        const [old, young] = [await taken(contentOf(before)), await taken(contentOf(after))];
        const resultOf = (cells: Rows, found: readonly number[] | undefined): string | undefined =>
          cells[found?.[0] ?? -1]?.[2];
        const { boxes, regions } = changesOf(before, after);
        for (const [at, fact] of domain.entries()) {
          const told = regions.filter(({ box }) =>
            boxes.dimensions.every((dimension, index) => dimension.isIn(fact, box[index] ?? [])),
          );
          const isOther = resultOf(before, old[at]) !== resultOf(after, young[at]);
          expect(told.map(({ before: was, after: is }) => [was, is])).to.deep.equal(
            isOther ? [[old[at], young[at]]] : [],
            JSON.stringify(fact),
          );
        }
      }),
      { numRuns },
    );
  });

  it('that differ in one cell differ exactly where earlier rows leave that row something', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(5), async (cells, chosen) => {
        const row = chosen % cells.length;
        const after: Rows = cells.map((each, at) => (at === row ? [each[0], each[1], "'new'"] : each));
        const first = await taken(contentOf(cells));
        const { boxes, regions } = changesOf(cells, after);
        for (const [at, fact] of domain.entries()) {
          const isIn = regions.some(({ box }) =>
            boxes.dimensions.every((dimension, index) => dimension.isIn(fact, box[index] ?? [])),
          );
          expect(isIn).to.equal(first[at]?.[0] === row);
        }
        expect(regions.every(({ before }) => before.join() === String(row))).to.equal(true);
      }),
      { numRuns },
    );
  });
});
