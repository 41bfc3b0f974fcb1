import { expect } from 'chai';
import { isOfCopy, whereKept } from '../../../src/console/audit/whereKept.js';

const version = (number: number, contentHash: string) => ({
  ...{ version: number, contentHash },
  createdAt: `2026-01-0${number}T00:00:00Z`,
});
const entry = (before: string | null, after: string | null, at = '2026-01-02T12:00:00Z', type = 'decision') => ({
  ...{ at, resource: { type, id: 'd' } },
  before: before === null ? null : { contentHash: before },
  after: after === null ? null : { contentHash: after },
});

describe('what a change of a working copy changed', () => {
  const versions = [version(1, 'a'), version(2, 'b'), version(3, 'c')];

  it('is the comparison of two versions, or of one with the working copy, that have its contents', () => {
    expect(whereKept(entry('b', 'c'), 'x', versions)).to.deep.equal({ from: 2, to: 3, isWhole: true });
    expect(whereKept(entry('b', 'x'), 'x', versions)).to.deep.equal({ from: 2, to: 0, isWhole: true });
    expect(whereKept(entry('c', 'a'), 'x', versions)).to.deep.equal({ from: 3, to: 1, isWhole: true });
  });

  it('is told between the version before it and the one after it where a content is not kept', () => {
    expect(whereKept(entry('p', 'q'), 'x', versions)).to.deep.equal({ from: 2, to: 3, isWhole: false });
    expect(whereKept(entry('p', 'c'), 'x', versions)).to.deep.equal({ from: 2, to: 3, isWhole: false });
    expect(whereKept(entry('p', 'q', '2026-02-01T00:00:00Z'), 'x', versions)).to.deep.equal({
      ...{ from: 3, to: 0 },
      isWhole: false,
    });
    expect(whereKept(entry('p', 'q'), 'x', [])).to.deep.equal({ from: null, to: 0, isWhole: false });
  });

  it('is asked of working copies that were changed, and of nothing else', () => {
    expect(isOfCopy(entry('a', 'b'))).to.equal(true);
    expect(isOfCopy(entry('a', 'a'))).to.equal(false);
    expect(isOfCopy(entry(null, 'a'))).to.equal(false);
    expect(isOfCopy(entry('a', null))).to.equal(false);
    expect(isOfCopy(entry('a', 'b', undefined, 'version'))).to.equal(false);
  });
});
