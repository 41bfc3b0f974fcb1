import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { createAuthenticateClient } from '../../../src/oauth/authenticateClient.js';
import { createKeys } from '../../../src/oauth/keys.js';
import { createVerifier } from '../../../src/oauth/verify.js';
import { createVerifyClient, type VerifyClient } from '../../../src/oauth/verifyClient.js';
import { createRates } from '../../../src/rates/rates.js';
import { useStoppedClock } from '../../support/clock.js';
import { buildClient, disableClient, openStore, type Store, useStore } from '../../support/factories.js';
import { basic } from '../../support/tokens.js';
import { testPace } from '../../support/settings.js';

const challenges = 'Basic realm="verdict", charset="UTF-8", Bearer realm="verdict"';

describe('who may send id and secret or a token', () => {
  const store = useStore();
  let verifyClient: VerifyClient;
  const clock = useStoppedClock();
  beforeEach(() => {
    verifyClient = verifyClientOf(store);
  });

  function verifyClientOf(from: Store): VerifyClient {
    const rates = createRates(null);
    const verifier = createVerifier({
      maxAgeMs: testPace.accessAge,
      database: from.database,
      keys: createKeys(from),
      issuer: 'http://localhost:3000',
      trustedIssuers: [],
      log: { warn: () => undefined },
      rates,
    });
    return createVerifyClient({
      verifier,
      authenticateClient: createAuthenticateClient({ ...from, maxAgeMs: testPace.accessAge }),
      rates,
    });
  }

  const refusal = async (authorization: string | undefined, address = 'address'): Promise<Problem> => {
    const error: unknown = await verifyClient(authorization, address).catch((thrown: unknown) => thrown);
    return error instanceof Problem ? error : expect.fail(String(error));
  };

  it('is, by Basic, the client with all of its scopes', async () => {
    const { id, secret, tenantId } = await buildClient(store, { scopes: 'inquiry:update environment:read' });
    for (const header of [basic(id, secret), basic(id, secret), basic(id, secret).replace('Basic', 'bAsIc')]) {
      expect(await verifyClient(header, 'address')).to.deep.equal({
        kind: 'client',
        id,
        tenantId,
        scopes: new Set(['inquiry:update', 'environment:read']),
        name: `client:${id}`,
      });
    }
  });

  it('is told both ways where nothing, or something else, was sent', async () => {
    for (const header of [undefined, '', 'Digest a=b', 'Basicx', 'xBasic x', ' Basic x']) {
      const problem = await refusal(header);
      expect(problem).to.include({
        code: 'unauthorized',
        message: 'Authenticate with HTTP Basic (client id and secret) or with an access token.',
      });
      expect(problem.headers()).to.deep.equal({ 'WWW-Authenticate': challenges });
    }
  });

  it('is refused with a Basic challenge for what Basic says, and with a Bearer one for what Bearer says', async () => {
    const { id } = await buildClient(store);
    for (const header of [basic(id, 'wrong'), 'Basic x', 'BASIC', 'Basic']) {
      const problem = await refusal(header);
      expect(problem).to.include({ code: 'unauthorized', message: 'The client id or the secret is wrong.' });
      expect(problem.headers()).to.deep.equal({ 'WWW-Authenticate': 'Basic realm="verdict", charset="UTF-8"' });
    }
    const header = (await refusal('BEARER x.y.z')).headers()['WWW-Authenticate'];
    expect(header).to.match(/^Bearer realm="verdict", error="invalid_token"/);
  });

  it('is throttled by address when it fails with ever other clients, and at no other address', async () => {
    const codes: string[] = [];
    for (let attempt = 0; attempt < 110; attempt++) codes.push((await refusal('Basic x', 'noisy')).code);
    expect(codes.slice(0, 100)).to.deep.equal(Array(100).fill('unauthorized'));
    expect(codes.slice(100)).to.deep.equal(Array(10).fill('too_many_requests'));
    expect((await refusal('Basic x', 'noisy')).headers()).to.deep.equal({ 'Retry-After': '1' });
    expect((await refusal('Basic x', 'quiet')).code).to.equal('unauthorized');
    const { id, secret } = await buildClient(store);
    expect((await verifyClient(basic(id, secret), 'noisy')).name).to.equal(`client:${id}`);
  });

  it('is remembered for a while, and refused within 5 s of being disabled', async () => {
    const { id, secret } = await buildClient(store);
    const first = await verifyClient(basic(id, secret), 'address');
    await disableClient(store, id);
    expect(await verifyClient(basic(id, secret), 'address')).to.deep.equal(first);
    await clock.pass(4100);
    expect((await refusal(basic(id, secret))).code).to.equal('unauthorized');
  });

  it('is answered 503 while MySQL cannot be reached', async () => {
    const gone = openStore({ DATABASE_URL: 'mysql://root@127.0.0.1:1/verdict' });
    verifyClient = verifyClientOf(gone);
    expect((await refusal(basic('01900000-0000-7000-8000-000000000000', 'secret'))).code).to.equal(
      'dependency_unavailable',
    );
    await gone.close();
  });
});
