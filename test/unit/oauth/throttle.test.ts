import { expect } from 'chai';
import { createThrottle } from '../../../src/oauth/throttle.js';

describe('createThrottle', () => {
  it('lets a burst pass, then as many as become free, and says when', () => {
    let time = 0;
    const throttle = createThrottle({ burst: 3, perSecond: 0.5 }, () => time);
    expect([1, 2, 3, 4].map(() => throttle.fail('a'))).to.deep.equal([0, 0, 0, 2]);
    time = 1000;
    expect(throttle.fail('a')).to.equal(1);
    time = 2000;
    expect([throttle.fail('a'), throttle.fail('a')]).to.deep.equal([0, 2]);
  });

  it('says whether a failure is free, and counts none by that', () => {
    let time = 0;
    const throttle = createThrottle({ burst: 1, perSecond: 0.5 }, () => time);
    expect([throttle.isEmpty('a'), throttle.isEmpty('a'), throttle.fail('a')]).to.deep.equal([false, false, 0]);
    expect(throttle.isEmpty('a')).to.equal(true);
    time = 2000;
    expect(throttle.isEmpty('a')).to.equal(false);
  });

  it('keeps keys apart', () => {
    const throttle = createThrottle({ burst: 1, perSecond: 1 }, () => 0);
    expect([throttle.fail('a'), throttle.fail('a'), throttle.fail('b')]).to.deep.equal([0, 1, 0]);
  });

  it('never gathers more than the burst', () => {
    let time = 0;
    const throttle = createThrottle({ burst: 2, perSecond: 1 }, () => time);
    throttle.fail('a');
    time = 3_600_000;
    expect([1, 2, 3].map(() => throttle.fail('a'))).to.deep.equal([0, 0, 1]);
  });
});
