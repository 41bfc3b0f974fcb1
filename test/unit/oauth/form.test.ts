import { expect } from 'chai';
import { parseForm } from '../../../src/oauth/form.js';
import { OAuthError } from '../../../src/oauth/oauthError.js';

describe('parseForm', () => {
  it('decodes parameters, and takes an empty one as omitted', () => {
    const form = parseForm('grant_type=client_credentials&scope=a%20b+c&role=&x');
    expect([...form]).to.deep.equal([
      ['grant_type', 'client_credentials'],
      ['scope', 'a b c'],
    ]);
  });

  for (const text of ['a=1&a=1', 'a=1&a=', 'a=&a=1', '%61=1&a=2', '__proto__=1&__proto__=2']) {
    it(`refuses the repetition in ${text}`, () => {
      expect(() => parseForm(text))
        .to.throw(OAuthError)
        .with.property('code', 'invalid_request');
    });
  }
});
