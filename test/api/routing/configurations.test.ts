import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConfigurations, type Configurations } from '../../../src/environments/configurations.js';
import { setVariable, writeHttpHosts } from '../../../src/environments/variables.store.js';
import { openCache, type Cache } from '../../../src/storage/redis.js';
import { openStore, type Store } from '../../support/factories.js';
import { testEnvironment } from '../../support/settings.js';
import { buildPlace, type Place } from './place.js';

const quiet = { warn: () => undefined, info: () => undefined };
const secret = 'hush-1234-hush';

describe('configurations of environments', () => {
  let store: Store;
  let place: Place;
  let caches: Cache[];
  beforeEach(async () => {
    store = openStore();
    place = await buildPlace(store);
    caches = [];
  });
  afterEach(async () => {
    caches.forEach((cache) => cache.close());
    await store.close();
  });

  const alone = (): Configurations => createConfigurations({ ...store, cache: null, maxAgeMs: 60_000 });
  async function connected(): Promise<Configurations> {
    const cache = openCache(testEnvironment().REDIS_URL!, quiet);
    caches.push(cache);
    while (!cache.healthy()) await sleep(5);
    // What was read before the subscription stood is dropped once it does.
    await sleep(100);
    return createConfigurations({ ...store, cache, maxAgeMs: 60_000 });
  }
  const set = (environmentId: string, value: unknown): Promise<unknown> =>
    setVariable(store, { workspaceId: place.workspaceId, environmentId }, { name: 'KEY', value, secret: true });

  it('are variables, secrets and hosts, by environment and revision; the second time at once', async () => {
    const { workspaceId, environments } = place;
    const [one, two] = environments;
    await set(one, secret);
    await setVariable(store, { workspaceId, environmentId: one }, { name: 'RATE', value: 2, secret: false });
    await writeHttpHosts(store.database, { workspaceId, environmentId: one }, ['api.example']);
    const configurations = alone();
    const read = configurations.of(workspaceId, one);
    expect(read).to.be.instanceOf(Promise);
    const loaded = (await read) ?? expect.fail('no configuration');
    expect(loaded.id).to.match(new RegExp(`^${one}:[1-9]$`));
    expect(JSON.parse(loaded.text)).to.deep.equal({
      variables: { KEY: secret, RATE: 2 },
      secrets: [secret],
      httpHosts: ['api.example'],
    });
    expect(configurations.of(workspaceId, one)).to.equal(loaded);
    const empty = (await configurations.of(workspaceId, two)) ?? expect.fail('no configuration');
    expect(JSON.parse(empty.text)).to.deep.equal({ variables: {}, secrets: [], httpHosts: [] });
    expect(configurations.hits).to.deep.equal({ local: 1, redis: 0, mysql: 2 });
  });

  it('have another id after every change', async () => {
    const [one] = place.environments;
    const ids: unknown[] = [];
    for (const value of ['first', 'second']) {
      await set(one, value);
      ids.push((await alone().of(place.workspaceId, one))?.id);
    }
    expect(new Set(ids).size).to.equal(2);
  });

  it('are null where there is no such environment in the workspace', async () => {
    const configurations = alone();
    const other = await buildPlace(store);
    expect(await configurations.of(place.workspaceId, other.environments[0])).to.equal(null);
    expect(configurations.of(place.workspaceId, other.environments[0])).to.equal(null);
    expect(await configurations.of(other.workspaceId, place.environments[0])).to.equal(null);
  });

  it('are ciphertext in Redis, which another process reads', async () => {
    const { workspaceId, environments } = place;
    const [one] = environments;
    await set(one, secret);
    const [first, second] = [await connected(), await connected()];
    const loaded = await first.of(workspaceId, one);
    await sleep(50);
    const kept = await caches[0]?.read(`verdict:configuration:${workspaceId}/${one}`);
    const bytes = Buffer.from(kept?.value.replace(/^\d+:/, '') ?? '', 'base64').toString('latin1');
    expect(bytes).to.have.length.above(50);
    for (const text of [bytes, kept?.value]) expect(text).to.not.include('hush');
    expect(await second.of(workspaceId, one)).to.deep.equal(loaded);
    expect(second.hits).to.deep.equal({ local: 0, redis: 1, mysql: 0 });
  });

  it('are not believed in Redis under another environment, or with another revision', async () => {
    const { workspaceId, environments } = place;
    const [one, two] = environments;
    await set(one, secret);
    const configurations = await connected();
    await configurations.of(workspaceId, one);
    await sleep(50);
    const cache = caches[0] ?? expect.fail('no cache');
    const kept = await cache.read(`verdict:configuration:${workspaceId}/${one}`);
    const [, revision = '', payload = ''] = /^(\d+):(.*)$/.exec(kept?.value ?? '') ?? [];
    await cache.writeIfNewer(`verdict:configuration:${workspaceId}/${two}`, Number(revision), payload, 60_000);
    const other = await (await connected()).of(workspaceId, two);
    expect(JSON.parse(other?.text ?? ''))
      .to.have.property('secrets')
      .that.deep.equals([]);
    await cache.writeIfNewer(`verdict:configuration:${workspaceId}/${one}`, Number(revision) + 1, payload, 60_000);
    const again = await connected();
    expect((await again.of(workspaceId, one))?.id).to.equal(`${one}:${revision}`);
    expect(again.hits.mysql).to.equal(1);
  });
});
