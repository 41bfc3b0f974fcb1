import { expect } from 'chai';
import { Recent } from '../../../workers/engine/recent.js';

describe('Recent', () => {
  it('forgets what was used least recently when there are too many', () => {
    const recent = new Recent<number>({ maxCount: 2, maxWeight: 100 });
    recent.set('a', 1, 1);
    recent.set('b', 2, 1);
    recent.get('a');
    recent.set('c', 3, 1);
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('forgets when they weigh too much, but never the newest', () => {
    const recent = new Recent<number>({ maxCount: 10, maxWeight: 10 });
    recent.set('a', 1, 4);
    recent.set('b', 2, 4);
    recent.set('c', 3, 4);
    expect(recent.size).to.equal(2);
    recent.set('heavy', 4, 1000);
    expect([recent.size, recent.get('heavy')]).to.deep.equal([1, 4]);
    recent.set('light', 5, 1);
    expect([recent.size, recent.get('light')]).to.deep.equal([1, 5]);
  });

  it('weighs a value that comes again anew', () => {
    const recent = new Recent<number>({ maxCount: 10, maxWeight: 10 });
    for (let round = 0; round < 5; round++) recent.set('a', round, 6);
    recent.set('b', 9, 4);
    expect([recent.get('a'), recent.get('b')]).to.deep.equal([4, 9]);
  });

  it("forgets those of an owner who has too much, and nobody else's", () => {
    const recent = new Recent<number>({ maxCount: 10, maxWeight: 100, maxWeightOfOwner: 10 });
    recent.set('other', 1, 9, 'b');
    recent.set('first', 2, 6, 'a');
    recent.set('second', 3, 6, 'a');
    expect([recent.get('other'), recent.get('first'), recent.get('second')]).to.deep.equal([1, undefined, 3]);
  });

  it('weighs what has grown', () => {
    const recent = new Recent<number>({ maxCount: 10, maxWeight: 10 });
    recent.set('a', 1, 2);
    recent.set('b', 2, 2);
    recent.grow('a', 8);
    recent.grow('gone', 100);
    expect([recent.get('a'), recent.get('b'), recent.weight]).to.deep.equal([1, undefined, 10]);
  });
});
