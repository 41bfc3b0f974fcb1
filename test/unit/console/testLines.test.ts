import { expect } from 'chai';
import { testLines } from '../../../src/console/compare/testLines.js';

const test = (name: string | undefined, input: object, output: unknown) => ({
  ...(name === undefined ? {} : { name }),
  ...{ input, output },
});

describe('what differs between the tests of two models', () => {
  it('is told by name and value', () => {
    const before = [test('Low', { x: 1, at: { city: 'A' } }, { rate: 1.25 }), test('Gone', {}, { rate: 0 })];
    const after = [
      test('New', { x: 3 }, { rate: 4 }),
      test('Low', { x: 2, at: { city: 'B' }, list: [1] }, { rate: 1.3 }),
    ];
    expect(testLines(before, after)).to.deep.equal([
      { where: 'test “Low”: given x', change: 'changed', before: 1, after: 2 },
      { where: 'test “Low”: given at.city', change: 'changed', before: 'A', after: 'B' },
      { where: 'test “Low”: given list', change: 'added', before: undefined, after: [1] },
      { where: 'test “Low”: expected rate', change: 'changed', before: 1.25, after: 1.3 },
      { where: 'test “Gone”', change: 'removed', before: before[1], after: undefined },
      { where: 'test “New”', change: 'added', before: undefined, after: after[0] },
    ]);
  });

  it('counts items of lists from one, and keeps tests of one name apart', () => {
    const before = [
      test('Same', { items: [{ price: 1 }, { price: 2 }] }, 1),
      test('Same', {}, 2),
      test(undefined, {}, 3),
    ];
    const after = [
      test('Same', { items: [{ price: 1 }, { price: 5 }] }, 1),
      test('Same', {}, 9),
      test(undefined, {}, 3),
    ];
    expect(testLines(before, after).map(({ where, after: is }) => [where, is])).to.deep.equal([
      ['test “Same”: given items.2.price', 5],
      ['test “Same (2)”: expected', 9],
    ]);
  });

  it('is nothing where they are the same, and all of them where there were none', () => {
    expect(testLines([test('A', { x: 1 }, 2)], [test('A', { x: 1 }, 2)])).to.deep.equal([]);
    expect(testLines(undefined, [test('A', { x: 1 }, 2)])).to.have.length(1);
  });
});
