import { expect } from 'chai';
import { refusedIn } from '../../../src/changes/runCheck.js';

const findings = (kind: string, count: number): { kind: string; status: string }[] =>
  Array.from({ length: count }, () => ({ kind, status: 'proved' }));

describe('what a check tells of an analysis', () => {
  it('is each finding that is proved and not to be, by its table', () => {
    const tables = [
      { node: 'Rates', hitPolicy: 'first', findings: [...findings('gap', 2), { kind: 'gap', status: 'unknown' }] },
      { node: 'Sums', hitPolicy: 'collect', findings: findings('overlap', 1) },
    ];
    expect(refusedIn({ tables })).to.deep.equal(['gap in "Rates"', 'gap in "Rates"']);
  });

  it('is short, however many there are and however long the names of tables', () => {
    const tables = [{ node: 'n'.repeat(100_000), hitPolicy: 'first', findings: findings('shadowed', 500) }];
    const found = refusedIn({ tables });
    expect(found.join().length).to.be.lessThan(20_000);
    expect(found.at(-1)).to.equal('and 400 more');
  });
});
