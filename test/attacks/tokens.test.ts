import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CryptoKey } from 'jose';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { buildClient, type BuiltClient, useStore } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { accessClaims, askToken, expectInvalidToken, serverKey, sign, tokenOf } from '../support/tokens.js';
import { eventually } from '../support/eventually.js';

// What test/api/oauth leaves: odd values in every claim and header, other places for a token, and odd forms.

const path = '/logic/environments';
const issuer = 'http://localhost:3000';
const future = 9_999_999_999;

describe('odd tokens', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let key: CryptoKey;
  let kid: string;
  before(async () => {
    client = await buildClient(store);
    await tokenOf(app.baseUrl, client);
    ({ key, kid } = await serverKey(store));
  });

  const list = (headers: Record<string, string>, query = ''): Promise<Answer> =>
    call(`${app.baseUrl}${path}${query}`, { headers: { 'X-Workspace-Id': client.workspaceId, ...headers } });
  const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
  const now = (): number => Math.floor(Date.now() / 1000);
  const claims = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
    accessClaims(client, issuer, changes);
  const forge = (changes: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> =>
    sign(key, claims(changes), { alg: 'RS256', typ: 'at+jwt', kid, ...header });

  const expectInvalid = (answer: Answer): void => expectInvalidToken(answer, path);

  const odd: readonly [string, Record<string, unknown>, Record<string, unknown>?][] = [
    ['a negative exp', { exp: -future }],
    ['exp as a list', { exp: [future] }],
    ['exp as an object', { exp: { $gt: 0 } }],
    ['exp as true', { exp: true }],
    ['nbf as text', { nbf: '0' }],
    ['iat as a list', { iat: [0] }],
    ['iat below zero', { iat: -1 }],
    ['a life of 300 years', { iat: 1, exp: future }],
    ['aud as an object', { aud: { [issuer]: true } }],
    ['aud with a path', { aud: `${issuer}/logic` }],
    ['aud of other lists', { aud: [[issuer]] }],
    ['iss as a list', { iss: [issuer] }],
    ['sub as a list', { sub: ['x'] }],
    ['sub as an object', { sub: { toString: 'x' } }],
    ['sub as a number', { sub: 1 }],
    ['sub of one, client_id of another, which was taken,', { sub: randomUUID() }],
    ['client_id of nobody', { client_id: randomUUID() }],
    ['client_id as a list', { client_id: ['x'] }],
    ['client_id with a NUL', { client_id: '\u0000' }],
    ['jti as a number, which was taken,', { jti: 5 }],
    ['scope as an object', { scope: { 'environments:read': true } }],
    ['scope as a number', { scope: 5 }],
    ['tenant as a list', { tenant: ['x'] }],
    ['an empty tenant', { tenant: '' }],
    ['typ as another kind of token', {}, { typ: 'id+jwt' }],
    ['an empty typ', {}, { typ: '' }],
    ['kid of 3 KB', {}, { kid: 'x'.repeat(2000) }],
    ['kid with a line break', {}, { kid: 'a\r\nSet-Cookie: b' }],
    ['kid as an address', {}, { kid: 'http://127.0.0.1/key' }],
    ['kid of a prototype', {}, { kid: 'constructor' }],
  ];
  for (const [what, changes, header] of odd) {
    it(`${what} is 401`, async () => expectInvalid(await list(bearer(await forge(changes, header)))));
  }

  it('a payload that says twice whose it is counts by its last word, and still for no other tenant', async () => {
    const other = await buildClient(store);
    const { createSign } = await import('node:crypto');
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const head = encode(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid }));
    const payload = encode(JSON.stringify(claims()).replace(/}$/, `,"tenant":"${other.tenantId}"}`));
    const { KeyObject } = await import('node:crypto');
    const signature = createSign('RSA-SHA256')
      .update(`${head}.${payload}`)
      .sign(KeyObject.from(key))
      .toString('base64url');
    expectInvalid(await list(bearer(`${head}.${payload}.${signature}`)));
  });

  it('an encrypted token, a token in a token, and five segments are 401', async () => {
    const scope = 'environments:read';
    const token = await forge({ scope });
    const nested = await forge({ token, scope }, { cty: 'JWT' });
    expect((await list(bearer(nested))).status, 'what it carries is not looked at').to.equal(200);
    for (const text of [`${token}.a.b`, 'a.b.c.d.e', `${token}.${token}`, token.replaceAll('.', ','), `.${token}`]) {
      expectInvalid(await list(bearer(text)));
    }
  });

  it('a token is read from the Authorization header alone', async () => {
    const token = await tokenOf(app.baseUrl, client);
    const places: [Record<string, string>, string?][] = [
      [{ Cookie: `access_token=${token}` }],
      [{ 'X-Authorization': `Bearer ${token}` }],
      [{ 'Proxy-Authorization': `Bearer ${token}` }],
      [{ 'X-Access-Token': token }],
      [{}, `?access_token=${token}`],
      [{}, `?token=${token}`],
      [{ Authorization: token }],
      [{ Authorization: `Token ${token}` }],
      [{ Authorization: `DPoP ${token}` }],
    ];
    for (const [headers, query] of places) {
      expectProblem(await list(headers, query), 'unauthorized', {
        instance: path,
        headers: { 'WWW-Authenticate': 'Bearer realm="verdict"' },
      });
    }
    for (const authorization of [
      `Bearer ${token},Bearer ${token}`,
      `Bearer "${token}"`,
      `Bearer ${token}=`,
      'Bearer',
    ]) {
      expect((await list({ Authorization: authorization })).status, authorization.slice(0, 12)).to.equal(401);
    }
  });

  it('a token that was good and cached is 401 from the moment it expires, and another workspace’s stays 403', async () => {
    const other = await buildClient(store);
    const use = async () => {
      const token = await forge({ iat: now() - 60, exp: now() - 3 });
      const good = await list(bearer(token));
      return { token, good, stranger: await list({ ...bearer(token), 'X-Workspace-Id': other.workspaceId }) };
    };
    let { token, good, stranger } = await use();
    // Where the machine stood still for the two seconds that are left, with another token.
    while (stranger.status === 401) ({ token, good, stranger } = await use());
    expect(good.status, 'within the tolerance of 5 s').to.equal(200);
    expectProblem(stranger, 'forbidden', { instance: path });
    await eventually(async () => (await list(bearer(token))).status !== 200);
    expectInvalid(await list(bearer(token)));
  });

  const forms: readonly [string, string, number, string][] = [
    ['the grant of a prototype', 'grant_type=__proto__', 400, 'unsupported_grant_type'],
    ['a list of grants', 'grant_type[]=client_credentials', 400, 'invalid_request'],
    ['bad percent signs', 'grant_type=%zz&%=%', 400, 'unsupported_grant_type'],
    ['bytes that are no UTF-8', 'grant_type=client_credentials&role=%ff%fe', 400, 'invalid_request'],
  ];
  for (const [what, form, status, error] of forms) {
    it(`the token endpoint answers ${status} ${error} to ${what}`, async () => {
      const answer = await askToken(app.baseUrl, client, form);
      const { error_description: description } = answer.body as { error_description: string };
      expect([answer.status, answer.body]).to.deep.equal([status, { error, error_description: description }]);
      // RFC 6749, section 5.2: printable ASCII without quotes and backslashes.
      expect(description).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(answer.headers).to.include({ 'cache-control': 'no-store', pragma: 'no-cache' });
    });
  }
});
