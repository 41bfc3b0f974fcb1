import { expect } from 'chai';
import { expressionOf } from '../../../src/console/replays/expressionOf.js';
import { compileExpression } from '../../../workers/engine/index.js';

describe('what a replay measures', () => {
  it('is a field of the result as an expression, whatever it is called', () => {
    const expressions = ['/rate', '/Interest rate', '/offer/a~1"b"'].map(expressionOf);
    for (const expression of expressions) expect(() => compileExpression(expression), expression).not.to.throw();
    expect(expressions).to.deep.equal(['result.rate', 'result["Interest rate"]', `result.offer['a/"b"']`]);
  });
});
