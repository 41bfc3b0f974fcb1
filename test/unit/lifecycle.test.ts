import { expect } from 'chai';
import { closeAll } from '../../src/lifecycle.js';

describe('a shutdown', () => {
  it('takes all its steps in their order, though some fail, and rejects with the first failure', async () => {
    const taken: number[] = [];
    const step = (n: number, fails: boolean) => async (): Promise<void> => {
      await Promise.resolve();
      taken.push(n);
      if (fails) throw new Error(`step ${n}`);
    };
    const steps = [step(1, false), step(2, true), step(3, false), step(4, true), step(5, false)];
    const failure = await closeAll(steps).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error').with.property('message', 'step 2');
    expect(taken).to.deep.equal([1, 2, 3, 4, 5]);
    await closeAll([step(6, false)]);
  });
});
