import { expect } from 'chai';
import { inPlainWords } from '../../../src/runs/explanationPage.js';

describe('a page to print', () => {
  for (const [sentence, words] of [
    ['matched row 1, because $root["Loan amount"] was 72000', 'matched row 1, because Loan amount was 72000'],
    ['it was “2026-05-08”, which fits >= d("2026-04-01")', 'it was “2026-05-08”, which fits >= 2026-04-01'],
    ['at least d("2026-04-01") ("2026-04-01T00:00:00Z"); it gave 3', 'at least 2026-04-01; it gave 3'],
    [`fits [date('2026-04-01')..d("2026-06-30")]`, 'fits [2026-04-01..2026-06-30]'],
    [`made x 5, by $root['Größe'] + d(other)`, 'made x 5, by Größe + d(other)'],
    ['was “$root["a"] and d("2026-04-01")”', 'was “$root["a"] and d("2026-04-01")”'],
    ['was “long…, and “a” fits >= d("2026-04-01"), “b…', 'was “long…, and “a” fits >= 2026-04-01, “b…'],
    ['was “a…, which fits $root["b"]', 'was “a…, which fits b'],
    ['debtRatio was 0.575, more than 0.5', 'debtRatio was 0.575, more than 0.5'],
  ] as const)
    it(`says ${words}`, () => expect(inPlainWords(sentence)).to.equal(words));
});
