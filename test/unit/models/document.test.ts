import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { offsetOfSyntaxError, readDocument } from '../../../workers/models/document.js';
import { modelLimits } from '../../../workers/models/limits.js';

const read = (text: string | Uint8Array): ReturnType<typeof readDocument> => readDocument(Buffer.from(text));

const messageOf = (text: string | Uint8Array): string => {
  const result = read(text);
  return 'diagnostic' in result ? result.diagnostic.message : 'no fault';
};

describe('documents', () => {
  it('stores the same text for the same model, however it is spaced', () => {
    const [one, other] = [read('{"nodes": [], "edges": []}'), read('\ufeff{\n"nodes":[],\t"edges":[]}\n')];
    expect(one).to.deep.equal(other);
    expect('document' in one && one.document.text).to.equal('{"nodes":[],"edges":[]}');
  });

  it('keeps a key named __proto__ as a key', () => {
    const result = read('{"__proto__": {"nodes": 1}}');
    expect('document' in result && result.document.text).to.equal('{"__proto__":{"nodes":1}}');
    expect('document' in result && 'nodes' in result.document.model).to.equal(false);
  });

  it('refuses what is no object, no UTF-8, too deep or too large', () => {
    expect(messageOf('[1]')).to.equal('A model is a JSON object with `nodes` and `edges`.');
    expect(messageOf(Uint8Array.of(0x7b, 0xff, 0x7d))).to.equal('The file is not UTF-8 text.');
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(messageOf(nested(modelLimits.jsonDepth))).to.equal('no fault');
    expect(messageOf(nested(modelLimits.jsonDepth + 1))).to.include('nests deeper');
    expect(messageOf(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)).to.include('nests deeper');
    expect(messageOf(Buffer.alloc(modelLimits.fileBytes + 1))).to.include('larger than');
  });

  it('refuses a model that is too large as it is stored: one of 6 MiB with numbers such as 1e20 grew to 26, too much for MySQL', () => {
    const numbers = `{"a":[${Array<string>(modelLimits.fileBytes / 8)
      .fill('1e20')
      .join()}]}`;
    expect(numbers.length).to.be.below(modelLimits.fileBytes);
    expect(messageOf(numbers)).to.equal(
      `The model is larger than ${modelLimits.fileBytes} bytes with its numbers written out.`,
    );
  });

  it('says where a text stops being JSON, and shows the line', () => {
    const result = read('{"a": 1,\n "b": tru }');
    expect(result).to.deep.equal({
      diagnostic: {
        code: 'model_invalid',
        message: 'The file is not JSON: an unexpected character at line 2, column 7.',
        source: ' "b": tru }',
        span: [6, 7],
      },
      at: { line: 2, column: 7 },
    });
    expect(messageOf('{"a": [1')).to.equal('The file is not JSON: it ends too early at line 1, column 9.');
    expect(messageOf('')).to.include('it ends too early at line 1, column 1');
  });

  for (const [text, offset] of [
    ['{"a" 1}', 5],
    ['[1,]', 3],
    ['{,}', 1],
    ['[1 2]', 3],
    ['{"a":01}', 5],
    ['"a\nb"', 0],
    ['[1]]', 3],
    ['{"a":1]', 6],
    ["{'a':1}", 1],
  ] as const) {
    it(`finds the fault of ${JSON.stringify(text)} at ${offset}`, () => {
      expect(offsetOfSyntaxError(text)).to.equal(offset);
    });
  }

  for (const length of [100, 100_000]) {
    it(`finds the fault of a string with a line break after ${length} characters, soon`, () => {
      const json = `{"a":"${'a'.repeat(length)}\n"}`;
      // Only a context's time limit stops a pattern that goes on and on.
      const offset: unknown = runInNewContext(
        'offsetOf(json)',
        { offsetOf: offsetOfSyntaxError, json },
        { timeout: 5000 },
      );
      expect(offset).to.equal(5);
    });
  }

  it('finds no fault before the end of any JSON, and one in it cut off anywhere or with a stray sign', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        expect(offsetOfSyntaxError(json)).to.equal(json.length);
        const offset = at % (json.length + 1);
        const broken = `${json.slice(0, offset)}\u0001${json.slice(offset)}`;
        expect(offsetOfSyntaxError(broken)).to.be.at.most(offset);
      }),
    );
  });
});
