import { expect } from 'chai';
import fc from 'fast-check';
import { finderOf } from '../../../../workers/engine/redact/finder.js';
import { cases } from '../../../support/environment.js';

describe('finder', () => {
  it('tells patterns of the same hash apart', () => {
    // The hash takes the characters shifted by 0, 4 and 8 bits: one more here is sixteen there.
    const finder = finderOf(['abc', 'q`c']);
    expect(finder.all('abc')).to.deep.equal([{ start: 0, end: 3 }]);
    expect(finder.all('q`c')).to.deep.equal([{ start: 0, end: 3 }]);
    expect(finderOf(['abc']).isIn('qcc')).to.equal(false);
  });

  it('says whether there is any pattern, as it says where', () => {
    const unit = fc.constantFrom('a', 'b', 'c');
    const piece = fc.oneof(
      fc.string({ unit, minLength: 3, maxLength: 7 }),
      fc
        .tuple(fc.string({ unit, minLength: 1, maxLength: 3 }), fc.integer({ min: 20, max: 60 }))
        .map(([part, times]) => {
          return part.repeat(times).padEnd(64, 'a').slice(0, 200);
        }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.array(fc.oneof(piece, unit)),
        (patterns, parts) => {
          const text = parts.join('');
          const finder = finderOf(patterns);
          const found = finder.all(text);
          expect(finder.isIn(text)).to.equal(found.length > 0);
          const covered = new Uint8Array(text.length);
          for (const { start, end } of found) covered.fill(1, start, end);
          const whole = new Uint8Array(text.length);
          for (const pattern of patterns) {
            for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
              whole.fill(1, at, at + pattern.length);
            }
          }
          // Of long patterns parts are found too.
          const exact = patterns.every(({ length }) => length < 64);
          for (const [at, is] of whole.entries()) {
            if (is === 1 || exact) expect(covered[at], `${at} of ${text}`).to.equal(is);
          }
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it('finds long patterns, at any place, with any beginning in common, and a part of 63 of their characters', () => {
    const long = Array.from({ length: 40 }, (_, index) => `key ${index} `).join('');
    const finder = finderOf([long, `${long}!`, 'short']);
    for (const before of ['', 'x', 'key 0 key 1 ', long.slice(0, 100)]) {
      const last = finder.all(`${before}${long}short`).at(-1) ?? expect.fail('nothing found');
      expect([last.start, last.end], before).to.deep.equal([before.length, before.length + long.length + 5]);
    }
    for (const from of [0, 1, 31, 77])
      expect(finder.isIn(`-${long.slice(from, from + 63)}-`), `${from}`).to.equal(true);
    expect(finder.isIn(long.slice(0, 31))).to.equal(false);
  });
});
