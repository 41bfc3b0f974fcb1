import { expect } from 'chai';
import fc from 'fast-check';
import { EngineError, numberText, readJson, stringify } from '../../../../../workers/engine/index.js';
import type { Numeric } from '../../../../../workers/engine/zen/values/numbers.js';

const textOf = (json: string): string => numberText(readJson(json).value as Numeric);
const refusal = (json: string): string => {
  try {
    return stringify(readJson(json).value);
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
};

describe('readJson', () => {
  it('keeps every digit, zeros at the end included', () => {
    const exact = [
      ...['12345678901234567890', '-79228162514264337593543950335', '100.0000000000000000000000001'],
      ...['9007199254740993', '1.50', '0.10', '0.0', '0.0000000000000000000000000001', '0.30000000000000004'],
    ];
    for (const json of exact) expect(textOf(json)).to.equal(json);
  });

  it('reads exponents as the numbers that they name', () => {
    expect(['1e3', '1.5E+2', '25e-1', '1e22', '0e-400'].map(textOf)).to.deep.equal([
      '1000',
      '150',
      '2.5',
      '10000000000000000000000',
      '0',
    ]);
  });

  it('names the place of a number that does not fit', () => {
    expect(refusal('{"a/b":[1,{"c~":1e30}]}')).to.equal('The number at `/a~1b/1/c~0` does not fit 28 digits: 1e30.');
    for (const json of ['[1e-29]', '[1e400]', '[79228162514264337593543950336]', '[0.12345678901234567890123456789]']) {
      expect(refusal(json)).to.match(/^The number at `\/0` does not fit 28 digits: /);
    }
  });

  it('finds every number that a double would change, wherever it stands', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,24})$/);
    const token = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.stringMatching(/^(?:\.\d{1,24})?(?:[eE][-+]?\d{1,3})?$/))
      .map((parts) => parts.join(''));
    const around = fc.constantFrom('[%]', '[ %\n]', '{"a":%}', '{"1.5":[7,%,7]}', '{ "e1" : % , "b" : "12,5" }');
    fc.assert(
      fc.property(token, around, fc.nat(40), (number, frame, before) => {
        const json = frame.replaceAll('%', number);
        const padding = 'x'.repeat(before);
        // The sibling that no double keeps has all of the text read digit by digit.
        expect(refusal(`["${padding}",${json}]`).replace(`"${padding}"`, '1.5')).to.equal(refusal(`[1.50,${json}]`));
      }),
    );
  });

  it('takes what JSON.parse takes, and gives the same', () => {
    const padded = fc
      .tuple(fc.json(), fc.constantFrom('', ' ', '\n'))
      .map(([json, blank]) => `[1.50,${blank}${json}${blank}]`);
    fc.assert(
      fc.property(padded, (json) => {
        const read = refusal(json);
        if (!read.startsWith('The number'))
          expect(JSON.parse(read)).to.deep.equal(JSON.parse(json.replaceAll('-0', '0')));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const accepts = (read: () => unknown): boolean => {
      try {
        read();
        return true;
      } catch (error) {
        return error instanceof EngineError;
      }
    };
    const broken = [
      ...['', ']', '1.50', '[01.50]', '[1.50,]', '["\u0001",1.50]', '[1.50,"\\x"]', '[1.50]]', '{"a":1.50,}'],
      '[.50]',
    ];
    for (const json of broken)
      expect(
        accepts(() => readJson(json)),
        json,
      ).to.equal(accepts(() => JSON.parse(json)));
    fc.assert(
      fc.property(fc.string(), (rest) => {
        const json = `[1.50,${rest}`;
        expect(accepts(() => readJson(json))).to.equal(accepts(() => JSON.parse(json)));
      }),
    );
  });
});
