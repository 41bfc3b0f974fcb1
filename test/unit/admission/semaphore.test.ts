import { queryObjects } from 'node:v8';
import { expect } from 'chai';
import { Semaphore, Semaphores } from '../../../src/admission/semaphore.js';
import { endOfTurn } from '../../support/pools.js';

describe('semaphores', () => {
  it('give their slots in the order in which they were asked for, and more of them when there are more', async () => {
    let slots = 1;
    const semaphore = new Semaphore(() => slots);
    const order: number[] = [];
    await semaphore.acquire();
    const waiting = [1, 2, 3].map(async (each) => {
      await semaphore.acquire();
      order.push(each);
    });
    expect(semaphore.idle).to.equal(false);
    semaphore.release();
    await endOfTurn();
    expect(order).to.deep.equal([1]);
    slots = 2;
    semaphore.release();
    await Promise.all(waiting);
    expect(order).to.deep.equal([1, 2, 3]);
    for (let held = 0; held < 2; held++) semaphore.release();
    expect(semaphore.idle).to.equal(true);
  });

  it('of several names hold nobody up but the work of their own name, which goes in order and whatever becomes of it', async () => {
    const semaphores = new Semaphores(() => 1);
    const begun: string[] = [];
    const ends = new Map<string, (fault?: Error) => void>();
    const failed = new Error('failed');
    const start = (name: string): Promise<unknown> =>
      semaphores
        .within(name.charAt(0), () => {
          begun.push(name);
          return new Promise<void>((resolve, reject) =>
            ends.set(name, (fault) => (fault === undefined ? resolve() : reject(fault))),
          );
        })
        .catch((error: unknown) => error);
    const results = ['a1', 'a2', 'b1', 'a3'].map(start);
    await endOfTurn();
    expect(begun).to.deep.equal(['a1', 'b1']);
    ends.get('a1')?.(failed);
    await endOfTurn();
    expect(begun).to.deep.equal(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2', 'a3']) {
      ends.get(name)?.();
      await endOfTurn();
    }
    expect(await Promise.all(results)).to.deep.equal([failed, undefined, undefined, undefined]);
    expect(['a', 'b'].map((name) => semaphores.taken(name))).to.deep.equal([0, 0]);
  });

  it('of names that hold nothing any more are forgotten, however many there were', async () => {
    const semaphores = new Semaphores(() => 1);
    const names = 10_000;
    for (let name = 0; name < names; name++) {
      semaphores.force(`forced ${name}`);
      semaphores.release(`forced ${name}`);
      await semaphores.within(`within ${name}`, () => Promise.resolve());
    }
    // Others of this process are few; to count them before would take seconds.
    expect(queryObjects(Semaphore, { format: 'count' })).to.be.below(names / 2);
    expect(semaphores.hasRoom('forced 1')).to.equal(true);
  });
});
