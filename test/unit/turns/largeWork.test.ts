import { expect } from 'chai';
import { LargeWork } from '../../../src/turns/largeWork.js';
import { LiveWork } from '../../../src/turns/liveWork.js';
import { endOfTurn } from '../../support/pools.js';
import { HandClock } from '../../support/handClock.js';

/** A piece that is over when the test says so. */
function held() {
  const state = { begun: false, end: (): void => undefined };
  const over = new Promise<void>((resolve) => (state.end = resolve));
  const piece = async (): Promise<void> => {
    state.begun = true;
    await over;
  };
  return { state, piece };
}

describe('large work', () => {
  const setup = () => {
    const clock = new HandClock();
    const live = new LiveWork(clock.now);
    const large = new LargeWork({ live, maxWaitMs: 2000, now: clock.now });
    const order: string[] = [];
    /** A piece that takes so long, by the clock. */
    const taking = (name: string, ms: number) => (): void => {
      order.push(name);
      clock.ms += ms;
    };
    /** Lets time pass while another workspace goes on executing, until the condition holds or so much time has passed. */
    const pass = async (ms: number, enough = (): boolean => false): Promise<void> => {
      for (const until = clock.ms + ms; clock.ms < until && !enough(); clock.ms += 5) {
        live.note('small');
        large.look();
        await endOfTurn();
      }
    };
    return { clock, live, large, order, taking, pass };
  };

  it('is done at once, side by side, where nobody else has single executions', async () => {
    const { live, large, clock } = setup();
    live.note('a');
    const pieces = [held(), held()];
    const all = pieces.map(({ piece }) => large.during('a', piece));
    expect(pieces.map(({ state }) => state.begun)).to.deep.equal([true, true]);
    live.note('b');
    clock.ms += 1001;
    const later = held();
    all.push(large.during('a', later.piece));
    expect(later.state.begun, 'the last one is a second ago').to.equal(true);
    for (const { state } of [...pieces, later]) state.end();
    await Promise.all(all);
  });

  it('is done one piece at a time beside them, with a rest of eight times as long after each', async () => {
    const { live, large, order, taking, pass } = setup();
    live.note('small');
    const first = held();
    const all = [
      large.during('a', first.piece),
      large.during('a', taking('second', 10)),
      large.during('b', taking('third', 10)),
    ];
    await pass(50);
    expect(order).to.deep.equal([]);
    first.state.end();
    await pass(8 * 50 - 20);
    expect(order).to.deep.equal([]);
    await pass(60);
    expect(order).to.have.length(1);
    await pass(20);
    expect(order).to.have.length(1);
    await pass(80);
    expect(order).to.have.length(2);
    await Promise.all(all);
  });

  it('goes on at once when the others have stopped', async () => {
    const { live, large, order, taking, clock } = setup();
    live.note('small');
    await large.during('a', taking('first', 90));
    const all = [1, 2, 3].map((number) => large.during('a', taking(String(number), 90)));
    clock.ms += 1100;
    await Promise.all(all);
    expect(order).to.deep.equal(['first', '1', '2', '3']);
  });

  it('is given by what each workspace has had: many short pieces for a long one', async () => {
    const { live, large, order, taking, pass } = setup();
    live.note('small');
    const opening = held();
    const all = [large.during('z', opening.piece)];
    for (let piece = 0; piece < 3; piece++) all.push(large.during('long', taking('long', 50), { patient: true }));
    for (let piece = 0; piece < 12; piece++) all.push(large.during('short', taking('short', 10), { patient: true }));
    opening.state.end();
    await pass(10_000, () => order.length === 12);
    const longs = order.filter((name) => name === 'long').length;
    expect(longs).to.be.within(1, 2);
    await pass(20_000, () => order.length === 15);
    await Promise.all(all);
  });

  it('passes its turn on when it takes long, as it waits for something', async () => {
    const { live, large, order, taking, pass } = setup();
    live.note('small');
    const waits = held();
    const all = [large.during('a', waits.piece), large.during('b', taking('b', 1))];
    await pass(20_000, () => order.length === 1);
    expect(order).to.deep.equal(['b']);
    waits.state.end();
    await Promise.all(all);
  });

  it('is refused, with nothing done, after the longest wait, unless it belongs to what has begun', async () => {
    const { live, large, order, taking, clock, pass } = setup();
    live.note('small');
    await large.during('a', taking('first', 500));
    const outcomes: unknown[] = [];
    const since = clock.ms;
    large.during('a', taking('refused', 1)).catch((error: unknown) => outcomes.push(error));
    const begun = ['1', '2', '3'].map((name) => large.during('a', taking(name, 100), { patient: true }));
    await pass(3000, () => outcomes.length > 0);
    expect(clock.ms - since).to.be.within(2000, 2020);
    expect(outcomes[0]).to.include({ code: 'overloaded', status: 503 });
    expect(order).to.deep.equal(['first', '1', '2']);
    await pass(1000, () => order.length === 4);
    await Promise.all(begun);
    expect(order).to.deep.equal(['first', '1', '2', '3']);
  });

  it('begins without a turn after five seconds, where it belongs to what has begun', async () => {
    const { live, large, order, taking, clock, pass } = setup();
    live.note('small');
    await large.during('a', taking('first', 100));
    const since = clock.ms;
    const all = Array.from({ length: 9 }, (_, at) => large.during('a', taking(String(at), 100), { patient: true }));
    await pass(4990);
    expect(order.length).to.be.within(5, 7);
    await pass(1000, () => order.length === 10);
    expect(clock.ms - since).to.be.below(6000);
    await Promise.all(all);
  });

  it('what has begun goes before what may be refused', async () => {
    const { live, large, order, taking, pass } = setup();
    live.note('small');
    const opening = held();
    const all = [large.during('a', opening.piece)];
    all.push(large.during('a', taking('new', 1)), large.during('a', taking('begun', 1), { patient: true }));
    opening.state.end();
    await pass(2000, () => order.length === 2);
    expect(order).to.deep.equal(['begun', 'new']);
    await Promise.all(all);
  });

  it('gives its turn back when it fails', async () => {
    const { live, large, order, taking, pass } = setup();
    live.note('small');
    const failed = await large.during('a', () => Promise.reject(new Error('no'))).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    const next = large.during('a', taking('next', 1));
    await pass(100);
    await next;
    expect(order).to.deep.equal(['next']);
  });
});
