import { expect } from 'chai';
import { millisecondsAt, QuantileSketch } from '../../../workers/sketch/index.js';

/** Park and Miller, 1988. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('a sketch of numbers', () => {
  const random = seeded(11);
  const numbers = Array.from({ length: 30_000 }, () => (random() - 0.3) * 10 ** (random() * 12 - 4));
  const sketchOf = (some: readonly number[]): QuantileSketch => {
    const sketch = new QuantileSketch();
    for (const number of some) sketch.record(number);
    return sketch;
  };

  it('is the same in any order, and merged of any parts', () => {
    const whole = sketchOf(numbers).toJSON();
    expect(sketchOf([...numbers].reverse()).toJSON()).to.deep.equal(whole);
    const merged = new QuantileSketch();
    for (const from of [20_000, 0, 10_000]) {
      merged.merge(JSON.parse(JSON.stringify(sketchOf(numbers.slice(from, from + 10_000)))) as typeof whole);
    }
    expect(merged.toJSON()).to.deep.equal(whole);
    expect(whole.buckets.length).to.be.at.most(512);
    expect(merged.count).to.equal(30_000);
  });

  it('gives quantiles to a percent while the numbers are of one kind', () => {
    const amounts = Array.from({ length: 10_000 }, () => 100 + 900 * random()).sort((a, b) => a - b);
    const sketch = sketchOf(amounts);
    for (const share of [0.01, 0.25, 0.5, 0.75, 0.99]) {
      const wanted = amounts[Math.ceil(share * amounts.length) - 1]!;
      expect(sketch.quantile(share)! / wanted).to.be.within(0.99, 1.01);
    }
    expect(sketchOf([0, 0, 0]).quantile(0.5)).to.equal(0);
    expect(sketchOf([-5, -5, 7]).quantile(0.5)).to.be.within(-5.05, -4.95);
    expect(new QuantileSketch().quantile(0.5)).to.equal(null);
    expect(sketchOf([Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, Infinity]).count).to.equal(4);
  });

  it('gives times of microseconds in milliseconds, to a percent, from nothing to an hour', () => {
    for (const scale of [1, 30, 1000, 1e6, 3e9]) {
      const times = new QuantileSketch();
      for (let n = 1; n <= 1000; n++) times.record(Math.round((scale * n) / 1000));
      for (const share of [0.5, 0.99]) {
        const wanted = Math.round(scale * share) / 1000;
        expect(millisecondsAt(times, share)!).to.be.within(wanted * 0.985 - 0.0011, wanted * 1.015 + 0.0011);
      }
    }
    expect(millisecondsAt(new QuantileSketch(), 0.5)).to.equal(null);
  });

  it('takes back what was recorded, and nothing else', () => {
    const sketch = sketchOf([-5, 7, 7]);
    expect([sketch.remove(7), sketch.remove(7), sketch.remove(7), sketch.remove(5)]).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    expect([sketch.count, sketch.toJSON().buckets.length]).to.deep.equal([1, 1]);
  });
});
