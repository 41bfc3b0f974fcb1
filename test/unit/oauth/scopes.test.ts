import { expect } from 'chai';
import { scopes, parseScopes, scopesFault } from '../../../src/oauth/scopes.js';

const known = `The scopes are: ${scopes.join(' ')}`;

describe('lists of scopes', () => {
  it('are read as each token once, in their order', () => {
    expect(parseScopes(' b a  b c ')).to.deep.equal(['b', 'a', 'c']);
    expect(parseScopes('  ')).to.deep.equal([]);
    expect(parseScopes('a\tb')).to.deep.equal(['a\tb']);
  });

  it('can be given when every scope is known', () => {
    expect(scopesFault(['environment:read', 'inquiry:update'])).to.equal(undefined);
  });

  it('cannot be given when empty, or with unknown scopes, which are named', () => {
    expect(scopesFault([])).to.equal(`At least one scope is needed. ${known}`);
    expect(scopesFault(['environment:read', 'x'])).to.equal(`Unknown scope: x. ${known}`);
    expect(scopesFault(['x', 'environment:read', 'environment'])).to.equal(`Unknown scopes: x environment. ${known}`);
  });
});
