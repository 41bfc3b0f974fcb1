import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CryptoKey } from 'jose';
import { Problem } from '../../../src/errors.js';
import { createKeys, type Keys } from '../../../src/oauth/keys.js';
import type { Principal } from '../../../src/oauth/principal.js';
import { createVerifier, type Verifier } from '../../../src/oauth/verify.js';
import { createRates } from '../../../src/rates/rates.js';
import { useStoppedClock } from '../../support/clock.js';
import { buildClient, openStore, type BuiltClient, useStore } from '../../support/factories.js';
import { serverKey, sign } from '../../support/tokens.js';
import { testPace } from '../../support/settings.js';

const issuer = 'https://verdict.example';
const now = (): number => Math.floor(Date.now() / 1000);

const rates = createRates(null);

describe('the verifier of this service’s tokens', () => {
  const store = useStore();
  let client: BuiltClient;
  let keys: Keys;
  let key: CryptoKey;
  let kid: string;
  let verifier: Verifier;
  const clock = useStoppedClock();
  beforeEach(async () => {
    client = await buildClient(store);
    keys = createKeys(store);
    await keys.signing();
    ({ key, kid } = await serverKey(store));
    verifier = createVerifier({
      maxAgeMs: testPace.accessAge,
      ...{ database: store.database, keys, issuer, trustedIssuers: [], rates },
      log: { warn: () => undefined },
    });
  });

  const forge = async (
    changes: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
  ): Promise<string> => {
    const own = { iss: issuer, sub: client.id, client_id: client.id, aud: issuer, tenant: client.tenantId };
    const rest = { iat: now() - 10, exp: now() + 60, jti: randomUUID(), scope: 'environment:read  execution:write' };
    const token = await sign(key, { ...own, ...rest, ...changes }, { alg: 'RS256', typ: 'at+jwt', kid, ...header });
    return `Bearer ${token}`;
  };
  async function refusal(
    authorization: string | undefined,
  ): Promise<[code: string, detail: string, challenge: unknown]> {
    try {
      await verifier.verify(authorization);
    } catch (error) {
      if (error instanceof Problem) return [error.code, error.message, error.headers()['WWW-Authenticate']];
      throw error;
    }
    return expect.fail('not refused');
  }
  const expectInvalid = async (authorization: string, detail: string): Promise<void> => {
    expect(await refusal(authorization)).to.deep.equal([
      'unauthorized',
      detail,
      `Bearer realm="verdict", error="invalid_token", error_description="${detail}"`,
    ]);
  };

  it('gives the client with the scopes of its token, the second time at once', async () => {
    const header = await forge();
    const first = verifier.verify(header);
    expect(first).to.be.instanceOf(Promise);
    const principal: Principal = {
      kind: 'client',
      id: client.id,
      tenantId: client.tenantId,
      scopes: new Set(['environment:read', 'execution:write']),
      name: `client:${client.id}`,
    };
    expect(await first).to.deep.equal(principal);
    expect(verifier.verify(header)).to.deep.equal(principal);
  });

  it('forgets a good token the moment it has expired', async () => {
    const header = await forge({ exp: now() - 3 });
    await verifier.verify(header);
    expect(verifier.verify(header), 'within the tolerance of clocks').to.not.be.instanceOf(Promise);
    await clock.pass(3100);
    await expectInvalid(header, 'The access token has expired.');
  });

  it('checks a token anew after ten minutes', async () => {
    const header = await forge({ exp: now() + 3600 });
    await verifier.verify(header);
    expect(verifier.verify(header)).to.not.be.instanceOf(Promise);
    await clock.pass(10 * 60_000 + 1);
    expect(verifier.verify(header)).to.be.instanceOf(Promise);
    await verifier.verify(header);
    expect(verifier.verify(header)).to.not.be.instanceOf(Promise);
  });

  it('wants a token, and says what is wrong with a header', async () => {
    for (const header of [undefined, '', 'Basic x', 'xBearer x', 'Bearerx']) {
      expect(await refusal(header)).to.deep.equal([
        'unauthorized',
        'Send an access token: `Authorization: Bearer <token>`.',
        'Bearer realm="verdict"',
      ]);
    }
    for (const header of ['Bearer', 'bearer ', 'Bearer a b', 'Bearer ä', 'Bearer ==']) {
      await expectInvalid(header, 'The access token is malformed.');
    }
    await expectInvalid(`Bearer ${'x'.repeat(4096)}`, 'The access token is not valid.');
    await expectInvalid(`Bearer ${'x'.repeat(4097)}`, 'An access token has at most 4096 bytes.');
  });

  const notValid = 'The access token is not valid.';
  const future = 9_999_999_999;
  const unknownKey = 'The access token is signed with an unknown key.';
  const id = randomUUID();
  const nobody = { sub: id, client_id: id };
  const sql = { sub: "' OR ''='", client_id: "' OR ''='" };
  const reasons: [what: string, changes: Record<string, unknown>, detail: string, header?: Record<string, unknown>][] =
    [
      ['is too old', { exp: 1_700_000_000 }, 'The access token has expired.'],
      ['is for others', { aud: 'https://other.example' }, 'The access token is for another audience.'],
      ['is of another issuer', { iss: 'https://other.example' }, notValid],
      ['has no issuer', { iss: undefined }, notValid],
      ['has no exp', { exp: undefined }, notValid],
      ['has no iat', { iat: undefined }, notValid],
      ['has no sub', { sub: undefined }, notValid],
      ['has no client_id', { client_id: undefined }, notValid],
      ['has no jti', { jti: undefined }, notValid],
      ['has no scope', { scope: undefined }, notValid],
      ['has no tenant', { tenant: undefined }, notValid],
      ['has a number for a subject', { sub: 5, client_id: 5 }, 'The access token lacks a claim.'],
      ['has a list of scopes', { scope: ['environment:read'] }, 'The access token lacks a claim.'],
      ['has a number for a tenant', { tenant: 5 }, 'The access token lacks a claim.'],
      ['names two clients', { client_id: randomUUID() }, 'The access token contradicts itself.'],
      ['has a number for jti', { jti: 5 }, 'The access token contradicts itself.'],
      ['has no kid', {}, unknownKey, { kid: undefined }],
      ['has another kid', {}, unknownKey, { kid: 'other' }],
      ['has a text for exp', { exp: '9999999999' }, notValid],
      ['has null for exp', { exp: null }, notValid],
      ['is not to be used yet', { nbf: 9_999_999_999 }, notValid],
      ['was made in the future', { iat: 9_999_999_990, exp: 9_999_999_999 }, notValid],
      ['has a text for iat', { iat: 'now' }, notValid],
      ['was made long ago', { iat: 1_700_000_000, exp: 9_999_999_999 }, 'The access token has expired.'],
      ['has a slash more in aud', { aud: `${issuer}/` }, 'The access token is for another audience.'],
      ['has no aud', { aud: undefined }, 'The access token is for another audience.'],
      ['has an empty aud', { aud: [] }, 'The access token is for another audience.'],
      ['has a number for iss', { iss: 5 }, notValid],
      ['is a JWT of another type', {}, notValid, { typ: 'JWT' }],
      ['has no type', {}, notValid, { typ: undefined }],
      ['has a path for kid', {}, unknownKey, { kid: '../../../../dev/null' }],
      ['has SQL for kid', {}, unknownKey, { kid: "' OR '1'='1" }],
      ['names what objects inherit as kid', {}, unknownKey, { kid: '__proto__' }],
      ['has a negative exp', { exp: -future }, 'The access token has expired.'],
      ['has a list for exp', { exp: [future] }, notValid],
      ['has an object for exp', { exp: { $gt: 0 } }, notValid],
      ['has true for exp', { exp: true }, notValid],
      ['has a text for nbf', { nbf: '0' }, notValid],
      ['has a list for iat', { iat: [0] }, notValid],
      ['has an iat below zero', { iat: -1 }, 'The access token has expired.'],
      ['has a life of 300 years', { iat: 1, exp: future }, 'The access token has expired.'],
      ['has an object for aud', { aud: { [issuer]: true } }, 'The access token is for another audience.'],
      ['has an aud with a path', { aud: `${issuer}/logic` }, 'The access token is for another audience.'],
      ['has an aud of other lists', { aud: [[issuer]] }, 'The access token is for another audience.'],
      ['has a list for iss', { iss: [issuer] }, notValid],
      ['has a list for a subject', { sub: ['x'] }, 'The access token lacks a claim.'],
      ['has an object for a subject', { sub: { toString: 'x' } }, 'The access token lacks a claim.'],
      ['has a list for client_id', { client_id: ['x'] }, 'The access token contradicts itself.'],
      ['has a NUL for client_id', { client_id: '\u0000' }, 'The access token contradicts itself.'],
      ['has an object for scope', { scope: { 'environments:read': true } }, 'The access token lacks a claim.'],
      ['has a number for scope', { scope: 5 }, 'The access token lacks a claim.'],
      ['has a list for a tenant', { tenant: ['x'] }, 'The access token lacks a claim.'],
      ['has an empty tenant', { tenant: '' }, 'The client of the access token is disabled or has expired.'],
      ['is another kind of token', {}, notValid, { typ: 'id+jwt' }],
      ['has an empty type', {}, notValid, { typ: '' }],
      ['has a kid of 2 KB', {}, unknownKey, { kid: 'x'.repeat(2000) }],
      ['has a kid with a line break', {}, unknownKey, { kid: 'a\r\nSet-Cookie: b' }],
      ['has an address for kid', {}, unknownKey, { kid: 'http://127.0.0.1/key' }],
      ['names no client that there is', nobody, 'The client of the access token is disabled or has expired.'],
      ['names a client that is no UUID', sql, 'The client of the access token is disabled or has expired.'],
      ['is of another tenant', { tenant: randomUUID() }, 'The client of the access token is disabled or has expired.'],
    ];
  for (const [what, changes, detail, header] of reasons) {
    it(`refuses a token that ${what}`, async () => {
      await expectInvalid(await forge(changes, header), detail);
    });
  }

  it('is answered 503 while the client cannot be looked up', async () => {
    const gone = openStore({ DATABASE_URL: 'mysql://root@127.0.0.1:1/verdict' });
    verifier = createVerifier({
      maxAgeMs: testPace.accessAge,
      ...{ database: gone.database, keys, issuer, trustedIssuers: [], rates },
      log: { warn: () => undefined },
    });
    const header = await forge();
    expect((await refusal(header))[0]).to.equal('dependency_unavailable');
    expect((await refusal(header))[0], 'though the token is known').to.equal('dependency_unavailable');
    await gone.close();
  });
});
