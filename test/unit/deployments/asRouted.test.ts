import { expect } from 'chai';
import { asRouted, inForceFirst } from '../../../src/deployments/asRouted.js';

const pair = { decisionId: 'd', environmentId: 'e' };

describe('asRouted', () => {
  it('names what deployments route, newest first, and beside it what PATCH has made of their records', () => {
    const routings = [
      { ...pair, deploymentId: '1', version: 1, inForce: false },
      { ...pair, deploymentId: '2', version: 2, inForce: true },
    ];
    const moved = { decisionId: 'd', environmentId: 'other', version: 3 };
    const deployments = [
      { ...pair, id: '1', version: 1, name: 'first' },
      { ...moved, id: '2', name: 'second' },
    ];
    expect(asRouted(routings, deployments)).to.deep.equal([
      { ...pair, id: '2', version: 2, name: 'second', inForce: true, recorded: moved },
      { ...pair, id: '1', version: 1, name: 'first', inForce: false, recorded: null },
    ]);
  });

  it('leaves out what was removed, or made, while both were read', () => {
    const routings = [{ ...pair, deploymentId: 'removed', version: 1, inForce: true }];
    expect(asRouted(routings, [{ ...pair, id: 'made', version: 1 }])).to.deep.equal([]);
  });

  it('what is in force comes first, though ids say that another is newer', () => {
    const history = [
      { version: 3, inForce: false },
      { version: 2, inForce: true },
      { version: 1, inForce: false },
    ];
    expect(history.sort(inForceFirst).map(({ version }) => version)).to.deep.equal([2, 3, 1]);
  });
});
