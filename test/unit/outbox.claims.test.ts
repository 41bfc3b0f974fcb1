import { expect } from 'chai';
import { Claims } from '../../src/outbox/claims.js';

describe('the claims of messages', () => {
  const queueOf = (name: string) => ({ tenantId: name, kind: 'WEBHOOK' }) as const;

  it('leaves room for queues that move beside any number of queues that do not', () => {
    const claims = new Claims();
    for (let n = 0; n < 400; n++) {
      const stalled = queueOf(`stalled ${n}`);
      claims.answered(stalled, { reached: false, ms: 10_000 });
      if (claims.room(stalled) > 0) claims.claimed(stalled);
    }
    const healthy = queueOf('healthy');
    for (let n = 0; n < 5; n++) claims.answered(healthy, { reached: true, ms: 5 });
    expect(claims.room(healthy)).to.equal(20);
    for (let n = 0; n < 20; n++) claims.claimed(healthy);
    expect(claims.room(healthy), 'its own limit').to.equal(0);
    for (let n = 0; n < 9; n++) claims.recorded(healthy);
    expect(claims.room(healthy), 'too few to be worth a claim').to.equal(0);
    // However few are left of all, one that moves gets them.
    for (let n = 0; n < 2; n++) {
      const other = queueOf(`other ${n}`);
      for (let answer = 0; answer < 5; answer++) claims.answered(other, { reached: true, ms: 5 });
      for (let room = claims.room(other); room > 0; room--) claims.claimed(other);
    }
    const newcomer = queueOf('newcomer');
    expect(claims.room(newcomer)).to.equal(0);
    claims.recorded(healthy);
    expect(claims.room(newcomer)).to.equal(1);
  });
});
