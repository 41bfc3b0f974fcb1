import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { afterCheck, knownNow, type KnownFaults } from '../../../src/console/model/knownFaults.js';

const model: Model = { nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id, type: 'inputNode', name: id })), edges: [] };

const fault = (pointer: string | null, severity: Fault['severity'] = 'warning'): Fault => ({
  ...{ severity, key: 'rates.json', nodeId: null, node: null, field: null, pointer },
  ...{ message: severity, hint: null, line: null, column: null, excerpt: null },
});

describe('what is known of faults', () => {
  const before: KnownFaults = { status: 'known', faults: [fault('/nodes/1'), fault('/nodes/2', 'error')], model };
  const stopped = fault(null, 'unknown');

  it('is what a check finds that ended, and nothing of what was found earlier', () => {
    expect(afterCheck(before, [], model)).to.deep.equal({ status: 'known', faults: [], model });
    expect(afterCheck(before, [fault('/nodes/3')], model)).to.deep.equal({
      status: 'known',
      faults: [fault('/nodes/3')],
      model,
    });
  });

  it('is all that was found earlier where no answer came, or a limit stopped the check at once', () => {
    expect(afterCheck(before, null, model)).to.deep.equal({ status: 'stopped', faults: before.faults, model });
    expect(afterCheck(before, [stopped], model)).to.deep.equal({
      status: 'stopped',
      faults: [stopped, ...before.faults],
      model,
    });
  });

  it('is what was found earlier beside what a stopped check has found, which counts where both tell of one place', () => {
    const found = [fault('/nodes/2'), stopped];
    expect(afterCheck(before, found, model)).to.deep.equal({
      status: 'stopped',
      faults: [...found, fault('/nodes/1')],
      model,
    });
  });

  it('is known again by the next check that ends, and a check that was stopped is told once', () => {
    const twice = afterCheck(afterCheck(before, [stopped], model), [stopped], model);
    expect(twice.faults).to.deep.equal([stopped, ...before.faults]);
    expect(afterCheck(twice, [], model)).to.deep.equal({ status: 'known', faults: [], model });
  });

  it('stands at the same node of the draft as it is by then', () => {
    const later = { ...model, nodes: model.nodes.filter(({ id }) => id !== 'b') };
    expect(afterCheck(before, null, later)).to.deep.equal({
      status: 'stopped',
      faults: [fault('/nodes/1', 'error')],
      model: later,
    });
  });

  it('is nothing where a change took the last fault away, until the next check', () => {
    const later = { ...model, nodes: [] };
    expect(knownNow(before, later)).to.deep.equal({ ...before, status: 'checking', faults: [] });
    expect(knownNow({ ...before, status: 'stopped' }, later)).to.deep.equal({
      ...before,
      status: 'stopped',
      faults: [],
    });
    expect(knownNow({ ...before, faults: [] }, later)).to.deep.equal({ ...before, faults: [] });
    expect(knownNow(before, model)).to.deep.equal(before);
  });
});
