import { expect } from 'chai';
import { SlidingWindow } from '../../../../src/admin/metrics/pool.js';

describe('SlidingWindow', () => {
  it('is zero without values', () => {
    expect(new SlidingWindow().quantiles(0)).to.deep.equal({ p50: 0, p99: 0 });
  });

  it('finds quantiles within 1 %', () => {
    const window = new SlidingWindow();
    for (let ms = 1; ms <= 1000; ms++) window.record(ms, 0);
    const { p50, p99 } = window.quantiles(0);
    expect(p50).to.be.within(495, 505);
    expect(p99).to.be.within(980, 1000);
  });

  it('takes nothing and very long for what they are', () => {
    const window = new SlidingWindow();
    for (const ms of [0, 0, 0, 1e9]) window.record(ms, 0);
    const { p50, p99 } = window.quantiles(0);
    expect(p50).to.equal(0);
    expect(p99).to.be.above(900_000);
  });

  it('forgets after a minute', () => {
    const window = new SlidingWindow();
    window.record(100, 0);
    window.record(1, 31_000);
    expect(window.quantiles(31_000).p99, 'the window before still counts').to.be.above(99);
    expect(window.quantiles(62_000).p99).to.be.below(2);
    expect(window.quantiles(200_000)).to.deep.equal({ p50: 0, p99: 0 });
  });

  it('takes no memory for being read: a status that is polled does not grow the process', () => {
    const window = new SlidingWindow();
    for (let ms = 1; ms <= 1000; ms++) window.record(ms, 0);
    const before = process.memoryUsage.rss();
    for (let read = 0; read < 2000; read++) window.quantiles(0);
    expect(process.memoryUsage.rss() - before).to.be.below(64 * 1024 * 1024);
  });
});
