import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { requireScope } from '../../../src/workspaces/access.js';

describe('requireScope', () => {
  it('passes the scope itself', () => {
    requireScope(new Set(['environment:read', 'execution:write']), 'execution:write');
  });

  for (const scopes of [[], ['environment:read'], ['execution'], ['execution:'], ['execution:write2'], ['*']]) {
    it(`refuses ${JSON.stringify(scopes)} and names the scope`, () => {
      expect(() => requireScope(new Set(scopes), 'execution:write'))
        .to.throw(Problem)
        .that.satisfies((problem: Problem) => {
          expect(problem.code).to.equal('insufficient_scope');
          expect(problem.headers()).to.deep.equal({
            'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="execution:write"',
          });
          return true;
        });
    });
  }
});
