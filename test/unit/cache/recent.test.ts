import { expect } from 'chai';
import { LRUCache } from 'lru-cache';
import { Recent } from '../../../workers/recent/index.js';

describe('Recent', () => {
  it('deletes nothing where a value is set again: the library empties all its places with the last one', () => {
    const own = Object.getOwnPropertyDescriptor(LRUCache.prototype, 'delete') as { value: (key: unknown) => boolean };
    const deleted: unknown[] = [];
    LRUCache.prototype.delete = function (key): boolean {
      deleted.push(key);
      return own.value.call(this, key);
    };
    try {
      const recent = new Recent<number>({ maxCount: 10, maxWeight: 100 });
      recent.set('a', 1, 4, 'one');
      recent.set('a', 2, 5, 'other');
      expect(deleted).to.deep.equal([]);
      expect([recent.get('a'), recent.size, recent.weight]).to.deep.equal([2, 1, 5]);
      recent.set('a', 3, 101);
      expect([recent.get('a'), recent.size, recent.weight]).to.deep.equal([undefined, 0, 0]);
      expect(deleted).to.deep.equal(['a']);
    } finally {
      Object.defineProperty(LRUCache.prototype, 'delete', own);
    }
  });

  it('has places for what it keeps, not for all that it may keep: a server has dozens of these', () => {
    const used = (): number => {
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const before = used();
    const recents = Array.from({ length: 100 }, () => new Recent<number>({ maxCount: 50_000 }));
    recents[0]?.set('a', 1);
    expect((used() - before) / 2 ** 20).to.be.below(10);
    expect(recents.map(({ size }) => size).filter(Boolean)).to.deep.equal([1]);
  });

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
    recent.set('heavy', 4, 10);
    expect([recent.size, recent.get('heavy')]).to.deep.equal([1, 4]);
    recent.set('light', 5, 1);
    expect([recent.size, recent.get('light')]).to.deep.equal([1, 5]);
  });

  it('never keeps what weighs more than all may together, and evicts nothing for it', () => {
    const recent = new Recent<number>({ maxCount: 10, maxWeight: 10 });
    recent.set('a', 1, 4);
    recent.set('heavy', 2, 11);
    expect([recent.get('a'), recent.get('heavy')]).to.deep.equal([1, undefined]);
  });

  it('leaves whoever has less than an equal share alone, whatever others fill it with', () => {
    const recent = new Recent<number>({ maxCount: 100, maxWeight: 1000 });
    for (let n = 0; n < 10; n++) recent.set(`small ${n}`, n, 10, 'small');
    for (let n = 0; n < 1000; n++) recent.set(`many ${n}`, n, 1, 'many');
    for (let n = 0; n < 100; n++) recent.set(`heavy ${n}`, n, 100, 'heavy');
    for (let n = 0; n < 10; n++) expect(recent.get(`small ${n}`)).to.equal(n);
    expect(recent.size).to.be.at.most(100);
    expect(recent.weight).to.be.at.most(1000);
    expect([...recent.values()].length).to.equal(recent.size);
  });

  it('gives all of it to whoever is alone', () => {
    const recent = new Recent<number>({ maxCount: 160, maxWeight: 1000 });
    for (let n = 0; n < 1000; n++) recent.set(String(n), n, 1, 'one');
    expect(recent.size).to.be.within(150, 160);
    expect(recent.get('999')).to.equal(999);
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
