import { expect } from 'chai';
import fc from 'fast-check';
import { checkJson, type JsonFault } from '../../../workers/json/index.js';
import { cases } from '../../support/environment.js';

interface Checked {
  readonly value: unknown;
  readonly values: number;
  readonly fields: number;
  readonly violation: string | undefined;
}

const limits = { maxDepth: 16, maxValues: 1000 };

/** What was found, or null where it is refused. */
function check(text: string): Checked | null {
  const checked = checkJson(text, limits);
  if (checked.fault !== null) return null;
  const { value, values, fields, violations } = checked;
  const [first] = violations;
  return { value, values, fields, violation: first && `${first.pointer} ${first.message}` };
}

const faultOf = (text: string): JsonFault | null => checkJson(text, limits).fault;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + sizeOf(each), 1)
    : 1;

/** Nearly JSON: characters that mean something, and pieces of it, in any order. */
const jumble = fc
  .array(
    fc.constantFrom(
      ...Array.from('{}[],:"\\ \n\t-+.0123eEtrufalsnxé'),
      'true',
      'null',
      '"a"',
      '\\u00',
      '\u0000',
      '\ufeff',
      '1.5e3',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const document = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value));
const broken = fc
  .tuple(document, fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '0', '-', '.', 'e', '\\', '\n', ' ', 'x'))
  .map(([text, at, put]) => {
    const place = at % text.length;
    return text.slice(0, place) + put + text.slice(place + 1);
  });

describe('checking JSON', () => {
  it('accepts what JSON.parse accepts, and nothing else, and reads the same', () => {
    fc.assert(
      fc.property(fc.oneof(jumble, document, broken), (text) => {
        const checked = check(text);
        expect(checked !== null, text).to.equal(isJson(text));
        if (checked !== null) expect(checked.value).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('names the first byte that no JSON goes on with', () => {
    for (const [text, byte] of [
      ['', null],
      ['{"a":[1', null],
      ['{"é":tru }', 9],
      ['[01]', 2],
      ['[1.]', 3],
      ['[-]', 2],
      ['["\\x"]', 3],
      ['["\\u12g4"]', 4],
      ['["\\', null],
      ['{"a":1,}', 7],
      ['[1 2]', 3],
      ['[1]]', 3],
      ["{'a':1}", 1],
    ] as const) {
      expect(faultOf(text), text).to.deep.equal({ kind: 'syntax', byte });
    }
    expect(faultOf('["a\u0001"]')).to.deep.equal({ kind: 'syntax', byte: 3 });
    fc.assert(
      fc.property(document, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        // A number is complete before its end.
        if (!isJson(cut)) expect(faultOf(cut), cut).to.deep.equal({ kind: 'syntax', byte: null });
      }),
    );
  });

  it('counts every value, and those of the outermost one', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const found = check(JSON.stringify(value));
        expect(found?.values).to.equal(sizeOf(parsed));
        const fields = typeof parsed === 'object' && parsed !== null ? Object.keys(parsed).length : 0;
        expect(found?.fields).to.equal(fields);
      }),
    );
  });

  it('tells where the first text, name or number is that cannot be processed', () => {
    const faultOf = (text: string): string | undefined => check(text)?.violation;
    expect(faultOf('{"a":[1,{"b~c":"x\\u0000"}],"d":"\\u0000"}')).to.equal(
      '/a/1/b~0c must not contain the NUL character',
    );
    expect(faultOf('{"a":{"\\ud800":1}}')).to.match(/^\/a\/. must not contain a lone surrogate$/u);
    expect(faultOf('["\\ud83d\\ude00","\\udc00"]')).to.equal('/1 must not contain a lone surrogate');
    expect(faultOf('{"a":{"__proto__":1}}')).to.equal('/a/__proto__ is not allowed as a name');
    expect(faultOf('{"a":{"\\u005f_proto__":1}}')).to.equal('/a/__proto__ is not allowed as a name');
    expect(faultOf('{"a":"__proto__"}')).to.equal(undefined);
    const beyond = 'is beyond the range of a number';
    for (const [number, expected] of [
      ['1e308', undefined],
      ['1.8e308', `/n/0 ${beyond}`],
      ['-1e309', `/n/0 ${beyond}`],
      ['1e+00000000309', `/n/0 ${beyond}`],
      ['1e00000000007', undefined],
      ['0e999', undefined],
      ['1e-999', undefined],
      [`0.${'0'.repeat(400)}1e400`, undefined],
      ['9'.repeat(308), undefined],
      ['9'.repeat(309), `/n/0 ${beyond}`],
    ] as const) {
      expect(faultOf(`{"n":[${number}]}`), number).to.equal(expected);
    }
  });

  it('refuses more levels, and more values, than there may be', () => {
    expect(check('['.repeat(16) + ']'.repeat(16))).to.not.equal(null);
    expect(check('['.repeat(17) + ']'.repeat(17))).to.equal(null);
    expect(check(`[${Array<string>(999).fill('0').join()}]`)?.values).to.equal(1000);
    expect(check(`[${Array<string>(1000).fill('0').join()}]`)).to.equal(null);
  });
});
