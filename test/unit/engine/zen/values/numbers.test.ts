import { expect } from 'chai';
import fc from 'fast-check';
import { Decimal } from '../../../../../workers/engine/zen/values/decimal.js';
import {
  add,
  compareNumbers,
  divide,
  multiply,
  numberText,
  parseNumber,
  remainder,
  subtract,
  type Numeric,
} from '../../../../../workers/engine/zen/values/numbers.js';
import { roundTo } from '../../../../../workers/engine/zen/values/rounding.js';

const read = (text: string): Numeric => parseNumber(text) ?? NaN;
const text = (value: Numeric | null | undefined): string =>
  value === null || value === undefined ? String(value) : numberText(value);

/** Decimals of all lengths, as a coefficient and a scale. */
const decimals = fc
  .tuple(
    fc.oneof(fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), fc.bigInt({ min: -99_999n, max: 99_999n })),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([units, scale]) => ({ units, scale, value: read(new Decimal(units, scale).toString()) }));

describe('numbers of zen', () => {
  it('stay JavaScript numbers where those are exact, and are decimals elsewhere', () => {
    expect(read('0.1')).to.equal(0.1);
    expect(read('123456789012.345')).to.equal(123456789012.345);
    expect(read('9007199254740991')).to.equal(9007199254740991);
    expect(read('9007199254740993')).to.be.instanceOf(Decimal);
    expect(read('1234567890.1234567')).to.be.instanceOf(Decimal);
    expect(read('1.50')).to.be.instanceOf(Decimal);
  });

  /** Zero gives way to the other operand's scale, so it has rows of its own. */
  const notZero = decimals.filter(({ units }) => units !== 0n);

  it('add, subtract and multiply like integers with a point', () => {
    fc.assert(
      fc.property(notZero, notZero, (a, b) => {
        const scale = Math.max(a.scale, b.scale);
        const left = a.units * 10n ** BigInt(scale - a.scale);
        const right = b.units * 10n ** BigInt(scale - b.scale);
        const limit = 2n ** 96n;
        if (left + right < limit && left + right > -limit)
          expect(text(add(a.value, b.value))).to.equal(new Decimal(left + right, scale).toString());
        if (left - right < limit && left - right > -limit)
          expect(text(subtract(a.value, b.value))).to.equal(new Decimal(left - right, scale).toString());
        const product = a.units * b.units;
        if (product < limit && product > -limit)
          expect(text(multiply(a.value, b.value))).to.equal(new Decimal(product, a.scale + b.scale).toString());
        expect(compareNumbers(a.value, b.value)).to.equal(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });

  it('divide so that multiplying back is as near as 28 places allow', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const quotient = divide(a.value, b.value);
        if (b.units === 0n) expect(quotient).to.equal(null);
        if (quotient === null || b.units === 0n) return;
        const [whole = '', fraction = ''] = numberText(quotient).split('.');
        const units = BigInt(whole + fraction);
        const error = a.units * 10n ** BigInt(b.scale + fraction.length) - units * b.units * 10n ** BigInt(a.scale);
        const half = (b.units < 0n ? -b.units : b.units) * 10n ** BigInt(a.scale);
        expect(2n * (error < 0n ? -error : error) <= half).to.equal(true);
      }),
    );
  });

  for (const [expression, outcome] of [
    [text(divide(read('1'), read('3'))), '0.3333333333333333333333333333'],
    [text(divide(read('20'), read('3'))), '6.6666666666666666666666666667'],
    [text(divide(read('10.00'), read('4'))), '2.50'],
    [text(divide(read('1'), read('0.5'))), '2.0'],
    [text(divide(read('7'), read('0'))), 'null'],
    [text(divide(read('79228162514264337593543950335'), read('0.1'))), 'null'],
    [text(remainder(read('-7.5'), read('2'))), '-1.5'],
    [text(remainder(read('1'), read('0'))), 'null'],
    [text(add(read('79228162514264337593543950335'), read('1'))), 'undefined'],
    [text(multiply(read('0.00000000000001'), read('0.000000000000001'))), '0.0000000000000000000000000000'],
    [text(roundTo(read('2.345'), 2, 'halfUp')), '2.35'],
    [text(roundTo(read('2.345'), 2, 'halfEven')), '2.34'],
    [text(roundTo(read('-2.5'), 0, 'halfUp')), '-3'],
    [text(roundTo(read('12345678901234567890.5'), 0, 'halfUp')), '12345678901234567891'],
    [text(roundTo(read('7.504'), 2, 'trunc')), '7.50'],
  ] as const) {
    it(`comes to ${outcome}`, () => expect(expression).to.equal(outcome));
  }

  it('has no negative zero', () => {
    for (const zero of [
      multiply(-1, 0),
      remainder(-4, 2),
      roundTo(-0.4, 0, 'ceil'),
      subtract(0.5, 0.5),
      divide(0, -3),
    ]) {
      expect(Object.is(zero, -0)).to.equal(false);
    }
  });
});
