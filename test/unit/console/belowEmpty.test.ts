import { expect } from 'chai';
import { belowEmpty } from '../../../src/console/analysis/belowEmpty.js';

type Findings = Parameters<typeof belowEmpty>[0];

const shadowed = (row: number, kind = 'shadowed', status = 'proved') => ({
  ...{ kind, status, rules: [`r${row}`], witness: { fact: {}, input: {}, result: {} } },
  message: `Row ${row + 1} is never reached: rows before it take all of its inputs`,
});
const content = (rows: readonly string[], hitPolicy = 'first') => ({
  hitPolicy,
  inputs: [{ id: 'a' }, { id: 'b' }],
  rules: rows.map((a, at) => ({ _id: `r${at}`, a, b: '' })),
});
const told = (findings: readonly object[], of: object) => belowEmpty(findings as unknown as Findings, of);

describe('rows that an empty row hides', () => {
  it('are one finding, which names the empty row', () => {
    const gap = { ...shadowed(0, 'gap'), rules: [] };
    const findings = [shadowed(1), gap, shadowed(3), shadowed(4)];
    const one = { ...shadowed(3), rules: ['r3', 'r4'], witness: null };
    for (const any of ['', ' ', '-'])
      expect(told(findings, content(['> 1', '> 2', any, '> 3', '> 4'])), any).to.deep.equal({
        empty: { row: 2, rule: 'r2' },
        told: [
          shadowed(1),
          gap,
          { ...one, message: 'Row 3 is empty and takes everything: the rows below it are never reached' },
        ],
      });
  });

  it('are told as they are where no row is empty, one is the last, or none hides others', () => {
    const findings = [shadowed(1), shadowed(3, 'shadowed', 'unknown'), shadowed(4)];
    for (const of of [
      content(['1', '2', '', '3', '4']),
      content(['1', '2', '3', '4', '']),
      content(['1', '2', '', '3'], 'collect'),
    ])
      expect(told(findings, of)).to.deep.equal({ empty: null, told: findings });
  });
});
