import { expect } from 'chai';
import { QuantileSketch } from '../../../workers/sketch/index.js';
import { answerParts, roughly, stacked, type Row } from '../../../src/console/outcomes/sums.js';

const row = (count: number, failed: number, field?: object | null): Row =>
  ({ at: '2026-01-01T00:00:00Z', version: 1, count, failed, field }) as unknown as Row;

describe('the answers of a measured field', () => {
  it('are no kind that they do not have, where executions were before it was measured', () => {
    const field = { values: [{ value: 'granted', count: 3 }], others: 2, absent: 4, numbers: { count: 20, p50: 1 } };
    const data = [row(42, 2), row(10, 0, null), row(30, 1, field), row(34, 1, field)];
    const { names, bars } = stacked(data, answerParts, 9);
    const [bar] = bars.values();
    expect(names).to.deep.equal(['not measured', 'numbers', 'none', 'granted', 'others', 'failed']);
    expect(Object.fromEntries(bar ?? [])).to.deep.equal({
      numbers: 40,
      'not measured': 54,
      none: 8,
      granted: 6,
      others: 4,
      failed: 4,
    });
  });

  it('have quantiles no finer than the percent to which they are known', () => {
    const told = [899.827, 100.4321, 49.96, 5.0462, 0.012345, -899.8, 0, 1_234_567].map(roughly);
    expect(told).to.deep.equal([
      ...['about 900', 'about 100', 'about 50', 'about 5', 'about 0.0123'],
      ...['about -900', 'about 0', 'about 1230000'],
    ]);
  });

  it('have the roundest quantiles within that percent: those of round answers are told as they are', () => {
    for (const answer of [25_000, 75_000, 19.5, 3, 0.25, 1_200, -85, 0, 900, 0.0065]) {
      const sketch = new QuantileSketch();
      sketch.record(answer);
      expect(roughly(sketch.quantile(0.5) ?? NaN)).to.equal(`about ${answer}`);
    }
  });
});
