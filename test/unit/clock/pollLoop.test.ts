import { expect } from 'chai';
import { PollLoop } from '../../../src/clock/pollLoop.js';

const never = 1_000_000;

/** Resolves once `isSo` holds; mocha's time limit bounds the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('loops in the background', () => {
  it('go on at once while there is more to do, and when they are woken', async () => {
    let rounds = 0;
    const loop = new PollLoop({ pollMs: never, round: () => Promise.resolve(++rounds < 3), failed: raise });
    loop.start();
    await until(() => rounds === 3);
    loop.wake();
    await until(() => rounds === 4);
    await loop.stop();
    expect(rounds).to.equal(4);
  });

  it('wait after a round that failed, also where they were woken meanwhile, and stop all the same', async () => {
    const failures: unknown[] = [];
    let isEnded = false;
    const loop = new PollLoop({
      pollMs: never,
      round() {
        loop.wake();
        return Promise.reject(new Error('no database'));
      },
      failed: (error) => void failures.push(error),
      ended: () => Promise.resolve((isEnded = true)),
    });
    loop.start();
    await until(() => failures.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(failures).to.have.length(1);
    await loop.stop();
    expect(isEnded).to.equal(true);
  });
});

function raise(error: unknown): never {
  throw error;
}
