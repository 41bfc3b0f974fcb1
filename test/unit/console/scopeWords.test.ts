import { expect } from 'chai';
import { areas, inWords } from '../../../src/console/access/scopeWords.js';
import { scopes } from '../../../src/oauth/scopes.js';

describe('scopes in words', () => {
  it('are there for each scope once', () => {
    expect(areas.flatMap(([, each]) => each.map(([scope]) => scope))).to.have.members([...scopes]);
  });

  it('are a line for each area, and say what is everything', () => {
    expect(inWords([...scopes])).to.deep.equal(['Everything']);
    expect(inWords(['audit:read', 'pool:read', 'execution:write'])).to.deep.equal([
      'Runs: execute what is deployed',
      'Operations: everything',
    ]);
    expect(inWords([])).to.deep.equal([]);
    expect(inWords(['decisions:read', 'later:read'])).to.deep.equal(['Decisions: list', 'Others: later:read']);
  });
});
