import { expect } from 'chai';
import { fieldWords } from '../../../src/console/graph/fieldWords.js';

describe('a place in a node is told as a person finds it', () => {
  const content = {
    expressions: [{ key: 'premium' }, { key: 'class' }, { key: '' }],
    inputs: [{ name: 'Age', field: 'age' }],
    outputs: [{ name: '', field: 'rate' }],
  };
  for (const [field, words] of [
    ['content.expressions[1].value', 'Row 2, class'],
    ['content.expressions[2].value', 'Row 3'],
    ['content.rules[4].inputs[0]', 'Row 5, Age'],
    ['content.rules[0].outputs[0]', 'Row 1, rate'],
    ['content.statements[0].condition', 'Row 1'],
    ['content.source', 'source'],
    ['result', 'result'],
  ] as const)
    it(`${field} is ${words}`, () => {
      expect(fieldWords(field, content)).to.equal(words);
    });
});
