import { expect } from 'chai';
import { useOwnApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { call } from '../../support/http.js';
import { askToken, basic, sign } from '../../support/tokens.js';

describe('while MySQL cannot be reached', () => {
  const client = { id: '01900000-0000-7000-8000-000000000000', secret: 'the-secret-of-a-client' };
  // Nothing listens on port 1.
  const app = useOwnApp({ DATABASE_URL: 'mysql://root@127.0.0.1:1/verdict', DATABASE_TIMEOUT_MS: '200' });

  it('the token endpoint answers 503 in its own form', async () => {
    const answer = await askToken(app.baseUrl, client);
    expect(answer.status).to.equal(503);
    expect(answer.headers).to.include({ 'retry-after': '1', 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.body).to.deep.equal({
      error: 'temporarily_unavailable',
      error_description: 'The database cannot be reached right now; try again shortly.',
    });
    expect(app.log()).to.include('ECONNREFUSED').and.not.include(client.secret);
  });

  it('what needs no database is answered all the same', async () => {
    const answer = await askToken(app.baseUrl, client, 'grant_type=a&grant_type=b');
    expect([answer.status, answer.body]).to.deep.equal([
      400,
      { error: 'invalid_request', error_description: 'A parameter is repeated.' },
    ]);
  });

  it('the key set, a token whose key is not known, and id and secret are answered 503, nothing to be kept', async () => {
    const jwks = await call(`${app.baseUrl}/core/oauth2/jwks`);
    expectProblem(jwks, 'dependency_unavailable', { instance: '/core/oauth2/jwks', headers: { 'Retry-After': '1' } });
    expect(jwks.headers['cache-control']).to.equal(undefined);
    const token = await sign(Buffer.alloc(32), {}, { alg: 'HS256', kid: 'k' });
    const [, , signature = ''] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: 'k' })).toString('base64url');
    const answer = await call(`${app.baseUrl}/logic/environments`, {
      headers: { Authorization: `Bearer ${header}.e30.${signature}` },
    });
    expectProblem(answer, 'dependency_unavailable', { instance: '/logic/environments' });
    const inquiries = await call(`${app.baseUrl}/fuse/v2/inquiries`, {
      headers: { Authorization: basic(client.id, client.secret) },
    });
    expectProblem(inquiries, 'dependency_unavailable', { instance: '/fuse/v2/inquiries' });
  });
});
