import { expect } from 'chai';
import { measureText } from '../../../src/console/replays/measureText.js';

describe('a measure of a replay', () => {
  for (const [value, text] of [
    [8645049.25, '8645049.25'],
    [8717663.5, '8717663.5'],
    [123456789012.34, '123456789012.34'],
    [999999.99, '999999.99'],
    [1234.5, '1234.5'],
    [1 / 3, '0.33333333'],
    [0.1 + 0.2, '0.3'],
    [0.000012345, '0.000012345'],
    [0, '0'],
    [null, 'nothing'],
  ] as const)
    it(`of ${value} is told as ${text}: money to the cent, and none of a computer's own digits`, () =>
      expect(measureText(value)).to.equal(text));
});
