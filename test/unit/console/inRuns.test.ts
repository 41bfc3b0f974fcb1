import { expect } from 'chai';
import { inRuns } from '../../../src/console/analysis/inRuns.js';
import { rowNumbers } from '../../../src/console/graph/fields.js';

describe('findings of a table', () => {
  type Findings = Parameters<typeof inRuns>[0];
  const open = (kind: string, row: number, reason = 'there was no time'): object => ({
    ...{ kind, rules: [`r${row}`], status: 'unknown', witness: null },
    message: `Row ${row} is never reached: rows before it take all of its inputs: not decided, as ${reason}`,
  });
  const told = (findings: readonly object[]): unknown =>
    inRuns(findings as Findings).map(({ rules, status, message }) => [rules.join(), status, message]);

  it('are one of all rows of which the same was not decided, which claims nothing of them', () => {
    const proved = {
      kind: 'shadowed',
      rules: ['r9'],
      status: 'proved',
      witness: null,
      message: 'Row 9 is never reached',
    };
    const message = 'Whether some fact reaches them was not decided, as there was no time';
    expect(told([open('shadowed', 1), proved, open('shadowed', 2), open('shadowed', 3, 'a reason')])).to.deep.equal([
      ['r1,r2', 'unknown', message],
      ['r9', 'proved', 'Row 9 is never reached'],
      ['r3', 'unknown', 'Whether some fact reaches them was not decided, as a reason'],
    ]);
    const gap = {
      ...proved,
      kind: 'gap',
      rules: [],
      status: 'unknown',
      message: 'Inputs that no row takes: not decided, as x',
    };
    expect(told([gap, gap])).to.deep.equal([
      ['', 'unknown', gap.message],
      ['', 'unknown', gap.message],
    ]);
  });

  it('name rows that follow one another by the first and the last', () => {
    expect(rowNumbers([1548, 1549, 1550])).to.equal('1548–1550');
    expect(rowNumbers([1, 3, 4, 'x', 9])).to.equal('1, 3–4, x, 9');
    expect(rowNumbers([])).to.equal('');
  });
});
