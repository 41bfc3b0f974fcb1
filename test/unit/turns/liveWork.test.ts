import { expect } from 'chai';
import { Lanes, Places } from '../../../src/runs/batches/places.js';
import { LiveWork } from '../../../src/turns/liveWork.js';

describe('live work', () => {
  it('is what other workspaces had of late', () => {
    let now = 1000;
    const live = new LiveWork(() => now);
    expect(live.besides('a')).to.equal(false);
    live.note('a');
    expect([live.besides('a'), live.besides('b')]).to.deep.equal([false, true]);
    live.note('b');
    live.note('b');
    expect([live.besides('a'), live.besides('b')]).to.deep.equal([true, true]);
    now += 60;
    expect([live.besides('a'), live.besides('b')]).to.deep.equal([false, false]);
  });

  it('has one pack beside it at a time, and a rest after each', async () => {
    const live = new LiveWork();
    const lanes = new Lanes(() => 3, live);
    let running = 0;
    let most = 0;
    const ended: number[] = [];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
      ended.push(performance.now());
    };
    await Promise.all([1, 2, 3].map(() => lanes.considerately('a', work)));
    expect(most, 'nobody else is there').to.equal(3);
    most = 0;
    live.note('b');
    ended.length = 0;
    const packs = [1, 2, 3].map(() => lanes.considerately('a', work));
    const noting = setInterval(() => live.note('b'), 5);
    await Promise.all(packs);
    clearInterval(noting);
    expect(most).to.equal(1);
    expect(ended[1]! - ended[0]!).to.be.above(25);
  });

  it('places are given in the order in which they were asked for', async () => {
    const places = new Places(() => 1);
    const order: number[] = [];
    await places.enter();
    const waiting = [1, 2].map(async (each) => {
      await places.enter();
      order.push(each);
      places.leave();
    });
    expect(places.idle).to.equal(false);
    places.leave();
    await Promise.all(waiting);
    expect(order).to.deep.equal([1, 2]);
    expect(places.idle).to.equal(true);
  });
});
