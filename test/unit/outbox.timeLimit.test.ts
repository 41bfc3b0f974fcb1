import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { withinTime } from '../../src/outbox/transports/timeLimit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
const nameOf = (run: Promise<unknown>): Promise<string> => run.then(String, (error: unknown) => (error as Error).name);

describe('the time limit of a delivery', () => {
  it('holds through a garbage collection', async () => {
    const { signal } = new AbortController();
    const limited = withinTime({ signal, timeoutMs: 60 }, aborted);
    const collecting = setInterval(collectGarbage, 10);
    expect(await nameOf(limited)).to.equal('TimeoutError');
    clearInterval(collecting);
  });

  it('gives way to the signal, also to one that is aborted already', async () => {
    const controller = new AbortController();
    const limited = withinTime({ signal: controller.signal, timeoutMs: 60_000 }, aborted);
    controller.abort(new RangeError('stop'));
    expect(await nameOf(limited)).to.equal('RangeError');
    expect(await nameOf(withinTime({ signal: controller.signal, timeoutMs: 60_000 }, aborted))).to.equal('RangeError');
  });

  it('gives what was run', async () => {
    const { signal } = new AbortController();
    expect(await withinTime({ signal, timeoutMs: 60_000 }, () => Promise.resolve(7))).to.equal(7);
  });
});
