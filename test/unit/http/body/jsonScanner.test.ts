import { expect } from 'chai';
import fc from 'fast-check';
import { Problem } from '../../../../src/errors.js';
import { JsonScanner } from '../../../../src/http/body/jsonScanner.js';
import { cases } from '../../../support/environment.js';

interface Scanned {
  readonly values: number;
  readonly fields: number;
  readonly outline: unknown;
  readonly fault: string | undefined;
}

const limits = { maxDepth: 16, maxValues: 1000 };

/** What was found, or null where it is refused. @param piece bytes at a time */
function scan(text: string, piece = text.length + 1): Scanned | null {
  const scanner = new JsonScanner(Buffer.from(text), limits, { maxOutline: 1000 });
  try {
    while (!scanner.scan(piece));
  } catch (error) {
    if (error instanceof Problem && error.code === 'malformed_json') return null;
    throw error;
  }
  const { values, fields, outline, violations: faults } = scanner;
  const [fault] = faults;
  return { values, fields, outline, fault: fault && `${fault.pointer} ${fault.message}` };
}

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

const piece = fc.integer({ min: 1, max: 40 });
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

describe('scanning JSON in pieces', () => {
  it('accepts what JSON.parse accepts, and nothing else, whatever the pieces', () => {
    fc.assert(
      fc.property(fc.oneof(jumble, document, broken), piece, (text, length) => {
        expect(scan(text, length) !== null, text).to.equal(isJson(text));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('finds the same in pieces as in one', () => {
    fc.assert(
      fc.property(fc.oneof(jumble, document, broken), piece, (text, length) => {
        expect(scan(text, length)).to.deep.equal(scan(text));
      }),
      { numRuns: cases(1000) },
    );
  });

  it('counts every value, and those of the outermost one', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const found = scan(JSON.stringify(value));
        expect(found?.values).to.equal(sizeOf(parsed));
        const fields = typeof parsed === 'object' && parsed !== null ? Object.keys(parsed).length : 0;
        expect(found?.fields).to.equal(fields);
      }),
    );
  });

  it('outlines the outermost value: what is in its members is left out, and long texts', () => {
    const outlineOf = (text: string): unknown => scan(text)?.outline;
    expect(
      outlineOf('{"fact":{"a":{"b":[1]}},"version":3.0e0,"t":"text","l":[1,[2]],"n":null,"y":true}'),
    ).to.deep.equal({
      fact: {},
      version: 3,
      t: 'text',
      l: [],
      n: null,
      y: true,
    });
    const texts = { short: '"\u00e9\u0001'.repeat(500), long: 'x'.repeat(9000) };
    expect(outlineOf(JSON.stringify(texts))).to.deep.equal({ short: texts.short, long: '' });
    expect(outlineOf('{"\\u0066act":1,"fact":{}}')).to.deep.equal({ fact: {} });
    expect(outlineOf('[{"a":1},-2.5,false]')).to.deep.equal([{}, -2.5, false]);
    expect(outlineOf(' 7 ')).to.equal(7);
  });

  it('tells where the first text, name or number is that cannot be processed', () => {
    const faultOf = (text: string): string | undefined => scan(text, 3)?.fault;
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
    expect(scan('['.repeat(16) + ']'.repeat(16))).to.not.equal(null);
    expect(scan('['.repeat(17) + ']'.repeat(17))).to.equal(null);
    expect(scan(`[${Array<string>(999).fill('0').join()}]`)?.values).to.equal(1000);
    expect(scan(`[${Array<string>(1000).fill('0').join()}]`)).to.equal(null);
  });
});

describe('the items of a list', () => {
  const itemsIn = (text: string, piece: number): string[] => {
    const bytes = Buffer.from(text);
    const scanner = new JsonScanner(bytes, limits, { maxOutline: 10, list: { name: 'items', maxItems: 3 } });
    while (!scanner.scan(piece));
    const { items } = scanner;
    return Array.from({ length: items.length / 2 }, (_, at) =>
      bytes.toString('utf8', items[2 * at], items[2 * at + 1]),
    );
  };

  it('are found where they stand, as many as are asked for, and no others', () => {
    const items = ['{"fact":{"items":[1]}}', '[ 1 ,2]', '"é]\\""', '-1.5', 'true'];
    for (const piece of [1, 3, 1000]) {
      const text = ` {"more":[7], "items" : [ ${items.join(' , ')} ],"a":{"items":[8]}} `;
      expect(itemsIn(text, piece)).to.deep.equal(items.slice(0, 3));
      expect(itemsIn('{"items":[]}', piece)).to.deep.equal([]);
      expect(itemsIn('[{"items":[1]}]', piece)).to.deep.equal([]);
      expect(itemsIn('{"\\u0069tems":[1]}', piece)).to.deep.equal(['1']);
    }
  });
});
