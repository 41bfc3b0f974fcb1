import { expect } from 'chai';
import fc from 'fast-check';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { findingsOf } from '../../../workers/analysis/findings.js';
import { tableChange } from '../../../workers/analysis/tableChange.js';
import { tableProgram, runOn } from '../../../workers/analysis/witness.js';
import { rowsIn, type Value } from '../../../workers/engine/index.js';
import { Reader } from '../../../workers/engine/jdm/reader.js';
import { readTable } from '../../../workers/engine/nodes/table.js';

const fields = ['n', 'm', 't'];
const bound = fc.integer({ min: 0, max: 6 });
const numberCell = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), bound).map(([operator, value]) => `${operator} ${value}`),
  fc
    .tuple(fc.constantFrom('[', '(', ']'), bound, bound, fc.constantFrom(']', ')', '['))
    .map(([open, low, high, close]) => `${open}${low}..${high}${close}`),
  fc
    .tuple(bound, bound)
    .map(([low, high]) => `not(> ${low} and < ${high})`.replace('not(> ', 'not ($ > ').replace('and <', 'and $ <')),
);
const textCell = fc.constantFrom(
  '',
  "'a'",
  "'a', 'b'",
  "not in ['a']",
  "== 'b' or == 'c'",
  '== null',
  "$ != 'c'",
  'true',
);
const row = fc.tuple(numberCell, numberCell, textCell, fc.constantFrom('1', '2', "'x'"));
const tables = fc.array(row, { maxLength: 7 });
const numbers = fc.oneof(
  bound,
  bound.map((value) => value + 0.5),
  fc.constantFrom(null, 'a', true, -1, 99),
);
const facts = fc.record({ n: numbers, m: numbers, t: fc.constantFrom('a', 'b', 'c', 'd', null, true, false, 3) });

const contentOf = (rows: readonly (readonly string[])[]) => ({
  hitPolicy: 'first',
  inputs: fields.map((field) => ({ id: field, field })),
  outputs: [{ id: 'o', field: 'o' }],
  rules: rows.map((cells, index) => ({ _id: `r${index}`, n: cells[0], m: cells[1], t: cells[2], o: cells[3] })),
});

const tableOf = (content: object) => readTable(new Reader(content, 'content', () => undefined));

const taken = async (content: object, fact: object): Promise<number | null> => {
  const seen = await runOn(tableProgram(content as Record<string, unknown>), fact as Value, noDeadline);
  return rowsIn(seen?.trace['table']?.traceData ?? null)[0] ?? null;
};

describe('what is told of random tables', () => {
  it('is never contradicted by what the engine does with random facts', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.array(facts, { minLength: 20, maxLength: 20 }), async (rows, inputs) => {
        const content = contentOf(rows);
        const { unreachable, boxes } = findingsOf(tableOf(content), noDeadline);
        for (const fact of inputs) {
          const row = await taken(content, fact);
          if (row !== null) expect(unreachable.has(row)).to.equal(false);
          // The first row whose box holds the fact is the one that the engine takes.
          const expected = boxes.rows.find(({ may }) =>
            boxes.dimensions.every((dimension, index) => dimension.isIn(fact as Value, may[index] ?? [])),
          );
          expect(expected?.index ?? null).to.equal(row);
        }
      }),
    );
  });

  it('places each fact on which two versions differ in a region, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        tables,
        fc.array(facts, { minLength: 20, maxLength: 20 }),
        async (old, young, inputs) => {
          const [before, after] = [contentOf(old), contentOf(young)];
          const { boxes, regions } = tableChange(tableOf(before), tableOf(after), {
            budget: { comparisons: 1_000_000, until: noDeadline },
          });
          for (const fact of inputs) {
            const results = [await taken(before, fact), await taken(after, fact)].map((row, index) =>
              row === null ? null : [old, young][index]?.[row]?.[3],
            );
            const inRegion = regions.some(({ box }) =>
              boxes.dimensions.every((dimension, index) => dimension.isIn(fact as Value, box[index] ?? [])),
            );
            expect(inRegion).to.equal(results[0] !== results[1]);
          }
        },
      ),
    );
  });
});
