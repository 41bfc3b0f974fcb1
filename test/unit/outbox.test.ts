import { expect } from 'chai';
import { parseRetryAfter, retryDelayMs } from '../../src/outbox/schedule.js';
import { Claims } from '../../src/outbox/claims.js';

describe('the schedule of attempts', () => {
  const delays = [5000, 300_000];

  it('has 20 % of jitter, and an end', () => {
    expect(retryDelayMs(delays, 1, { random: () => 0 })).to.equal(4000);
    expect(retryDelayMs(delays, 1, { random: () => 1 })).to.equal(6000);
    expect(retryDelayMs(delays, 2, { random: () => 0.5 })).to.equal(300_000);
    expect(retryDelayMs(delays, 3, { random: () => 0.5 })).to.equal(undefined);
  });

  it('waits as long as the receiver asks, up to a day', () => {
    const random = (): number => 0.5;
    expect(retryDelayMs(delays, 1, { random, retryAfterMs: 60_000 })).to.equal(60_000);
    expect(retryDelayMs(delays, 1, { random, retryAfterMs: 1 })).to.equal(5000);
    expect(retryDelayMs(delays, 1, { random, retryAfterMs: 1e12 })).to.equal(86_400_000);
    expect(retryDelayMs(delays, 3, { random, retryAfterMs: 60_000 })).to.equal(undefined);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-01-31T09:30:00Z');
    expect(parseRetryAfter('120', now)).to.equal(120_000);
    expect(parseRetryAfter('Sat, 31 Jan 2026 09:30:10 GMT', now)).to.equal(10_000);
    expect(parseRetryAfter('Sat, 31 Jan 2026 09:29:10 GMT', now)).to.equal(0);
    for (const text of [undefined, '', 'soon', '-1', '1.5', '99999999999']) {
      expect(parseRetryAfter(text, now)).to.equal(undefined);
    }
  });
});

describe('the queues of the outbox', () => {
  const queue = { tenantId: 'a', kind: 'SMS' } as const;
  const other = { tenantId: 'b', kind: 'SMS' } as const;

  it('widen with brisk answers and narrow to one without', () => {
    const claims = new Claims();
    expect(claims.room(queue)).to.equal(4);
    const send = (result: { reached: boolean; ms: number }): void => {
      claims.claimed(queue);
      claims.answered(queue, result);
      claims.recorded(queue);
    };
    for (let count = 0; count < 4; count++) send({ reached: true, ms: 5 });
    expect(claims.room(queue)).to.equal(20);
    send({ reached: true, ms: 1500 });
    expect(claims.room(queue)).to.equal(10);
    send({ reached: false, ms: 5 });
    expect(claims.room(queue)).to.equal(1);
    expect(claims.room(other)).to.equal(4);
  });

  it('ask for more only when half of a queue is free', () => {
    const claims = new Claims();
    for (let count = 0; count < 3; count++) claims.claimed(queue);
    expect(claims.room(queue)).to.equal(0);
    claims.recorded(queue);
    expect(claims.room(queue)).to.equal(2);
  });

  it('counts what was answered until that is written: a process that dies leaves no more to be sent again', () => {
    const claims = new Claims();
    for (let count = 0; count < 20; count++) {
      claims.claimed(queue);
      claims.answered(queue, { reached: true, ms: 5 });
    }
    expect(claims.room(queue)).to.equal(0);
    for (let count = 0; count < 10; count++) claims.recorded(queue);
    expect(claims.room(queue)).to.equal(10);
  });
});
