import { expect } from 'chai';
import { conditionsOf } from '../../../src/console/graph/sentence.js';

describe('the conditions of a row are told as people write them', () => {
  for (const [cell, words] of [
    ['"Car"', 'Car'],
    ['[18..24]', '18–24'],
    ['>= 5', '≥ 5'],
    ['>= d("2026-01-31")', '≥ 2026-01-31'],
    ['< date("2026-01-31")', '< 2026-01-31'],
    ['>= date and time("2026-01-31T18:00:00")', '≥ 2026-01-31T18:00:00'],
    ['[d("2026-01-01")..d("2026-12-31")]', '2026-01-01–2026-12-31'],
    ['@"P1Y"', 'P1Y'],
    ['sum(d) > 5', 'sum(d) > 5'],
  ] as const)
    it(`${cell} is ${words}`, () => {
      expect(conditionsOf({ inputs: [{ id: 'a' }], rules: [{ a: cell }] }, 0)).to.equal(words);
    });
});
