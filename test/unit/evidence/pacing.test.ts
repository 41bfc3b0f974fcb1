import { expect } from 'chai';
import { Pacing } from '../../../src/evidence/pacing.js';

describe('pacing of background work', () => {
  it('has the rests of several workspaces follow each other', async () => {
    const pacing = new Pacing(4000);
    const began = performance.now();
    const ended = await Promise.all(
      [30, 30, 30].map(async (tookMs) => {
        await pacing.rest(tookMs);
        return performance.now() - began;
      }),
    );
    // A process that has just started rests as long as a piece took; timers may be a millisecond early.
    ended.forEach((ms, at) => expect(ms).to.be.at.least(30 * (at + 1) - 2));
  });

  it('rests no more once it has ended', async () => {
    const pacing = new Pacing(4000);
    const began = performance.now();
    const resting = pacing.rest(2000);
    pacing.end();
    await resting;
    await pacing.rest(2000);
    expect(performance.now() - began).to.be.below(2000);
  });
});
