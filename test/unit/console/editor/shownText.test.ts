import { expect } from 'chai';
import { shownText } from '../../../../src/console/editor/grid/shownText.js';

describe('a cell in which nobody writes', () => {
  for (const [source, shown] of [
    ['>= d("2027-01-01") and <= d("2027-06-30")', '2027-01-01 – 2027-06-30'],
    ['[d("2027-01-01")..d("2027-06-30")]', '2027-01-01 – 2027-06-30'],
    ['[d("2027-01-01")..d("2027-06-30"))', '[2027-01-01..2027-06-30)'],
    ['>= d("2027-01-01") and < d("2027-07-01")', '>= 2027-01-01 and < 2027-07-01'],
    ['< d("2027-07-01")', '< 2027-07-01'],
    ['time($) >= time("08:00") and time($) <= time("20:00")', '08:00 – 20:00'],
    ['time($) >= time("22:00") or time($) <= time("06:00")', '>= 22:00 or <= 06:00'],
    ["d('2027-01-01T06:00:00Z')", '2027-01-01T06:00:00Z'],
    ['d(validFrom) > d("2027-01-01")', 'd(validFrom) > 2027-01-01'],
    ['"d(x)", "b"', '"d(x)", "b"'],
    ['[1..5]', '[1..5]'],
    ['', ''],
  ] as const)
    it(`shows ${shown} of ${source}`, () => expect(shownText(source)).to.equal(shown));
});
