import { expect } from 'chai';
import { Slices } from '../../../src/scheduler/slices.js';
import { atOnce } from '../../support/atOnce.js';

describe('slices of the main thread', () => {
  it('are given by the time used: a workspace with long slices has fewer of them, and many bodies no more than one', async () => {
    const slices = new Slices(atOnce);
    const order: string[] = [];
    const take = (name: string, count: number, ms: number): Promise<void> => {
      let left = count;
      return slices.run(name, () => {
        order.push(name);
        for (const until = performance.now() + ms; performance.now() < until;);
        return --left === 0;
      });
    };
    const many = Array.from({ length: 8 }, () => take('many', 4, 4));
    const one = take('one', 10, 0.1);
    await one;
    // It had less time with all its slices than the other with one; each has the first once.
    expect(order.filter((name) => name === 'many').length).to.be.at.most(2);
    await Promise.all(many);
    expect(order).to.have.length(42);
  });

  it('reject with what a slice throws, and the others go on', async () => {
    const slices = new Slices(atOnce);
    const bad = slices.run('a', () => {
      throw new Error('bad');
    });
    const good = slices.run('a', () => true);
    expect(await bad.catch((error: unknown) => error)).to.have.property('message', 'bad');
    await good;
  });
});
