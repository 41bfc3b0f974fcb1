import { expect } from 'chai';
import { Limiter } from '../../../src/rates/limiter.js';

describe('Limiter', () => {
  let time: number;
  let limiter: Limiter;
  beforeEach(() => {
    time = 0;
    limiter = new Limiter(() => time);
  });

  it('lets a burst pass, then as many as become free, and says when', () => {
    const rate = { burst: 3, perSecond: 0.5 };
    expect([1, 2, 3, 4].map(() => limiter.take('a', rate))).to.deep.equal([0, 0, 0, 2000]);
    time = 1000;
    expect(limiter.take('a', rate)).to.equal(1000);
    time = 2000;
    expect([limiter.take('a', rate), limiter.take('a', rate)]).to.deep.equal([0, 2000]);
  });

  it('says whether one is free, and takes none by that', () => {
    const rate = { burst: 1, perSecond: 0.5 };
    expect([limiter.waitMs('a', rate), limiter.waitMs('a', rate), limiter.take('a', rate)]).to.deep.equal([0, 0, 0]);
    expect(limiter.waitMs('a', rate)).to.equal(2000);
    time = 2000;
    expect(limiter.waitMs('a', rate)).to.equal(0);
  });

  it('keeps keys apart', () => {
    const rate = { burst: 1, perSecond: 1 };
    expect(['a', 'a', 'b'].map((key) => limiter.take(key, rate))).to.deep.equal([0, 1000, 0]);
  });

  it('never gathers more than the burst', () => {
    const rate = { burst: 2, perSecond: 1 };
    limiter.take('a', rate);
    time = 3_600_000;
    expect([1, 2, 3].map(() => limiter.take('a', rate))).to.deep.equal([0, 0, 1000]);
  });

  it('gives back what was taken', () => {
    const rate = { burst: 1, perSecond: 1 };
    limiter.take('a', rate);
    limiter.giveBack('a', rate);
    limiter.giveBack('unknown', rate);
    expect([limiter.take('a', rate), limiter.take('a', rate)]).to.deep.equal([0, 1000]);
  });

  it('holds who had a higher limit to the lower one at once, and for no longer than its burst', () => {
    for (let n = 0; n < 100; n++) limiter.take('a', { burst: 100, perSecond: 1 });
    expect(limiter.take('a', { burst: 2, perSecond: 1 })).to.equal(1000);
  });

  it('forgets nobody for the keys that another makes up', () => {
    const rate = { burst: 1, perSecond: 0.001 };
    limiter.take('a', rate, 'one');
    for (let n = 0; n < 50_000; n++) limiter.take(`made up ${n}`, rate, 'another');
    expect(limiter.take('a', rate, 'one')).to.be.above(0);
  });
});
