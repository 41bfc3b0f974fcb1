import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createAuthenticateClient } from '../../../src/oauth/authenticateClient.js';
import { useStoppedClock } from '../../support/clock.js';
import { buildClient, useStore } from '../../support/factories.js';
import { basic } from '../../support/tokens.js';
import { testPace } from '../../support/settings.js';

describe('authentication of clients', () => {
  const store = useStore();
  useStoppedClock();

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
