import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { stopClock } from '../../support/clock.js';
import { buildClient, openStore } from '../../support/factories.js';
import { askToken } from '../../support/tokens.js';

describe('failed client authentication, by address', () => {
  let app: TestApp;
  afterEach(() => app.stop());

  const grant = { grant_type: 'client_credentials' };
  const guess = async (forwarded: string): Promise<number> => {
    const client = { id: randomUUID(), secret: 'guess' };
    return (await askToken(app.baseUrl, client, grant, { 'X-Forwarded-For': forwarded })).status;
  };
  const guessOften = async (forwarded: (attempt: number) => string): Promise<number[]> => {
    const statuses: number[] = [];
    const clock = stopClock();
    try {
      for (let attempt = 0; attempt < 115; attempt++) statuses.push(await guess(forwarded(attempt)));
    } finally {
      clock.release();
    }
    return statuses;
  };

  it('is throttled, for ever new client ids too, while good secrets from there pass', async () => {
    app = await bootApp();
    const statuses = await guessOften((attempt) => `203.0.113.${attempt}`);
    expect(statuses.slice(0, 100)).to.deep.equal(Array(100).fill(401));
    expect(statuses).to.include(429);
    const store = openStore();
    const client = await buildClient(store);
    await store.close();
    expect((await askToken(app.baseUrl, client)).status).to.equal(200);
  });

  it('behind a load balancer counts the address that it saw, not what the client claims', async () => {
    app = await bootApp({ TRUST_PROXY: 'true' });
    expect(await guessOften((attempt) => `203.0.113.${attempt}, 198.51.100.1`)).to.include(429);
    expect(await guess('198.51.100.2')).to.equal(401);
  });
});
