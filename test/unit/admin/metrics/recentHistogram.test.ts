import { expect } from 'chai';
import { RecentHistogram } from '../../../../src/admin/metrics/recentHistogram.js';

describe('RecentHistogram', () => {
  it('is zero without values', () => {
    expect(new RecentHistogram().quantiles(0)).to.deep.equal({ p50: 0, p99: 0 });
  });

  it('finds quantiles within 10 %', () => {
    const histogram = new RecentHistogram();
    for (let ms = 1; ms <= 1000; ms++) histogram.record(ms, 0);
    const { p50, p99 } = histogram.quantiles(0);
    expect(p50).to.be.within(500, 550);
    expect(p99).to.be.within(990, 1089);
  });

  it('takes nothing and very long for what they are', () => {
    const histogram = new RecentHistogram();
    for (const ms of [0, 0, 0, 1e9]) histogram.record(ms, 0);
    const { p50, p99 } = histogram.quantiles(0);
    expect(p50).to.equal(0.001);
    expect(p99).to.be.above(900_000);
  });

  it('forgets after a minute', () => {
    const histogram = new RecentHistogram();
    histogram.record(100, 0);
    histogram.record(1, 31_000);
    expect(histogram.quantiles(31_000).p99, 'the window before still counts').to.be.above(99);
    expect(histogram.quantiles(62_000).p99).to.be.below(2);
    expect(histogram.quantiles(200_000)).to.deep.equal({ p50: 0, p99: 0 });
  });

  it('takes no memory for being read: a status that is polled does not grow the process', () => {
    const histogram = new RecentHistogram();
    for (let ms = 1; ms <= 1000; ms++) histogram.record(ms, 0);
    const before = process.memoryUsage.rss();
    for (let read = 0; read < 2000; read++) histogram.quantiles(0);
    expect(process.memoryUsage.rss() - before).to.be.below(64 * 1024 * 1024);
  });
});
