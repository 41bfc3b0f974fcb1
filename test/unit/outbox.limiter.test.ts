import { expect } from 'chai';
import { AdaptiveLimiter } from '../../src/outbox/adaptiveLimiter.js';

describe('the limit of claimed messages', () => {
  const queueOf = (name: string) => ({ tenantId: name, kind: 'WEBHOOK' }) as const;

  it('leaves room for queues that move beside any number of queues that do not', () => {
    const limiter = new AdaptiveLimiter();
    for (let n = 0; n < 400; n++) {
      const stalled = queueOf(`stalled ${n}`);
      limiter.answered(stalled, { reached: false, ms: 10_000 });
      if (limiter.room(stalled) > 0) limiter.claimed(stalled);
    }
    const healthy = queueOf('healthy');
    for (let n = 0; n < 5; n++) limiter.answered(healthy, { reached: true, ms: 5 });
    expect(limiter.room(healthy)).to.equal(20);
    for (let n = 0; n < 20; n++) limiter.claimed(healthy);
    expect(limiter.room(healthy), 'its own limit').to.equal(0);
    for (let n = 0; n < 9; n++) limiter.recorded(healthy);
    expect(limiter.room(healthy), 'too few to be worth a claim').to.equal(0);
    // However few are left of all, one that moves gets them.
    for (let n = 0; n < 2; n++) {
      const other = queueOf(`other ${n}`);
      for (let answer = 0; answer < 5; answer++) limiter.answered(other, { reached: true, ms: 5 });
      for (let room = limiter.room(other); room > 0; room--) limiter.claimed(other);
    }
    const newcomer = queueOf('newcomer');
    expect(limiter.room(newcomer)).to.equal(0);
    limiter.recorded(healthy);
    expect(limiter.room(newcomer)).to.equal(1);
  });
});
