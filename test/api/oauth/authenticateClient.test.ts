import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createAuthenticateClient } from '../../../src/oauth/authenticateClient.js';
import { OAuthError } from '../../../src/oauth/oauthError.js';
import { useStoppedClock } from '../../support/clock.js';
import { buildClient, disableClient, useStore } from '../../support/factories.js';
import { basic } from '../../support/tokens.js';
import { testPace } from '../../support/settings.js';

describe('authentication of clients', () => {
  const store = useStore();
  useStoppedClock();

  async function refusal(
    authenticate: ReturnType<typeof createAuthenticateClient>,
    authorization: string | undefined,
  ): Promise<OAuthError> {
    const error: unknown = await authenticate(authorization, randomUUID()).catch((thrown: unknown) => thrown);
    return error instanceof OAuthError ? error : expect.fail(String(error));
  }

  it('says what to send where nothing was, and one and the same thing whatever is wrong', async () => {
    const authenticate = createAuthenticateClient({ ...store, maxAgeMs: testPace.accessAge });
    expect((await refusal(authenticate, undefined)).message).to.equal(
      'Authenticate with HTTP Basic: client id and secret.',
    );
    const [good, disabled] = [await buildClient(store), await buildClient(store)];
    await disableClient(store, disabled.id);
    const wrong = [
      basic(good.id, disabled.secret),
      basic(randomUUID(), good.secret),
      basic('no uuid', good.secret),
      basic(disabled.id, good.secret),
      'Basic @',
    ];
    for (const header of wrong) {
      const { name, code, status, message, headers } = await refusal(authenticate, header);
      expect({ name, code, status, message, headers }).to.deep.equal({
        name: 'OAuthError',
        code: 'invalid_client',
        status: 401,
        message: 'The client id or the secret is wrong.',
        headers: { 'WWW-Authenticate': 'Basic realm="verdict", charset="UTF-8"' },
      });
    }
    expect(await authenticate(basic(good.id, good.secret), 'address')).to.include({ id: good.id });
  });

  it('throttles failures in a client’s name, however its id is written and wherever they come from', async () => {
    const authenticate = createAuthenticateClient({ ...store, maxAgeMs: testPace.accessAge });
    const { id, secret } = await buildClient(store);
    const codes: string[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const claimed = attempt % 2 === 0 ? id : id.toUpperCase();
      codes.push((await refusal(authenticate, basic(claimed, 'wrong'))).code);
    }
    expect(codes).to.deep.equal([
      ...Array<string>(10).fill('invalid_client'),
      ...Array<string>(2).fill('too_many_requests'),
    ]);
    const last = await refusal(authenticate, basic(id, 'wrong'));
    expect(last).to.include({ code: 'too_many_requests', status: 429 });
    expect(last.headers).to.have.all.keys('Retry-After');
    expect(last.headers['Retry-After']).to.equal('2');
    expect((await authenticate(basic(id, secret), 'address')).id).to.equal(id);
  });

  it('takes one and the same way for a wrong secret of a client and of nobody, throttled and with its caches overrun', async () => {
    const { id } = await buildClient(store);
    const nobody = randomUUID();
    // Clients are remembered, strangers only as long as there is room.
    const strangers = Array.from({ length: 1100 }, () => randomUUID());
    const authenticate = createAuthenticateClient({ ...store, maxAgeMs: testPace.accessAge });
    const guess = (claimed: string) => authenticate(basic(claimed, 'wrong'), 'one address').catch(() => undefined);
    for (const claimed of [id, nobody]) for (let attempt = 0; attempt < 12; attempt++) await guess(claimed);
    await Promise.all(strangers.map(guess));
    const readsOf = async (claimed: string): Promise<number> => {
      let reads = 0;
      const count = (): number => ++reads;
      store.database.on('query', count);
      await guess(claimed);
      store.database.removeListener('query', count);
      return reads;
    };
    for (let round = 0; round < 3; round++) {
      const [ofClient, ofNobody] = [await readsOf(id), await readsOf(nobody)];
      expect(ofClient, 'what a guess in the name of a client reads').to.equal(ofNobody);
      expect(ofClient).to.equal(1);
    }
  });
});
