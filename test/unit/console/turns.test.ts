import { expect } from 'chai';
import { createTurns } from '../../../src/console/api/turns.js';

/** A request that goes on until somebody ends it, or it is answered. */
function request() {
  const begun: AbortSignal[] = [];
  let answer = (_value: string): void => undefined;
  return {
    begun,
    answer: (value: string): void => answer(value),
    work: (signal: AbortSignal): Promise<string> =>
      new Promise((resolve, reject) => {
        begun.push(signal);
        answer = resolve;
        signal.addEventListener('abort', () => reject(new DOMException('ended', 'AbortError')));
      }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests of a page have turns', () => {
  it('a check that nobody wants any more ends for good, and a save that fails lets the others go on', async () => {
    const turns = createTurns();
    const check = request();
    const controller = new AbortController();
    const checked = turns.check(check.work, controller.signal).catch((error: unknown) => error);
    await turn();
    const refused = await turns.write(() => Promise.reject(new Error('busy'))).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    await turn();
    expect(check.begun.length).to.equal(2);
    controller.abort();
    expect(await checked).to.include({ name: 'AbortError' });
    expect(check.begun.length).to.equal(2);
  });

  it('saves that come one upon the other hold checks until the last is done', async () => {
    const turns = createTurns();
    const [one, other, check] = [request(), request(), request()];
    const never = new AbortController().signal;
    const saves = [turns.write(() => one.work(never)), turns.write(() => other.work(never))];
    const checked = turns.check(check.work);
    one.answer('');
    await turn();
    expect(check.begun.length).to.equal(0);
    other.answer('');
    await Promise.all(saves);
    await turn();
    check.answer('checked');
    expect(await checked).to.equal('checked');
  });
});
