import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { createAuthenticateClient, type AuthenticateClient } from '../../src/oauth/authenticateClient.js';
import { rotateSecret } from '../../src/access/clientSecrets.js';
import { OAuthError } from '../../src/oauth/oauthError.js';
import { isLong } from '../support/environment.js';
import { buildClient, openStore, type Store } from '../support/factories.js';
import { startService, type Service } from '../support/service.js';
import { basic } from '../support/tokens.js';
import { testPace } from '../support/settings.js';

const attempts = isLong ? 5000 : 2000;
const atOnce = 50;

/** With a MySQL of its own, whose statements are counted. */
describe('a flood of wrong client secrets', () => {
  let mysql: Service;
  let store: Store;
  let authenticate: AuthenticateClient;
  before(async () => {
    mysql = await startService('mysql');
    await migrate(mysql.directUrl);
    store = openStore({ DATABASE_URL: mysql.directUrl });
  });
  beforeEach(() => void (authenticate = createAuthenticateClient({ ...store, maxAgeMs: testPace.accessAge })));
  after(async () => {
    await store.close();
    await mysql.end();
  });

  const selects = async (): Promise<number> => {
    const [[row]] = (await store.database.raw("SHOW GLOBAL STATUS LIKE 'Com_select'")) as [{ Value: string }[]];
    return Number(row?.Value);
  };
  const codeOf = (authorization: string, address: string): Promise<string> =>
    authenticate(authorization, address).then(
      () => 'authenticated',
      (error: unknown) => (error instanceof OAuthError ? error.code : String(error)),
    );

  /** Calls `meanwhile` once it has gone on for a while; gives the codes, and the SELECTs that it took in all. */
  async function flood(
    guess: () => string,
    meanwhile: () => Promise<void>,
  ): Promise<{ codes: Map<string, number>; selects: number }> {
    const codes = new Map<string, number>();
    let begun = 0;
    let other: Promise<void> | undefined;
    const before = await selects();
    const loop = async (): Promise<void> => {
      while (begun < attempts) {
        if (++begun === attempts / 4) other = meanwhile();
        const code = await codeOf(basic(guess(), 'wrong'), 'attacker');
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, loop));
    await other;
    return { codes, selects: (await selects()) - before };
  }

  for (const [what, guessOf] of [
    ['of one client', (id: string) => () => id],
    ['of one id that is no client', () => () => '01900000-0000-7000-8000-00000000000a'],
    ['of ever new ids', () => () => randomUUID()],
  ] as const)
    it(`${what} costs MySQL few SELECTs, and keeps no right secret out, from wherever it comes`, async () => {
      const { id, secret } = await buildClient(store);
      const other = await buildClient(store);
      const heard: string[] = [];
      const { codes, selects: took } = await flood(guessOf(id), async () => {
        for (const client of [{ id, secret }, other])
          for (const address of ['elsewhere', 'attacker'])
            heard.push(await codeOf(basic(client.id, client.secret), address));
      });
      expect(heard).to.deep.equal(Array(4).fill('authenticated'));
      expect([...codes.keys()].sort()).to.deep.equal(['invalid_client', 'too_many_requests']);
      expect(codes.get('invalid_client')).to.be.within(10, attempts / 5);
      expect(took).to.be.lessThan(attempts / 5);
    });

  it('leaves a client that failed a few times able to use a secret that was made since', async () => {
    const { id, secret } = await buildClient(store);
    expect(await codeOf(basic(id, secret), 'address')).to.equal('authenticated');
    expect(await codeOf(basic(id, 'wrong'), 'address')).to.equal('invalid_client');
    const rotated = await rotateSecret(store, { id });
    expect(await codeOf(basic(id, rotated.secret), 'address')).to.equal('authenticated');
    expect(await codeOf(basic(id, secret), 'address')).to.equal('authenticated');
  });
});
