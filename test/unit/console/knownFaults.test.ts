import { expect } from 'chai';
import type { Fault } from '../../../src/console/api/types.js';
import { afterCheck, type KnownFaults } from '../../../src/console/model/knownFaults.js';

const fault = (pointer: string | null, severity: Fault['severity'] = 'warning'): Fault => ({
  ...{ severity, key: 'rates.json', nodeId: null, node: null, field: null, pointer },
  ...{ message: severity, hint: null, line: null, column: null, excerpt: null },
});

describe('what is known of faults', () => {
  const before: KnownFaults = { status: 'known', faults: [fault('/nodes/1'), fault('/nodes/2', 'error')] };
  const stopped = fault(null, 'unknown');

  it('is what a check finds that ended, and nothing of what was found earlier', () => {
    expect(afterCheck(before, [])).to.deep.equal({ status: 'known', faults: [] });
    expect(afterCheck(before, [fault('/nodes/3')])).to.deep.equal({ status: 'known', faults: [fault('/nodes/3')] });
  });

  it('is all that was found earlier where no answer came, or a limit stopped the check at once', () => {
    expect(afterCheck(before, null)).to.deep.equal({ status: 'stopped', faults: before.faults });
    expect(afterCheck(before, [stopped])).to.deep.equal({ status: 'stopped', faults: [stopped, ...before.faults] });
  });

  it('is what was found earlier beside what a stopped check has found, which counts where both tell of one place', () => {
    const found = [fault('/nodes/2'), stopped];
    expect(afterCheck(before, found)).to.deep.equal({ status: 'stopped', faults: [...found, fault('/nodes/1')] });
  });

  it('is known again by the next check that ends, and a check that was stopped is told once', () => {
    const twice = afterCheck(afterCheck(before, [stopped]), [stopped]);
    expect(twice.faults).to.deep.equal([stopped, ...before.faults]);
    expect(afterCheck(twice, [])).to.deep.equal({ status: 'known', faults: [] });
  });
});
