import { expect } from 'chai';
import fc from 'fast-check';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { findingsOf } from '../../../workers/analysis/findings.js';
import type { FindingKind } from '../../../workers/analysis/finding.js';
import { analyse, suggest } from '../../../workers/analysis/index.js';
import { tableChange } from '../../../workers/analysis/tableChange.js';
import { runOn, tableProgram } from '../../../workers/analysis/witness.js';
import { compile, rowsIn, type Value } from '../../../workers/engine/index.js';
import { Reader } from '../../../workers/engine/jdm/reader.js';
import { readTable } from '../../../workers/engine/nodes/table.js';
import { cases } from '../../support/environment.js';

/** All that cells over these times tell apart, and what is no time, or is one in another form. */
const bounds = ['00:00', '06:00', '06:00:01', '18:00'];
const times = [...bounds, '03:00', '12:00', '23:59:59'];
const domain: readonly Value[] = [
  ...times,
  ...['6:00', '18:00:00', '2026-01-31T18:00:00Z', '2026-01-31', 'soon', ''],
  ...[0, 21_600, 21_600.5, 64_800, 90_000, -1, -0.5],
  ...[null, true, [], {}],
];

const part = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), fc.constantFrom(...bounds))
  .map(([operator, time]) => `time($) ${operator} time("${time}")`);
const cell = fc.oneof(
  part,
  fc.tuple(part, fc.constantFrom(' and ', ', ', ' or '), part).map((parts) => parts.join('')),
);
const tables = fc.array(fc.tuple(cell, fc.constantFrom('1', '2')), { minLength: 1, maxLength: 5 });

const contentOf = (rows: readonly (readonly [string, string])[], hitPolicy = 'first') => ({
  hitPolicy,
  inputs: [{ id: 'at', field: 'at' }],
  outputs: [{ id: 'o', field: 'o' }],
  rules: rows.map(([at, o]) => ({ at, o })),
});
const tableOf = (content: object) => readTable(new Reader(content, 'content', () => undefined));

/** Which rows the engine takes for each of them. */
async function taken(content: Record<string, unknown>, values = domain): Promise<number[][]> {
  const program = tableProgram(content);
  const all: number[][] = [];
  for (const at of values) {
    const seen = await runOn(program, { at }, noDeadline);
    all.push(rowsIn(seen?.trace['table']?.traceData ?? null));
  }
  return all;
}

describe('tables of times of the day', () => {
  it('are found as trying every time finds them, and so is what is no time', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        const content = contentOf(rows);
        const { findings, isTotal } = findingsOf(tableOf(content), noDeadline);
        const of = (kind: FindingKind): string[] =>
          findings.filter((each) => each.kind === kind && each.isProved).map((each) => each.rows.join(' '));
        const [first, every] = [await taken(content), await taken(contentOf(rows, 'collect'))];
        const without = (found: readonly number[][]): string[] =>
          rows.flatMap((_, row) => (found.some((each) => each.includes(row)) ? [] : [`${row}`]));
        expect([...of('shadowed'), ...of('conflict')].sort()).to.deep.equal(without(first));
        expect(of('conflict')).to.deep.equal(without(every));
        expect(of('gap').length > 0).to.equal((await taken(content, times)).some((each) => each.length === 0));
        if (isTotal) expect(first.every((each) => each.length > 0)).to.equal(true);
      }),
      { numRuns: cases(200) },
    );
  });

  it('are compared by them, and are another field where an older version has texts', () => {
    const early = tableOf(contentOf([['time($) < time("06:00")', '1']]));
    const same = tableOf(contentOf([['time($) < time("06:00"), time($) < time("03:00")', '1']]));
    const later = tableOf(contentOf([['time($) < time("18:00")', '1']]));
    const budget = { comparisons: 1e6, until: noDeadline };
    expect(tableChange(early, same, { budget }).regions).to.have.length(0);
    expect(tableChange(early, later, { budget }).regions).to.have.length(1);
    expect(tableChange(early, tableOf(contentOf([['"05:00"', '1']])), { budget }).regions.length).to.be.above(0);
  });

  it('have examples and tests with times, also where a cell is something else', async () => {
    for (const last of ['', 'time($) >= time("18:00")', '"late"']) {
      const rows = [
        ['time($) < time("06:00")', '1'],
        ['time($) < time("12:00")', '2'],
        [last, '3'],
      ] as const;
      const document = {
        nodes: [
          { id: 'in', type: 'inputNode', name: 'in', content: {} },
          { id: 'table', type: 'decisionTableNode', name: 'table', content: contentOf(rows) },
        ],
        edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
      };
      const program = compile(document, { resolve: () => undefined });
      const request = { version: { document, program, linked: '' }, until: Infinity };
      const [told, suggested] = [await analyse(request), await suggest(request)];
      const facts = [
        ...told.report.tables.flatMap(({ findings }) => findings.flatMap(({ witness }) => witness?.fact ?? [])),
        ...suggested.report.tests.map(({ input }) => input),
      ];
      expect(facts).to.not.have.length(0);
      for (const fact of facts)
        expect(typeof (fact as { readonly at?: Value }).at, last).to.be.oneOf(['string', 'undefined']);
    }
  });
});
