import { expect } from 'chai';
import { Semaphore, WorkspaceSemaphores } from '../../../src/admission/semaphore.js';
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

  it('of workspaces hold nobody up but their own work', async () => {
    const semaphores = new WorkspaceSemaphores(() => 1);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (workspaceId: string, name: string): Promise<void> =>
      semaphores.within(workspaceId, () => {
        begun.push(name);
        return new Promise((end) => ends.push(end));
      });
    const all = [work('a', 'a1'), work('a', 'a2'), work('b', 'b1')];
    await endOfTurn();
    expect(begun).to.deep.equal(['a1', 'b1']);
    for (const end of ends) end();
    await endOfTurn();
    expect(begun).to.deep.equal(['a1', 'b1', 'a2']);
    for (const end of ends) end();
    await Promise.all(all);
  });
});
