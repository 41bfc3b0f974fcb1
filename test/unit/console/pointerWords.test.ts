import { expect } from 'chai';
import { columnNameOf, pointerWords } from '../../../src/console/compare/pointerWords.js';

const node = {
  id: 'n',
  type: 'decisionTableNode',
  name: 'Rates',
  content: {
    hitPolicy: 'first',
    expressions: [{ key: 'rate', value: '1' }],
    statements: [{ condition: 'a' }],
    inputs: [{ id: 'c1', name: '', field: 'score' }],
    outputs: [{ id: 'c2', name: 'Yearly rate', field: 'rate' }],
    rules: [],
  },
};

describe('places of a model in words', () => {
  for (const [pointer, words] of [
    ['/content/hitPolicy', 'hit policy'],
    ['/content/expressions/0/value', 'expression “rate”: value'],
    ['/content/expressions/5/value', 'expression 6: value'],
    ['/content/statements/0/condition', 'condition 1: condition'],
    ['/content/inputs/0/name', 'input column “score”: name'],
    ['/content/outputs/0', 'output column “Yearly rate”'],
    ['/content/rules/7/_description', 'row 8: _description'],
    ['content.rules', 'rows'],
    ['/content/passThrough', 'passes its input on'],
    ['/tests/0/input', 'test 1: input'],
    ['/a~1b/c~0d', 'a/b: c~d'],
    ['', 'all of it'],
  ] as const) {
    it(`${pointer || 'the whole'} is “${words}”`, () => {
      expect(pointerWords(node, pointer)).to.equal(words);
    });
  }

  it('columns go by their names, else by their fields; a note as the grid calls it', () => {
    expect(columnNameOf([node, undefined], 'c1')).to.equal('score');
    expect(columnNameOf([undefined, node], 'c2')).to.equal('Yearly rate');
    expect(columnNameOf([node], '_description')).to.equal('Note');
    expect(columnNameOf([undefined], 'gone')).to.equal('gone');
  });
});
