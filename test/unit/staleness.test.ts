import { expect } from 'chai';
import { createHistory } from '../model/history.js';
import { staleRuns, type Change, type Run } from '../faults/staleness.js';

const changes: Change[] = [
  { by: 0, answered: 1000, deploymentId: 'first' },
  { by: 0, answered: 2000, deploymentId: 'second' },
];
const runAt = (at: number, sent: number, id = 'r'): Run => ({ at, sent, received: sent + 5, id });
const faultsOf = (run: Run, deploymentId: string): readonly string[] =>
  staleRuns(changes, [run], new Map([[run.id, deploymentId]])).faults;

describe('the judge of routing under load', () => {
  it('lets another process be a second late, and no more', () => {
    expect(faultsOf(runAt(1, 3000), 'first')).to.deep.equal([]);
    expect(faultsOf(runAt(1, 3002), 'first')).to.have.length(1);
    expect(faultsOf(runAt(1, 5000), 'second')).to.deep.equal([]);
  });

  it('lets the process that answered never be late', () => {
    expect(faultsOf(runAt(0, 1999), 'first')).to.deep.equal([]);
    expect(faultsOf(runAt(0, 2001), 'first')).to.have.length(1);
  });

  it('takes what was deployed before all changes as older than they are', () => {
    expect(faultsOf(runAt(1, 1500), 'before')).to.deep.equal([]);
    expect(faultsOf(runAt(1, 2500), 'before')).to.have.length(1);
  });

  it('finds a process that goes back, and an execution that is not recorded', () => {
    const back = [runAt(1, 2100, 'a'), runAt(1, 2200, 'b')];
    const deployments = new Map([
      ['a', 'second'],
      ['b', 'first'],
    ]);
    expect(staleRuns(changes, back, deployments).faults).to.have.length(1);
    expect(staleRuns(changes, [runAt(1, 2100)], new Map()).faults).to.have.length(1);
  });
});

describe('the history that the model goes by', () => {
  it('binds the process that answered at once, the other one a second later', () => {
    const history = createHistory('old');
    history.change('new', 0);
    expect(history.visible(0)).to.deep.equal(['new']);
    expect(history.visible(1)).to.deep.equal(['old', 'new']);
    history.change('newer', 1);
    expect(history.visible(0)).to.deep.equal(['new', 'newer']);
    expect(history.visible(1)).to.deep.equal(['newer']);
    expect(history.current).to.equal('newer');
  });
});
