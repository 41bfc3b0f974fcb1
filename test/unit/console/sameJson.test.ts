import { expect } from 'chai';
import { isSame } from '../../../src/console/api/sameJson.js';
import { differencesOf } from '../../../src/console/tests/differences.js';

/** A number as a browser keeps it where JavaScript would write it otherwise. */
const written = (rawJSON: string): unknown => ({ rawJSON });

describe('two values are the same JSON', () => {
  for (const [text, value] of [
    ['52.00', 52],
    ['0.00', 0],
    ['-0', 0],
    ['1.50e1', 15],
    ['12345678901234567890.10', written('12345678901234567890.1')],
  ] as const)
    it(`however a number is written: ${text}`, () => {
      expect(isSame({ fees: [written(text)] }, { fees: [value] })).to.equal(true);
      expect(differencesOf({ fee: written(text) }, { fee: value })).to.deep.equal([]);
    });

  it('in whatever order their members stand, and no otherwise', () => {
    expect(isSame({ a: 1, b: [2, null] }, { b: [2, null], a: 1 })).to.equal(true);
    for (const [one, other] of [
      [written('52.01'), 52],
      [written('52.00'), '52.00'],
      [{ a: 1 }, { a: '1' }],
      [
        [1, 2],
        [2, 1],
      ],
      [{ a: null }, {}],
    ] as const)
      expect(isSame(one, other)).to.equal(false);
  });
});
