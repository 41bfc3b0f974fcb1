import { expect } from 'chai';
import fc from 'fast-check';
import { Comparison, maxChanges, type ChangedField } from '../../../../workers/models/compare/changes.js';
import { areNear } from '../../../../workers/models/compare/numbers.js';
import { parseExactly } from '../../../../workers/json/index.js';

const changes = (
  before: string,
  after: string,
  { ignore = [], tolerance = 0 }: { ignore?: string[]; tolerance?: number } = {},
): ChangedField[] =>
  new Comparison(ignore, (one, other) => areNear(one, other, tolerance)).changes(
    parseExactly(before),
    parseExactly(after),
  );
const pointers = (...args: Parameters<typeof changes>): string[] => changes(...args).map(({ pointer }) => pointer);

describe('the comparison of results', () => {
  it('takes numbers as decimals, however they are written, and members in any order', () => {
    expect(changes('{"a":1.10,"b":[1e2]}', '{"b":[100],"a":1.1}')).to.deep.equal([]);
    expect(changes('0.1000000000000000000000000001', '0.10000000000000000000000000010')).to.deep.equal([]);
    // The nearest double of both is the same.
    expect(pointers('{"a":0.1}', '{"a":0.1000000000000000000000000001}')).to.deep.equal(['/a']);
    expect(pointers('{"a":12345678901234567890}', '{"a":12345678901234567891}')).to.deep.equal(['/a']);
  });

  it('names the smallest places, with what was there and what is', () => {
    expect(changes('{"a":{"b":1},"l":[1,{"c":2}],"x":null}', '{"a":{"b":2},"l":[1,{"c":2},3],"y/~":[]}')).to.deep.equal(
      [
        { pointer: '/a/b', before: 1, after: 2 },
        { pointer: '/l/2', after: 3 },
        { pointer: '/x', before: null },
        { pointer: '/y~1~0', after: [] },
      ],
    );
    expect(changes('{"a":[]}', '{"a":{}}')).to.deep.equal([{ pointer: '/a', before: [], after: {} }]);
    expect(changes('1', '"1"')).to.deep.equal([{ pointer: '', before: 1, after: '1' }]);
  });

  it('ignores what a pointer names and all below, `*` standing for items of lists alone', () => {
    const before = '{"l":[{"id":1,"v":1},{"id":2,"v":2}],"o":{"*":1,"k":{"id":1}},"a/b":1}';
    const after = '{"l":[{"id":3,"v":1},{"id":4,"v":3}],"o":{"*":2,"k":{"id":2}},"a/b":2}';
    const all = ['/l/0/id', '/l/1/id', '/l/1/v', '/o/*', '/o/k/id', '/a~1b'];
    expect(pointers(before, after)).to.deep.equal(all);
    const without = (...ignore: string[]): string[] => pointers(before, after, { ignore });
    expect(without('/l/*/id')).to.deep.equal(all.slice(2));
    expect(without('/l/0', '/l/*/v')).to.deep.equal(['/l/1/id', '/o/*', '/o/k/id', '/a~1b']);
    expect(without('/o/*/id')).to.deep.equal(all);
    expect(without('/o/*', '/o/k', '/a~1b')).to.deep.equal(all.slice(0, 3));
    expect(without('')).to.deep.equal([]);
  });

  it('tolerates differences of numbers up to the tolerance, itself included, in decimals', () => {
    // As doubles 0.3 - 0.2 is less than 0.1, and 1.1 - 1 more.
    for (const [one, other] of [
      ['1.1', '1'],
      ['0.3', '0.2'],
      ['0.30000000000000000001', '0.20000000000000000001'],
      ['1e300', '1e300'],
    ] as const) {
      expect(changes(one, other, { tolerance: 0.1 }), one).to.deep.equal([]);
      expect(changes(other, one, { tolerance: 0.1 }), one).to.deep.equal([]);
    }
    expect(pointers('0.3', '0.19999999999999999', { tolerance: 0.1 })).to.deep.equal(['']);
    expect(pointers('0', '"0"', { tolerance: 1 })).to.deep.equal(['']);
  });

  it('takes an object with names too long for a pointer as one place, as far as it is not ignored', () => {
    const long = 'k'.repeat(300_000);
    const of = (from: number): object =>
      Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, at + from]));
    const [before, after] = [{ a: { [long]: of(0), b: 1 } }, { a: { [long]: of(1), b: 1 } }];
    const [one, other] = [JSON.stringify(before), JSON.stringify(after)];
    expect(changes(one, one)).to.deep.equal([]);
    expect(changes(one, other)).to.deep.equal([{ pointer: '/a', before: before.a, after: after.a }]);
    const ignored = JSON.stringify({ a: { [long]: of(0), b: 2 } });
    expect(pointers(one, ignored, { ignore: ['/a/b'] })).to.deep.equal([]);
    expect(pointers(one, ignored)).to.deep.equal(['/a']);
  });

  it('stops after many places', () => {
    const list = (item: number): string => JSON.stringify(Array.from({ length: 5000 }, () => item));
    expect(changes(list(1), list(2))).to.have.length(maxChanges);
  });

  it('finds nothing between a value and itself in another order, and what was changed otherwise', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
        expect(changes(first, JSON.stringify(turned(one)))).to.deep.equal([]);
        expect(changes(first, second).length > 0).to.equal(
          JSON.stringify(sorted(one)) !== JSON.stringify(sorted(other)),
        );
      }),
    );
  });
});

const mapped = (value: unknown, order: (entries: [string, unknown][]) => [string, unknown][]): unknown => {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, order));
  return Object.fromEntries(order(Object.entries(value)).map(([key, item]) => [key, mapped(item, order)]));
};
const turned = (value: unknown): unknown => mapped(value, (entries) => entries.reverse());
const sorted = (value: unknown): unknown => mapped(value, (entries) => entries.sort(([a], [b]) => (a < b ? -1 : 1)));
