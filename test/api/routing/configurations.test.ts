import { expect } from 'chai';
import { createConfigurations, type Configurations } from '../../../src/environments/configurations.js';
import { writeHosts } from '../../../src/environments/hosts.store.js';
import { setVariable } from '../../../src/environments/variables.store.js';
import type { Cache } from '../../../src/storage/redis.js';
import { eventually } from '../../support/eventually.js';
import { testActor, useStore } from '../../support/factories.js';
import { joinCache } from '../../support/joinCache.js';
import { buildFixture, type RoutingFixture } from './fixture.js';

const secret = 'hush-1234-hush';

describe('configurations of environments', () => {
  const store = useStore();
  let fixture: RoutingFixture;
  let caches: Cache[];
  beforeEach(async () => {
    fixture = await buildFixture(store);
    caches = [];
  });
  afterEach(() => caches.forEach((cache) => cache.close()));

  const alone = (): Configurations =>
    createConfigurations({ ...store, cache: null, privateHosts: [], maxAgeMs: 60_000 });
  async function connected(): Promise<Configurations> {
    const cache = await joinCache();
    caches.push(cache);
    return createConfigurations({ ...store, cache, privateHosts: [], maxAgeMs: 60_000 });
  }
  /** What Redis has of an environment, once it has it. */
  const keptIn = (cache: Cache | undefined, environmentId: string): Promise<string> =>
    eventually(async () => (await cache?.read(`verdict:configuration:${fixture.workspaceId}/${environmentId}`))?.value);
  const set = (environmentId: string, value: unknown): Promise<unknown> =>
    setVariable(store, { workspaceId: fixture.workspaceId, environmentId }, { name: 'KEY', value, secret: true });

  it('are variables, secrets and hosts, by environment and revision; the second time at once', async () => {
    const { workspaceId, environments } = fixture;
    const [one, two] = environments;
    await set(one, secret);
    await setVariable(store, { workspaceId, environmentId: one }, { name: 'RATE', value: 2, secret: false });
    const writing = { actor: testActor, ref: { workspaceId, environmentId: one }, match: () => undefined };
    await writeHosts(store.database, writing, ['api.example']);
    const configurations = alone();
    const read = configurations.of(workspaceId, one);
    expect(read).to.be.instanceOf(Promise);
    const loaded = (await read) ?? expect.fail('no configuration');
    expect(loaded.id).to.match(new RegExp(`^${one}:[1-9]$`));
    expect(JSON.parse(loaded.text)).to.deep.equal({
      variables: { KEY: secret, RATE: 2 },
      secrets: ['KEY'],
      httpHosts: ['api.example'],
      privateHosts: [],
    });
    expect(configurations.of(workspaceId, one)).to.equal(loaded);
    const empty = (await configurations.of(workspaceId, two)) ?? expect.fail('no configuration');
    expect(JSON.parse(empty.text)).to.deep.equal({ variables: {}, secrets: [], httpHosts: [], privateHosts: [] });
    expect(configurations.hits).to.deep.equal({ local: 1, redis: 0, mysql: 2 });
  });

  it('have another id after every change', async () => {
    const [one] = fixture.environments;
    const ids: unknown[] = [];
    for (const value of ['first', 'second']) {
      await set(one, value);
      ids.push((await alone().of(fixture.workspaceId, one))?.id);
    }
    expect(new Set(ids).size).to.equal(2);
  });

  it('are null where there is no such environment in the workspace', async () => {
    const configurations = alone();
    const other = await buildFixture(store);
    expect(await configurations.of(fixture.workspaceId, other.environments[0])).to.equal(null);
    expect(configurations.of(fixture.workspaceId, other.environments[0])).to.equal(null);
    expect(await configurations.of(other.workspaceId, fixture.environments[0])).to.equal(null);
  });

  it('are ciphertext in Redis, which another process reads', async () => {
    const { workspaceId, environments } = fixture;
    const [one] = environments;
    await set(one, secret);
    const first = await connected();
    const loaded = await first.of(workspaceId, one);
    const kept = await keptIn(caches[0], one);
    const bytes = Buffer.from(kept.replace(/^\d+:/, ''), 'base64').toString('latin1');
    expect(bytes).to.have.length.above(50);
    for (const text of [bytes, kept]) expect(text).to.not.include('hush');
    // A Redis that takes its time is not waited for: then another process tries.
    const second = await eventually(async () => {
      const other = await connected();
      expect(await other.of(workspaceId, one)).to.deep.equal(loaded);
      return other.hits.redis > 0 && other;
    });
    expect(second.hits).to.deep.equal({ local: 0, redis: 1, mysql: 0 });
  });

  it('are not believed in Redis under another environment, or with another revision', async () => {
    const { workspaceId, environments } = fixture;
    const [one, two] = environments;
    await set(one, secret);
    const configurations = await connected();
    await configurations.of(workspaceId, one);
    const cache = caches[0] ?? expect.fail('no cache');
    const [, revision = '', payload = ''] = /^(\d+):(.*)$/.exec(await keptIn(cache, one)) ?? [];
    const put = (environment: string, number: number): Promise<unknown> =>
      eventually(async () => {
        await cache.writeIfNewer(`verdict:configuration:${workspaceId}/${environment}`, number, payload, 60_000);
        return (await keptIn(cache, environment)) === `${number}:${payload}`;
      });
    await put(two, Number(revision));
    const other = await (await connected()).of(workspaceId, two);
    expect(JSON.parse(other?.text ?? ''))
      .to.have.property('secrets')
      .that.deep.equals([]);
    await put(one, Number(revision) + 1);
    const again = await connected();
    expect((await again.of(workspaceId, one))?.id).to.equal(`${one}:${revision}`);
    expect(again.hits.mysql).to.equal(1);
  });
});
