import { expect } from 'chai';
import { retried } from '../../../src/clock/retried.js';
import { after, every, pause, within } from '../../../src/clock/timers.js';

const never = 1_000_000;

/** Why it was rejected; a promise that is not rejected has no such reason. */
const rejectionOf = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);

describe('the clock', () => {
  it('a pause ends with its time, and at once when its signal is aborted, before or meanwhile', async () => {
    await pause(1);
    await pause(never, AbortSignal.abort());
    const ending = new AbortController();
    const paused = pause(never, ending.signal);
    ending.abort();
    await paused;
  });

  it('work within a time gives what it gives, its failure too, and something else once the time is over', async () => {
    const failure = new Error('failed');
    const nothing = (): string => 'late';
    expect(await within(never, Promise.resolve('in time'), nothing)).to.equal('in time');
    expect(await rejectionOf(within(never, Promise.reject(failure), nothing))).to.equal(failure);
    let fail = (_: Error): void => undefined;
    const slow = new Promise<string>((_, reject) => (fail = reject));
    expect(await within(1, slow, nothing)).to.equal('late');
    // Nobody waits for it any more, and the process does not end by it.
    fail(failure);
    const raised = within(1, new Promise(() => undefined), () => {
      throw failure;
    });
    expect(await rejectionOf(raised)).to.equal(failure);
  });

  it('what is to be done later is done once, or again and again, and not after it was called off', async () => {
    let done = 0;
    await new Promise<void>((resolve) => after(1, resolve));
    after(1, () => done++)();
    await new Promise<void>((resolve) => {
      const stop = every(1, () => {
        if (++done < 3) return;
        stop();
        resolve();
      });
    });
    await pause(20);
    expect(done).to.equal(3);
  });

  it('work that fails is done again for as long as its failure passes', async () => {
    const failures: unknown[] = [];
    const work = (): string => {
      if (failures.length < 2) throw new Error(String(failures.length));
      return 'done';
    };
    const passes = (error: unknown, attempt: number): boolean => failures.push(error) === attempt;
    expect(await retried(work, passes, { firstMs: 1 })).to.equal('done');
    expect(failures.map((error) => (error as Error).message)).to.deep.equal(['0', '1']);
    const last = await rejectionOf(
      retried(
        () => Promise.reject(new Error('last')),
        (_, attempt) => attempt < 3,
        { firstMs: 1 },
      ),
    );
    expect(last).to.have.property('message', 'last');
  });
});
