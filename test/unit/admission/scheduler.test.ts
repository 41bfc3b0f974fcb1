import { expect } from 'chai';
import { chunkOfBatch, maxPieceMs, newBody, Scheduler } from '../../../src/admission/scheduler.js';
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

describe('bulk work', () => {
  const setup = () => {
    const clock = new HandClock();
    const scheduler = new Scheduler({ maxWaitMs: 2000, now: clock.now });
    const order: string[] = [];
    /** A piece that takes so long, by the clock. */
    const taking = (name: string, ms: number) => (): void => {
      order.push(name);
      clock.ms += ms;
    };
    /** Lets time pass while another workspace goes on executing, until the condition holds or so much time has passed. */
    const pass = async (ms: number, enough = (): boolean => false): Promise<void> => {
      for (const until = clock.ms + ms; clock.ms < until && !enough(); clock.ms += 5) {
        scheduler.noteLive('small');
        scheduler.look();
        await endOfTurn();
      }
    };
    return { clock, scheduler, order, taking, pass };
  };

  it('is done at once, side by side, where nobody else has single executions', async () => {
    const { scheduler, clock } = setup();
    scheduler.noteLive('a');
    const pieces = [held(), held()];
    const all = pieces.map(({ piece }) => scheduler.yieldToLive('a', piece));
    expect(pieces.map(({ state }) => state.begun)).to.deep.equal([true, true]);
    scheduler.noteLive('b');
    clock.ms += 1001;
    const later = held();
    all.push(scheduler.yieldToLive('a', later.piece));
    expect(later.state.begun, 'the last one is a second ago').to.equal(true);
    for (const { state } of [...pieces, later]) state.end();
    await Promise.all(all);
  });

  it('is done one piece at a time beside them, with a rest of eight times as long after each', async () => {
    const { scheduler, order, taking, pass } = setup();
    scheduler.noteLive('small');
    const first = held();
    const all = [
      scheduler.yieldToLive('a', first.piece),
      scheduler.yieldToLive('a', taking('second', 10)),
      scheduler.yieldToLive('b', taking('third', 10)),
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
    const { scheduler, order, taking, clock } = setup();
    scheduler.noteLive('small');
    await scheduler.yieldToLive('a', taking('first', 90));
    const all = [1, 2, 3].map((number) => scheduler.yieldToLive('a', taking(String(number), 90)));
    clock.ms += 1100;
    await Promise.all(all);
    expect(order).to.deep.equal(['first', '1', '2', '3']);
  });

  it('is given by what each workspace has had: many short pieces for a long one', async () => {
    const { scheduler, order, taking, pass } = setup();
    scheduler.noteLive('small');
    const opening = held();
    const all = [scheduler.yieldToLive('z', opening.piece)];
    for (let piece = 0; piece < 3; piece++) all.push(scheduler.yieldToLive('long', taking('long', 50)));
    for (let piece = 0; piece < 12; piece++) all.push(scheduler.yieldToLive('short', taking('short', 10)));
    opening.state.end();
    await pass(10_000, () => order.length === 12);
    const longs = order.filter((name) => name === 'long').length;
    expect(longs).to.be.within(1, 2);
    await pass(20_000, () => order.length === 15);
    await Promise.all(all);
  });

  it('has one slow piece at most before another workspace’s, however many of one wait, and a rest that is capped', async () => {
    const { scheduler, order, taking, clock, pass } = setup();
    scheduler.noteLive('small');
    const stuck = Array.from({ length: 16 }, held);
    const all = stuck.map(({ piece }) => scheduler.yieldToLive('slow', piece, chunkOfBatch));
    await pass(5);
    const since = clock.ms;
    for (let piece = 0; piece < 30; piece++) {
      all.push(scheduler.yieldToLive('other', taking('other', 20), chunkOfBatch));
    }
    await pass(60_000, () => order.length > 0);
    expect(stuck.filter(({ state }) => state.begun)).to.have.length(1);
    expect(clock.ms - since).to.be.within(100, (1 + chunkOfBatch.restFactor) * maxPieceMs + 25);
    // What it had counts, and so does the rest after it: the next of the slow ones begins when the other has had as much.
    const begun: number[] = [];
    await pass(60_000, () => {
      const slow = stuck.filter(({ state }) => state.begun).length;
      if (slow > begun.length + 1) begun.push(order.length);
      return order.length === 30;
    });
    expect(begun[0]).to.be.within(4, 8);
    for (const { state } of stuck) state.end();
    await pass(100_000, () => stuck.every(({ state }) => state.begun));
    await Promise.all(all);
  });

  it('is nobody else’s wait where its own workspace alone has live work', async () => {
    const { scheduler, order, taking, clock } = setup();
    const own = held();
    scheduler.noteLive('own');
    const all = [scheduler.yieldToLive('own', own.piece)];
    all.push(scheduler.yieldToLive('other', taking('other', 1)));
    expect(order).to.deep.equal(['other']);
    clock.ms += 1;
    own.state.end();
    await Promise.all(all);
  });

  it('passes the slot on when it takes long, as it waits for something', async () => {
    const { scheduler, order, taking, pass } = setup();
    scheduler.noteLive('small');
    const waits = held();
    const all = [scheduler.yieldToLive('a', waits.piece), scheduler.yieldToLive('b', taking('b', 1))];
    await pass(20_000, () => order.length === 1);
    expect(order).to.deep.equal(['b']);
    waits.state.end();
    await Promise.all(all);
  });

  it('is refused, with nothing done, after the longest wait, unless it belongs to what has begun', async () => {
    const { scheduler, order, taking, clock, pass } = setup();
    scheduler.noteLive('small');
    await scheduler.yieldToLive('a', taking('first', 500));
    const outcomes: unknown[] = [];
    const since = clock.ms;
    scheduler.yieldToLive('a', taking('refused', 1), newBody).catch((error: unknown) => outcomes.push(error));
    const begun = ['1', '2', '3'].map((name) => scheduler.yieldToLive('a', taking(name, 100)));
    await pass(3000, () => outcomes.length > 0);
    expect(clock.ms - since).to.be.within(2000, 2020);
    expect(outcomes[0]).to.include({ code: 'overloaded', status: 503 });
    expect(order).to.deep.equal(['first', '1', '2']);
    await pass(1000, () => order.length === 4);
    await Promise.all(begun);
    expect(order).to.deep.equal(['first', '1', '2', '3']);
  });

  it('begins without the slot after five seconds, where it belongs to what has begun', async () => {
    const { scheduler, order, taking, clock, pass } = setup();
    scheduler.noteLive('small');
    await scheduler.yieldToLive('a', taking('first', 100));
    const since = clock.ms;
    const all = Array.from({ length: 9 }, (_, at) => scheduler.yieldToLive('a', taking(String(at), 100)));
    await pass(4990);
    expect(order.length).to.be.within(5, 7);
    await pass(1000, () => order.length === 10);
    expect(clock.ms - since).to.be.below(6000);
    await Promise.all(all);
  });

  it('what has begun goes before what may be refused', async () => {
    const { scheduler, order, taking, pass } = setup();
    scheduler.noteLive('small');
    const opening = held();
    const all = [scheduler.yieldToLive('a', opening.piece)];
    all.push(scheduler.yieldToLive('a', taking('new', 1), newBody), scheduler.yieldToLive('a', taking('begun', 1)));
    opening.state.end();
    await pass(2000, () => order.length === 2);
    expect(order).to.deep.equal(['begun', 'new']);
    await Promise.all(all);
  });

  it('gives the slot back when it fails', async () => {
    const { scheduler, order, taking, pass } = setup();
    scheduler.noteLive('small');
    const failed = await scheduler
      .yieldToLive('a', () => Promise.reject(new Error('no')))
      .catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    const next = scheduler.yieldToLive('a', taking('next', 1));
    await pass(100);
    await next;
    expect(order).to.deep.equal(['next']);
  });
});

describe('background work on the main thread', () => {
  const within = (ending: AbortSignal) => ({ longestMs: 600_000, ending });

  it('has the rests of several workspaces follow each other', async () => {
    const scheduler = new Scheduler({ maxWaitMs: 2000 });
    const { signal } = new AbortController();
    const began = performance.now();
    const ended = await Promise.all(
      [30, 30, 30].map(async (tookMs) => {
        await scheduler.rest(tookMs, within(signal));
        return performance.now() - began;
      }),
    );
    // A process that has just started rests as long as a piece took; timers may be a millisecond early.
    ended.forEach((ms, at) => expect(ms).to.be.at.least(30 * (at + 1) - 2));
  });

  it('rests no more once it has ended', async () => {
    const scheduler = new Scheduler({ maxWaitMs: 2000 });
    const ending = new AbortController();
    const resting = scheduler.rest(600_000, within(ending.signal));
    ending.abort();
    await resting;
    await scheduler.rest(600_000, within(ending.signal));
  });
});
