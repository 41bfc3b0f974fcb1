import { expect } from 'chai';
import { expressionOf, resultFields } from '../../../src/console/outcomes/resultFields.js';
import { compileExpression } from '../../../workers/engine/index.js';

describe('fields of results', () => {
  it('are offered by their places, and measured by expressions, whatever they are called', () => {
    const rate = { type: 'number' };
    const schema = {
      type: 'object',
      properties: { 'Interest rate': rate, offer: { type: 'object', properties: { 'a/"b"': rate } } },
    };
    const pointers = resultFields(schema).map(([pointer]) => pointer);
    expect(pointers).to.deep.equal(['/Interest rate', '/offer/a~1"b"']);
    const expressions = pointers.map(expressionOf);
    for (const expression of expressions) expect(() => compileExpression(expression), expression).not.to.throw();
    expect(expressions).to.deep.equal(['result["Interest rate"]', String.raw`result.offer["a/\"b\""]`]);
  });
});
