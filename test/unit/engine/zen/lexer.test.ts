import { expect } from 'chai';
import { EngineError } from '../../../../workers/engine/errors.js';
import { tokenize } from '../../../../workers/engine/zen/lexer.js';

const texts = (source: string): string[] => tokenize(source).map(({ kind, text }) => `${kind}:${text}`);

function failure(source: string): EngineError {
  try {
    tokenize(source);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error(`\`${source}\` was expected to fail`);
}

describe('zen lexer', () => {
  it('cuts words, numbers, texts and operators, and ends with an end', () => {
    expect(texts("a_1.b >= 1_0.5 'x y'")).to.deep.equal([
      'word:a_1',
      'operator:.',
      'word:b',
      'operator:>=',
      'number:1_0.5',
      'string:x y',
      'end:',
    ]);
  });

  it('tells a decimal point from a range', () => {
    expect(texts('1..5')).to.deep.equal(['number:1', 'operator:..', 'number:5', 'end:']);
    expect(texts('1.5..2')).to.deep.equal(['number:1.5', 'operator:..', 'number:2', 'end:']);
    expect(texts('1.5.2')).to.deep.equal(['number:1.5', 'operator:.', 'number:2', 'end:']);
  });

  it('takes exponents only with digits', () => {
    expect(texts('1e5 1e-5 1em')).to.deep.equal(['number:1e5', 'number:1e-5', 'number:1', 'word:em', 'end:']);
  });

  it('joins `not in` over any white space, but not `not in_stock`', () => {
    expect(texts('a not \n in [1]')[1]).to.equal('operator:not in');
    expect(texts('not in_stock')).to.deep.equal(['operator:not', 'word:in_stock', 'end:']);
  });

  it('gives spans in UTF-16 units', () => {
    const [text, name] = tokenize("'😀' a");
    expect(text?.span).to.deep.equal([0, 4]);
    expect(name?.span).to.deep.equal([5, 6]);
  });

  it('cuts a template into texts and expressions, braces and templates inside included', () => {
    const [template] = tokenize('`a ${ {k: `}`} } b`');
    expect(template?.parts?.map((part) => ('text' in part ? part.text : part.tokens.length))).to.deep.equal([
      'a ',
      6,
      ' b',
    ]);
  });

  for (const [source, span] of [
    ['a ~ b', [2, 3]],
    ['a + é', [4, 5]],
    ['a + 😀', [4, 6]],
    ["a == 'x", [5, 7]],
    ['`abc', [0, 4]],
    ['`a ${b', [5, 6]],
  ] as const) {
    it(`names the place of the fault in ${source}`, () => {
      const error = failure(source);
      expect(error.code).to.equal('syntax_error');
      expect(error.location).to.deep.equal({ source, span });
    });
  }

  it('refuses templates nested without end', () => {
    expect(failure('`${'.repeat(10_000)).code).to.equal('syntax_error');
  });
});
