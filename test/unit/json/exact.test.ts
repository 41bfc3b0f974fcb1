import { expect } from 'chai';
import fc from 'fast-check';
import { readJson } from '../../../workers/engine/zen/values/readJson.js';
import {
  exceedsRuns,
  formatJson,
  losesDigits,
  LongNumber,
  mayLoseDigits,
  parseExactly,
} from '../../../workers/json/index.js';

const long = [
  ...['37037036703703703670', '0.1234567890123456789', '1e400', '-1.0000000000000000000001', '9007199254740993'],
  ...['1.50', '-0.0'],
];

describe('JSON with all its digits', () => {
  for (const number of long) {
    it(`keeps ${number}, wherever it stands`, () => {
      const text = `{"a":[${number},{"b":${number}}],"c":"${number}","${number}":1.5}`;
      expect(formatJson(parseExactly(text))).to.equal(text);
      expect(formatJson(parseExactly(number))).to.equal(number);
    });
  }

  it('is what JSON.parse gives where doubles hold all numbers', () => {
    const text = '{"a":[1.5,1e3,-0,0.1,1e20,123456789012345680000,0e999,5e-324],"b":"\\u0041\\\\"}';
    expect(parseExactly(text)).to.deep.equal(JSON.parse(text));
    fc.assert(fc.property(fc.json(), (json) => void expect(parseExactly(json)).to.deep.equal(JSON.parse(json))));
  });

  it('is too much for runs where they refuse it, and a double is not', () => {
    const refuses = (json: string): boolean => {
      try {
        readJson(json);
        return false;
      } catch {
        return true;
      }
    };
    for (const number of [
      '79228162514264337593543950335',
      '0.0000000000000000000000000001',
      '12345678901234567890.50',
    ]) {
      expect([exceedsRuns(number), refuses(number)], number).to.deep.equal([false, false]);
    }
    for (const number of [
      '79228162514264337593543950336',
      '0.12345678901234567890123456789',
      '1234567890123456789e20',
    ]) {
      expect([exceedsRuns(number), refuses(number)], number).to.deep.equal([true, true]);
    }
    expect(exceedsRuns('[1e300,1e-300,0.1]')).to.equal(false);
    const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,30})\.\d{1,30}$/);
    fc.assert(fc.property(number, (token) => exceedsRuns(token) || !refuses(token)));
  });

  it('takes nothing within a text for a number or its end', () => {
    const text = JSON.stringify({
      'a\\"12345678901234567890': '\\\\"12345678901234567890"\\',
      b: '12345678901234567890',
    });
    expect(formatJson(parseExactly(text))).to.equal(text);
    const both = `{"a\\\\":12345678901234567890,"b":"\\""}`;
    expect(formatJson(parseExactly(both))).to.equal(both);
  });

  it('looks at each number where JSON.parse would lose how it is written, and not at ranges of a table', () => {
    const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})\.\d{0,3}0$/);
    const blank = fc.constantFrom('', ' ', '\n');
    fc.assert(
      fc.property(number, blank, (token, space) => {
        for (const json of [`{"a":${space}${token}${space}}`, `["1..2",${space}${token}]`, token]) {
          expect(mayLoseDigits(json), json).to.equal(true);
        }
      }),
    );
    for (const range of [
      ...['[10..20]', ' 10..200', '[0..10.5]', ',0..0', '> 10.5', '[-10..-20]', '[5..1000.05]', '[1.5..2.0]'],
      ' .50',
    ]) {
      expect(mayLoseDigits(JSON.stringify({ range })), range).to.equal(false);
    }
  });

  it('keeps a key named __proto__ a key', () => {
    const text = '{"__proto__":{"x":12345678901234567890}}';
    expect(formatJson(parseExactly(text))).to.equal(text);
  });

  it('is laid out as JSON.stringify does it', () => {
    expect(formatJson(parseExactly('{"a":12345678901234567890}'), 2)).to.equal('{\n  "a": 12345678901234567890\n}');
  });

  it('tells apart what doubles lose and what they only write otherwise', () => {
    expect(losesDigits('{"a":[1.50,1e3,"12345678901234567890"]}')).to.equal(false);
    expect(losesDigits('[12345678901234567890]')).to.equal(true);
  });

  it('knows equal numbers however they are written', () => {
    const number = new LongNumber('12345678901234567890');
    expect(number.equals(new LongNumber('1234567890123456789.00e1'))).to.equal(true);
    expect(number.equals(new LongNumber('12345678901234567891'))).to.equal(false);
    expect(number.equals(new LongNumber('-12345678901234567890'))).to.equal(false);
  });

  it('takes linear time for long runs of zeros, digits, quotes and strokes', () => {
    const many = 200_000;
    const texts = [`1${'0'.repeat(many)}`, `0.${'0'.repeat(many)}1`, '7'.repeat(many)];
    for (const number of texts) expect(formatJson(parseExactly(number))).to.equal(number);
    const quotes = JSON.stringify('\\"'.repeat(many));
    expect(parseExactly(`[12345678901234567890,${quotes}]`)).to.have.length(2);
  });
});
