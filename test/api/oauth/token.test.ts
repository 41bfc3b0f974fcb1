import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { rotateSecret } from '../../../src/access/clientSecrets.js';
import { scopes as allScopes } from '../../../src/oauth/scopes.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { bootApp, useOwnApp } from '../../support/app.js';
import { uuidV7 } from '../../support/asserts.js';
import { stopClock } from '../../support/clock.js';
import { buildClient, disableClient, type BuiltClient, useStore } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { askToken, basic, type TokenBody } from '../../support/tokens.js';

const challenge = 'Basic realm="verdict", charset="UTF-8"';
const issuer = 'http://localhost:3000';

describe('POST /core/oauth2/token', () => {
  const app = useOwnApp();
  const store = useStore();
  let client: BuiltClient;
  beforeEach(async () => {
    client = await buildClient(store, {
      scopes: 'environments:read environment:read execution:write',
      roles: { reader: ['environments:read', 'environment:read'] },
      resources: ['https://other.example/api'],
    });
  });
  const url = (): string => `${app.baseUrl}/core/oauth2/token`;

  /** The whole of a refusal (RFC 6749, section 5.2). */
  const expectError = (answer: Answer, status: number, error: string): void => {
    expect(answer.status, answer.text).to.equal(status);
    const { error_description: description } = answer.body as { error_description: unknown };
    // RFC 6749, section 5.2: printable ASCII without quotes and backslashes.
    expect(description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.body).to.deep.equal({ error, error_description: description });
    expect(answer.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(answer.headers['x-request-id']).to.be.a('string');
    expect(answer.headers['www-authenticate']).to.equal(error === 'invalid_client' ? challenge : undefined);
  };

  it('answers 200 with a token of RFC 9068', async () => {
    const asked = Math.floor(Date.now() / 1000);
    const answer = await askToken(app.baseUrl, client, {
      grant_type: 'client_credentials',
      role: 'reader',
      scope: 'environment:read',
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    const body = answer.body as TokenBody;
    expect(body).to.deep.equal({
      access_token: body.access_token,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'environment:read',
    });
    const keys = createRemoteJWKSet(new URL(`${app.baseUrl}/core/oauth2/jwks`));
    const { payload, protectedHeader } = await jwtVerify(body.access_token, keys);
    expect(protectedHeader).to.deep.equal({ alg: 'RS256', typ: 'at+jwt', kid: protectedHeader.kid });
    expect(payload).to.deep.equal({
      iss: issuer,
      sub: client.id,
      client_id: client.id,
      aud: issuer,
      iat: payload.iat,
      exp: (payload.iat ?? 0) + 3600,
      jti: payload.jti,
      scope: 'environment:read',
      tenant: client.tenantId,
      roles: ['reader'],
    });
    expect(payload.jti).to.match(uuidV7);
    expect(payload.iat).to.be.within(asked, Date.now() / 1000);
  });

  it('addresses the token to the resource that was asked for', async () => {
    const resource = 'https://other.example/api';
    const form = { grant_type: 'client_credentials', resource, unknown: '1', scope: '' };
    const answer = await askToken(app.baseUrl, client, form);
    const [, payload = ''] = (answer.body as TokenBody).access_token.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      .to.include({ aud: resource, iss: issuer })
      .and.not.have.property('roles');
  });

  const grant = 'grant_type=client_credentials';
  const refused: [string, string, Record<string, string>, number, string][] = [
    ['no body', '', {}, 400, 'invalid_request'],
    ['no grant type', 'scope=execution:write', {}, 400, 'invalid_request'],
    ['another grant type', 'grant_type=password&username=a&password=b', {}, 400, 'unsupported_grant_type'],
    ['a foreign scope', `${grant}&scope=environment:write`, {}, 400, 'invalid_scope'],
    ['a secret in the body too', `${grant}&client_id=a&client_secret=b`, {}, 400, 'invalid_request'],
    ['an assertion in the body too', `${grant}&client_assertion=b`, {}, 400, 'invalid_request'],
    ['a large body', `${grant}&x=${'x'.repeat(20_000)}`, {}, 413, 'invalid_request'],
    ['the grant of a prototype', 'grant_type=__proto__', {}, 400, 'unsupported_grant_type'],
    ['a list of grants', 'grant_type[]=client_credentials', {}, 400, 'invalid_request'],
    ['bad percent signs', 'grant_type=%zz&%=%', {}, 400, 'unsupported_grant_type'],
    ['bytes that are no UTF-8', `${grant}&role=%ff%fe`, {}, 400, 'invalid_request'],
    [
      'an unknown client',
      grant,
      { Authorization: basic('01900000-0000-7000-8000-000000000000', 'x') },
      401,
      'invalid_client',
    ],
  ];
  for (const [what, form, headers, status, error] of refused) {
    it(`answers ${status} ${error} to ${what}`, async () => {
      expectError(await askToken(app.baseUrl, client, form, headers), status, error);
    });
  }

  it('answers 401 to no credentials, and to those in the body alone', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const body of [grant, `${grant}&client_id=${client.id}&client_secret=${client.secret}`]) {
      expectError(await call(url(), { method: 'POST', headers, body }), 401, 'invalid_client');
    }
  });

  it('answers 401 to a secret that is wrong, empty, cut, doubled or of another client', async () => {
    const other = await buildClient(store);
    const { id, secret } = client;
    const wrong = ['wrong', '', secret.slice(0, -1), secret + secret, secret.toUpperCase(), other.secret];
    for (const Authorization of [...wrong.map((each) => basic(id, each)), basic('no uuid', secret), 'Basic @']) {
      const answer = await askToken(app.baseUrl, client, grant, { Authorization });
      expectError(answer, 401, 'invalid_client');
      expect(answer.body).to.include({ error_description: 'The client id or the secret is wrong.' });
    }
  });

  it('tells who has its secret, and nobody else, that a client is disabled or has expired', async () => {
    const expired = await buildClient(store);
    const expiresAt = new Date(Date.now() - 1000);
    await store
      .database('clients')
      .where({ id: idToBytes(expired.id) })
      .update({ expires_at: expiresAt });
    const told = async (id: string, secret: string): Promise<unknown> => {
      const answer = await askToken(app.baseUrl, { id, secret });
      expectError(answer, 401, 'invalid_client');
      return (answer.body as { error_description: string }).error_description;
    };
    const wrong = 'The client id or the secret is wrong.';
    expect(await told(client.id, 'wrong')).to.equal(wrong);
    await disableClient(store, client.id);
    expect(await told(client.id, client.secret)).to.equal('The client is disabled.');
    const until = `The client has expired: it was one until ${expiresAt.toISOString()}.`;
    expect(await told(expired.id, expired.secret)).to.equal(until);
    for (const { id } of [client, expired]) {
      expect(await told(id, 'wrong')).to.equal(wrong);
      expect(await told(id, randomBytes(32).toString('base64url'))).to.equal(wrong);
    }
    expect(await told(expired.id, client.secret)).to.equal(wrong);
  });

  it('takes the secret before for a while, and never more than two', async () => {
    const status = async (secret: string): Promise<number> =>
      (await askToken(app.baseUrl, { id: client.id, secret })).status;
    const second = await rotateSecret(store, { id: client.id });
    expect(await Promise.all([client.secret, second.secret].map(status))).to.deep.equal([200, 200]);
    const third = await rotateSecret(store, { id: client.id });
    expect(await Promise.all([client.secret, second.secret, third.secret].map(status))).to.deep.equal([401, 200, 200]);
    const secrets = store.database('client_secrets').where('client_id', idToBytes(client.id));
    await secrets.whereNotNull('expires_at').update({ expires_at: new Date() });
    expect(await Promise.all([second.secret, third.secret].map(status))).to.deep.equal([401, 200]);
  });

  it('throttles failures in the name of a client, and never the client itself', async () => {
    // However the id is written.
    const wrong = (attempt: number): Promise<Answer> =>
      askToken(app.baseUrl, {
        id: attempt % 2 === 0 ? client.id : client.id.toUpperCase(),
        secret: randomBytes(32).toString('base64url'),
      });
    const answers: Answer[] = [];
    const clock = stopClock();
    for (let attempt = 0; attempt < 14; attempt++) answers.push(await wrong(attempt));
    clock.release();
    const throttled = answers.filter(({ status }) => status === 429);
    expect(answers.slice(0, 10).map(({ status }) => status)).to.deep.equal(Array(10).fill(401));
    expect(throttled).to.have.length(4);
    for (const answer of throttled) {
      expectError(answer, 429, 'too_many_requests');
      expect(answer.headers['retry-after']).to.match(/^[12]$/);
    }
    expect((await askToken(app.baseUrl, client)).status).to.equal(200);
    expect((await askToken(app.baseUrl, { id: (await buildClient(store)).id, secret: 'wrong' })).status).to.equal(401);
  });

  it('takes POST alone, and credentials never from the query', async () => {
    const got = await call(url());
    expect([got.status, got.headers.allow]).to.deep.equal([405, 'POST']);
    const query = `?${grant}&client_id=${client.id}&client_secret=${client.secret}`;
    const answer = await call(url() + query, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: grant,
    });
    expectError(answer, 401, 'invalid_client');
  });

  it('logs neither secrets nor tokens', async () => {
    const { access_token: token } = (await askToken(app.baseUrl, client)).body as TokenBody;
    await askToken(app.baseUrl, { id: client.id, secret: 'guessed-secret' });
    expect(app.log()).to.include(`client:${client.id}`);
    for (const secret of [
      client.secret,
      token,
      token.split('.')[2] ?? '',
      'guessed-secret',
      basic(client.id, client.secret),
    ]) {
      expect(app.log()).to.not.include(secret);
    }
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('answers the metadata of RFC 8414', async () => {
    const app = await bootApp({ ISSUER: 'https://verdict.example/base/' });
    try {
      const answer = await call(`${app.baseUrl}/.well-known/oauth-authorization-server`);
      expect(answer.status).to.equal(200);
      expect(answer.headers).to.include({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      });
      const { scopes_supported: scopes } = answer.body as { scopes_supported: string[] };
      expect(scopes).to.deep.equal(allScopes);
      expect(answer.body).to.deep.equal({
        issuer: 'https://verdict.example/base/',
        token_endpoint: 'https://verdict.example/base/core/oauth2/token',
        jwks_uri: 'https://verdict.example/base/core/oauth2/jwks',
        scopes_supported: scopes,
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    } finally {
      await app.stop();
    }
  });
});
