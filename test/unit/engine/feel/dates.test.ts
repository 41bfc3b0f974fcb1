import { expect } from 'chai';
import fc from 'fast-check';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';
import { cases } from '../../../support/environment.js';

function valueOf(expression: string): unknown {
  const { program } = compileDmn(
    definitions(
      `<decision id="d" name="d"><variable name="d"/><literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );
  const outcome = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  return outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message;
}

describe('a time of numbers', () => {
  it('has an offset of 18 hours at most, either way', () => {
    for (const sign of ['', '-']) {
      const time = (offset: string): unknown => valueOf(`string(time(12, 0, 0, duration("${sign}${offset}")))`);
      expect(time('PT18H')).to.equal(`12:00:00${sign === '' ? '+' : '-'}18:00`);
      expect(time('PT18H1S')).to.equal(null);
    }
  });
});

describe('a time of day', () => {
  const day = 86_400;
  const shown = (seconds: number): string => {
    const inDay = ((seconds % day) + day) % day;
    const parts = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60];
    return parts.map((part) => String(part).padStart(2, '0')).join(':');
  };

  it('stays within its day, whatever duration is added to it or taken off', () => {
    const durations = fc.integer({ min: -3 * day, max: 3 * day });
    fc.assert(
      fc.property(fc.nat(day - 1), durations, (seconds, more) => {
        const duration = `duration("${more < 0 ? '-' : ''}PT${Math.abs(more)}S")`;
        const moved = (sign: '+' | '-'): unknown => valueOf(`string(time("${shown(seconds)}") ${sign} ${duration})`);
        expect(moved('+'), `${shown(seconds)} + ${more} s`).to.equal(shown(seconds + more));
        expect(moved('-'), `${shown(seconds)} - ${more} s`).to.equal(shown(seconds - more));
      }),
      { numRuns: cases(40) },
    );
  });
});
