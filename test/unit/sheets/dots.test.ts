import { expect } from 'chai';
import { differencesOf } from '../../../src/console/tests/differences.js';
import { importTests } from '../../../workers/sheets/facts/tests.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { convertedSheet } from '../../support/sheets.js';

const head = 'kr/år inkl. moms';
const { content, diagnostics } = convertedSheet(`Kund,Volym,${head}\nA,> 5,1137\nB,,20\n`);

describe('a dot in the heading of a result', () => {
  it('is told, as the result is given without it', () => {
    expect(diagnostics.map(({ label, severity, message }) => [label, severity, message])).to.deep.equal([
      [
        'Rules!C1',
        'warning',
        'Rules!C1: `kr/år inkl. moms` is given as `kr/år inkl moms`: a dot in the name of a result would begin an object.',
      ],
    ]);
  });

  it('is no hindrance to tests that are called as the heading, with or without what stands before it', () => {
    for (const title of [head, `output.${head}`]) {
      const { model, faults } = importTests(
        content as Record<string, unknown>,
        readCsv(Buffer.from(`name,Kund,${title}\na,A,1137\n`), 'Tests'),
      );
      expect([faults, model['tests']]).to.deep.equal([
        [],
        [{ name: 'a', input: { Kund: 'A' }, output: { 'kr/år inkl moms': 1137 } }],
      ]);
    }
  });

  it('and a slash are told of a difference as they are', () => {
    expect(differencesOf({ [head]: 1 }, { [head]: 2 })).to.deep.equal([
      { pointer: '/kr~1år inkl. moms', expected: 1, actual: 2 },
    ]);
  });
});
