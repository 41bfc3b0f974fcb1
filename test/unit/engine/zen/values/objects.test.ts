import { expect } from 'chai';
import fc from 'fast-check';
import type { Value, ValueObject } from '../../../../../workers/engine/values.js';
import {
  compileExpression,
  Decimal,
  isObject,
  own,
  setAt,
  stringify,
  toJson,
  ZenDate,
} from '../../../../../workers/engine/zen/index.js';
import { JsonTexts } from '../../../../../workers/engine/zen/values/json.js';
import { buildScope } from '../../../../support/zen.js';

const parse = (json: string): ValueObject => JSON.parse(json) as ValueObject;

const copy = (object: ValueObject): ValueObject => ({ ...object });

describe('values', () => {
  it('are read by own keys of objects only', () => {
    expect(own({ a: 1 }, 'a')).to.equal(1);
    expect(own([1], 'length')).to.equal(null);
    expect(own({}, '__proto__')).to.equal(null);
    expect(own(null, 'a')).to.equal(null);
  });

  it('set paths without touching what may be shared', () => {
    const shared = { b: { c: 1 } };
    const target: ValueObject = { a: shared };
    setAt(target, ['a', 'b', 'd'], 2, copy);
    setAt(target, ['x', 'y'], 3, copy);
    setAt(target, ['a', 'b', 'c', 'e'], 4, copy);
    expect(target).to.deep.equal({ a: { b: { c: { e: 4 }, d: 2 } }, x: { y: 3 } });
    expect(shared).to.deep.equal({ b: { c: 1 } });
  });

  it('set __proto__ as a key like any other', () => {
    const target: ValueObject = {};
    setAt(target, ['__proto__', 'polluted'], 1, copy);
    expect(Object.keys(target)).to.deep.equal(['__proto__']);
    expect(Reflect.get({}, 'polluted')).to.equal(undefined);
  });

  it('merge deep without changing either side', () => {
    const base = parse('{"a": {"x": [1]}, "b": 1}');
    const patch = parse('{"a": {"x": [2], "__proto__": {"y": 1}}, "b": {"c": 1}}');
    const merged = compileExpression('mergeDeep([a, b])')(buildScope({ data: { a: base, b: patch } }));
    expect(stringify(merged)).to.equal('{"a":{"x":[1,2],"__proto__":{"y":1}},"b":{"c":1}}');
    expect(stringify(base)).to.equal('{"a":{"x":[1]},"b":1}');
  });

  it('become JSON: decimals with all their digits, dates as text', () => {
    const value: Value = {
      a: new Decimal(12345678901234567890n, 10),
      b: new Decimal(150, 2),
      c: [new ZenDate(null)],
      d: 'ü"',
    };
    expect(stringify(value)).to.equal('{"a":1234567890.123456789,"b":1.5,"c":["Invalid date"],"d":"ü\\""}');
    expect(toJson(value)).to.deep.equal({ a: 1234567890.1234567, b: 1.5, c: ['Invalid date'], d: 'ü"' });
    expect(stringify(new Decimal(79228162514264337593543950335n, 1))).to.equal('7922816251426433759354395033.5');
  });

  it('become the same JSON where each part is written once', () => {
    const leaf = fc.oneof(
      fc.constantFrom<Value>(null, true, -0, 0.1, 1e21, 1e-7, 'é"\u2028', '', new ZenDate(null)),
      fc
        .tuple(fc.bigInt({ min: -(2n ** 95n), max: 2n ** 95n }), fc.nat(28))
        .map(([units, scale]) => new Decimal(units, scale)),
    );
    const values = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b"', '1', '__proto__'), tie('value'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    })).value;
    const digits = (value: Value): string => {
      if (value instanceof Decimal) return value.toJsonText();
      if (Array.isArray(value)) return `[${value.map(digits).join(',')}]`;
      if (!isObject(value)) return JSON.stringify(value);
      return `{${Object.entries(value)
        .map(([key, item]) => `${JSON.stringify(key)}:${digits(item)}`)
        .join(',')}}`;
    };
    fc.assert(
      fc.property(values, values, (one, other) => {
        const texts = new JsonTexts();
        for (const value of [one, [one, other, [one]], { other, one }, other])
          expect(texts.of(value)).to.equal(digits(value));
      }),
    );
  });
});
