import { expect } from 'chai';
import fc from 'fast-check';
import { numberOrder, wholeFirst, wholeOrder } from '../../../workers/analysis/atoms.js';
import { columnsOf } from '../../../workers/analysis/columns.js';
import { isEmptyBox, meetsAll, uncovered, type Box } from '../../../workers/analysis/boxes.js';
import { Descent } from '../../../workers/analysis/descent.js';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { Dimension } from '../../../workers/analysis/dimension.js';
import { Neighbours } from '../../../workers/analysis/neighbours.js';
import {
  isWithin,
  membersOf,
  placing,
  rangesOf,
  unionOf,
  upTo,
  type Ranges,
} from '../../../workers/analysis/ranges.js';
import { seed, cases } from '../../support/environment.js';

const size = 7;

const numbersBelow = (count: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.nat(count - 1), { maxLength: count }).map((members) => members.sort((one, other) => one - other));
const setBelow = (count: number): fc.Arbitrary<Ranges> => numbersBelow(count).map(rangesOf);
/** All of a dimension, a range or any numbers: sets that cover each other often, and that divide. */
const set = fc.oneof(
  fc.constant(upTo(size)),
  fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]),
  setBelow(size).filter(({ length }) => length > 0),
);
const box = fc.tuple(set, set, set);

const includes = (ranges: Ranges, wanted: number): boolean => [...membersOf(ranges)].includes(wanted);
const holds = (point: readonly number[], each: Box): boolean =>
  point.every((at, dimension) => includes(each[dimension] ?? [], at));
const points = [...membersOf(upTo(size))].flatMap((x) =>
  [...membersOf(upTo(size))].flatMap((y) => [...membersOf(upTo(size))].map((z) => [x, y, z])),
);

/** Rows of two dimensions that have few atoms or thousands; some say nothing of one of them. */
const cell = fc.option(fc.oneof(numbersBelow(40).map(rangesOf), fc.constantFrom<Ranges>([3, 9], [0, 30], [20, 39])));
const table = fc
  .tuple(fc.constantFrom(20, 200, 2000), fc.array(fc.tuple(cell, cell), { maxLength: 40 }))
  .map(([count, raw]) => {
    const constants = Array.from({ length: count }, (_, at) => at);
    const dimensions = ['x', 'y'].map((name) => new Dimension({ name, path: [name], constants, mayFail: false }));
    const spread = (set: Ranges): Ranges => (count > 100 ? set.map((end) => end * 5) : set);
    const rows = raw
      .map((sets) => sets.map((set, at) => (set === null ? (dimensions[at]?.all ?? []) : spread(set))))
      .filter((may) => may.every(({ length }) => length > 0))
      .map((may, index) => ({ index, may, isExact: true, reason: undefined }));
    return { rows, columns: columnsOf(rows, dimensions) };
  });

describe('sets of atoms', () => {
  it('lie apart, across or within as their members do', () => {
    const few = setBelow(size);
    fc.assert(
      fc.property(
        few.filter(({ length }) => length > 0),
        few,
        (one, other) => {
          const common = [...membersOf(one)].filter((member) => includes(other, member)).length;
          const all = [...membersOf(one)].length;
          expect(placing(one, other)).to.equal(common === 0 ? 'apart' : common === all ? 'within' : 'across');
        },
      ),
      { seed },
    );
  });

  it('have all members of many together', () => {
    fc.assert(
      fc.property(fc.array(numbersBelow(30)), (sets) => {
        const all = [...new Set(sets.flat())].sort((one, other) => one - other);
        expect(unionOf(sets.map(rangesOf))).to.deep.equal(rangesOf(all));
      }),
      { seed },
    );
  });
});

describe('a number between two others', () => {
  const ends = [null, ...Array.from({ length: 25 }, (_, at) => (at - 12) / 4)];
  for (const [name, { between }] of Object.entries({ wholeOrder, wholeFirst, numberOrder }))
    it(`lies between them, wherever there is one: ${name}`, () => {
      for (const low of ends)
        for (const high of ends) {
          if (low !== null && high !== null && low >= high) continue;
          const [from, to] = [low ?? -Infinity, high ?? Infinity];
          const hasWhole = Math.ceil(to) - 1 > from || Math.floor(from) + 1 < to;
          const found = between(low, high);
          const value = found === undefined ? undefined : Number(String(found));
          const places = `${from} to ${to}`;
          if (name === 'wholeOrder') expect(value !== undefined, places).to.equal(hasWhole);
          if (hasWhole && name !== 'numberOrder') expect(Number.isInteger(value), places).to.equal(true);
          if (hasWhole || name !== 'wholeOrder') expect(value, places).to.be.above(from).and.below(to);
        }
    });
});

describe('boxes', () => {
  it('leave of another one the points that none of them has, each of these once and nothing else, however many they are', () => {
    const boxes = fc.oneof(fc.array(box, { maxLength: 8 }), fc.array(box, { minLength: 65, maxLength: 200 }));
    fc.assert(
      fc.property(box, boxes, fc.nat(50), (searched, sparse, most) => {
        // Many boxes would leave nothing, were some parts not kept free of them.
        const free = most % 5;
        const others = sparse.filter((other) => !holds([free, free, free], other));
        const left = uncovered(searched, others, { comparisons: 1e7, until: noDeadline });
        expect(left.filter(isEmptyBox)).to.deep.equal([]);
        for (const point of points) {
          const isLeft = holds(point, searched) && !others.some((other) => holds(point, other));
          expect(left.filter((each) => holds(point, each))).to.have.lengthOf(isLeft ? 1 : 0);
        }
      }),
      { seed, numRuns: cases(100) },
    );
  });

  it('of thousands of points in a line leave what is between them, and nothing of the line where there is nothing', () => {
    const count = 20_000;
    const line: Box = [upTo(count), upTo(3)];
    const every = Array.from({ length: count }, (_, at): Box => [[at, at], upTo(3)]);
    const budget = () => ({ comparisons: 2_000_000, until: noDeadline });
    expect(uncovered(line, every, budget())).to.deep.equal([]);
    expect(uncovered(line, every.with(777, [[777, 777], upTo(2)]), budget())).to.deep.equal([
      [
        [777, 777],
        [2, 2],
      ],
    ]);
  });

  it('are found to meet those that have points in common with them, be there few atoms or thousands', () => {
    fc.assert(
      fc.property(table, ({ rows, columns }) => {
        const near = new Neighbours(rows, columns);
        for (const [place, row] of rows.entries()) {
          const meeting = rows.slice(place + 1).filter((other) => meetsAll(row.may, other.may));
          expect(near.after(place)).to.deep.equal(meeting);
        }
      }),
      { seed },
    );
  });

  it('are left by a descent at a part that none of the others has, and always where one dimension alone tells it', () => {
    fc.assert(
      fc.property(table, ({ rows, columns }) => {
        const descent = new Descent(columns);
        const budget = { comparisons: 1e7, until: noDeadline };
        for (const [place, { may }] of rows.entries()) {
          const others = rows.slice(0, place).map((row) => row.may);
          const found = descent.find(may, Uint32Array.from(others.keys()), budget);
          if (found !== undefined) {
            expect(isEmptyBox(found)).to.equal(false);
            expect(found.every((part, at) => isWithin(part, may[at] ?? []))).to.equal(true);
            expect(others.filter((other) => meetsAll(found, other))).to.deep.equal([]);
          }
          const isPlain = may.some((own, at) => {
            const all = unionOf(others.map((other) => other[at] ?? []));
            return !isWithin(own, all);
          });
          if (isPlain) expect(found).to.not.equal(undefined);
        }
      }),
      { seed },
    );
  });
});
