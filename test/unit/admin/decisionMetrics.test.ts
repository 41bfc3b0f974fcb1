import { expect } from 'chai';
import { DecisionMetrics } from '../../../src/admin/metrics/decisions.js';

describe('metrics of decisions', () => {
  let now = 0;
  const offer = (metrics: DecisionMetrics, decisionId: string, times: number): void => {
    for (let time = 0; time < times; time++)
      metrics.offer({ workspaceId: 'w', decisionId, status: time % 2 === 0 ? 'COMPLETED' : 'FAILED', engineUs: 5 });
  };
  const shown = (metrics: DecisionMetrics): unknown[] =>
    metrics.read().map(({ decisionId, completed, failed, engineUs }) => [decisionId, completed, failed, engineUs]);

  it('are of so many decisions at most, and of all others together', () => {
    const metrics = new DecisionMetrics(2, () => now);
    for (const [decision, times] of [
      ['a', 3],
      ['b', 2],
      ['c', 4],
      ['d', 1],
    ] as const)
      offer(metrics, decision, times);
    expect(shown(metrics)).to.deep.equal([
      ['a', 2, 1, 15],
      ['b', 1, 1, 10],
      ['others', 3, 2, 25],
    ]);
  });

  it('are of those that are used most: another takes a place where it was used more than twice as often', () => {
    const metrics = new DecisionMetrics(2, () => now);
    for (const [decision, times] of [
      ['a', 10],
      ['b', 3],
      ['c', 20],
      ['d', 7],
    ] as const)
      offer(metrics, decision, times);
    expect(shown(metrics)).to.have.deep.members([
      ['a', 5, 5, 50],
      ['b', 2, 1, 15],
      ['others', 14, 13, 135],
    ]);
    now += 60_001;
    expect(shown(metrics)).to.deep.equal([
      ['a', 5, 5, 50],
      ['c', 0, 0, 0],
      ['others', 14, 13, 135],
    ]);
    offer(metrics, 'c', 1);
    expect(shown(metrics)).to.deep.include(['c', 1, 0, 5]);
  });

  it('are not kept at all where none are wanted', () => {
    const metrics = new DecisionMetrics(0, () => now);
    offer(metrics, 'a', 3);
    expect(metrics.read()).to.deep.equal([]);
  });

  it('take bounded memory, however many decisions there are', () => {
    const metrics = new DecisionMetrics(2, () => now);
    for (let decision = 0; decision < 100_000; decision++) offer(metrics, `decision ${decision}`, 1);
    expect(metrics.read()).to.have.length(3);
    expect(metrics.candidates).to.equal(20);
  });
});
