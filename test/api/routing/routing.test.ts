import { expect } from 'chai';
import { deployments } from '../../../src/deployments/deployments.store.js';
import {
  addRoute,
  changeRoutesOfDeployment,
  changeRoutesOfEnvironment,
  Routing,
  type Pair,
  type RoutingChange,
} from '../../../src/deployments/routing.js';
import { takeRevision } from '../../../src/environments/hosts.store.js';
import type { Cache } from '../../../src/storage/redis.js';
import { eventually } from '../../support/eventually.js';
import { useStore } from '../../support/factories.js';
import { joinCache } from '../../support/joinCache.js';
import { buildFixture, type RoutingFixture } from './fixture.js';

describe('routing', () => {
  const store = useStore();
  let fixture: RoutingFixture;
  let pair: Pair;
  let routing: Routing;
  let caches: Cache[];
  beforeEach(async () => {
    fixture = await buildFixture(store);
    pair = { workspaceId: fixture.workspaceId, environmentId: fixture.environments[0], decisionId: fixture.decisionId };
    routing = new Routing({ database: store.database, cache: null, maxAgeMs: 60_000 });
    caches = [];
  });
  afterEach(() => caches.forEach((cache) => cache.close()));

  async function deploy(to = pair, version = 1, by = routing): Promise<[deploymentId: string, change: RoutingChange]> {
    const deploymentId = await fixture.deployment({ environmentId: to.environmentId, version });
    const change = await store.database.transaction((transaction) =>
      addRoute(transaction, to, { deploymentId, version }),
    );
    await by.publish([change]);
    return [deploymentId, change];
  }
  async function remove(id: string): Promise<RoutingChange[]> {
    const moves = await store.database.transaction(async (transaction) => {
      const made = await changeRoutesOfDeployment(transaction, fixture.workspaceId, id);
      await transaction('routings')
        .where('deployment_id', Buffer.from(id.replaceAll('-', ''), 'hex'))
        .delete();
      await deployments.delete(transaction, { workspaceId: fixture.workspaceId, id });
      return made;
    });
    await routing.publish(moves);
    return moves;
  }

  it('is the newest deployment of a pair, then the one before, then none', async () => {
    const [first, move] = await deploy();
    expect(move).to.deep.equal({ ...pair, revision: 2, before: null });
    expect(await routing.routeOf(pair)).to.deep.equal({
      revision: 2,
      value: { deploymentId: first, version: 1, configuration: 1 },
    });
    const [second] = await deploy(pair, 0);
    const inForce = await routing.routeOf(pair);
    expect(inForce).to.deep.equal({ revision: 3, value: { deploymentId: second, version: 0, configuration: 1 } });
    expect(routing.routeOf(pair), 'at hand').to.equal(inForce);
    const moved = { ...pair, revision: 4, before: { deploymentId: second, version: 0 } };
    expect(await remove(second)).to.deep.equal([moved]);
    expect(await routing.routeOf(pair)).to.deep.equal({
      revision: 4,
      value: { deploymentId: first, version: 1, configuration: 1 },
    });
    await remove(first);
    expect(await routing.routeOf(pair)).to.deep.equal({ revision: 5, value: null });
    expect(routing.hits.local).to.be.above(0);
    expect(routing.hits.mysql).to.equal(4);
  });

  it('keeps pairs apart', async () => {
    const other = { ...pair, environmentId: fixture.environments[1] };
    const [first] = await deploy();
    const [second] = await deploy(other, 0);
    expect((await routing.routeOf(pair)).value).to.deep.equal({ deploymentId: first, version: 1, configuration: 1 });
    expect((await routing.routeOf(other)).value).to.deep.equal({ deploymentId: second, version: 0, configuration: 1 });
    expect(await routing.routeOf({ ...pair, workspaceId: fixture.decisionId })).to.deep.equal({
      revision: 0,
      value: null,
    });
    const moved = { ...pair, revision: 3, before: { deploymentId: first, version: 1 } };
    expect(await remove(first)).to.deep.equal([moved]);
    expect((await routing.routeOf(other)).revision).to.equal(2);
  });

  it('moves with an environment: its own pairs, and those of a deployment that PATCH moved there', async () => {
    const other = { ...pair, environmentId: fixture.environments[1] };
    const [id] = await deploy();
    const [otherId] = await deploy(other);
    const before = { deploymentId: id, version: 1 };
    const otherBefore = { deploymentId: otherId, version: 1 };
    const moveAll = (environmentId: string): Promise<RoutingChange[]> =>
      store.database.transaction((transaction) =>
        changeRoutesOfEnvironment(transaction, fixture.workspaceId, environmentId),
      );
    expect(await moveAll(other.environmentId)).to.deep.equal([{ ...other, revision: 3, before: otherBefore }]);
    const { environmentId } = other;
    await deployments.update(store.database, { workspaceId: fixture.workspaceId, id }, { environmentId });
    expect(await moveAll(other.environmentId)).to.deep.equal([
      { ...pair, revision: 3, before },
      { ...other, revision: 4, before: otherBefore },
    ]);
    expect(await moveAll(pair.environmentId)).to.deep.equal([{ ...pair, revision: 4, before }]);
    const nowhere = await store.database.transaction((transaction) =>
      changeRoutesOfEnvironment(transaction, fixture.decisionId, pair.environmentId),
    );
    expect(nowhere).to.deep.equal([]);
  });

  it('is read again where the configuration that it was read with is older than the one at hand', async () => {
    const one = new Routing({ database: store.database, cache: null, maxAgeMs: 60_000 });
    const [first] = await deploy(pair, 1, one);
    const known = await one.routeOf(pair);
    const ref = { workspaceId: pair.workspaceId, environmentId: pair.environmentId };
    const revision = await store.database.transaction((transaction) => takeRevision(transaction, ref));
    const renewed = { revision: 3, value: { deploymentId: first, version: 1, configuration: revision } };
    const since = async () => one.routeSince(pair, known, revision);
    expect(await Promise.all([since(), since()])).to.deep.equal([renewed, renewed]);
    expect(one.hits.mysql, 'both are one read').to.equal(2);
    expect(one.routeSince(pair, known, revision), 'at hand').to.equal(one.routeOf(pair));
  });

  it('is known to others through Redis, and its moves by a message', async () => {
    const join = async (): Promise<Routing> => {
      const cache = await joinCache();
      caches.push(cache);
      return new Routing({ database: store.database, cache, maxAgeMs: 60_000 });
    };
    const one = await join();
    const [first] = await deploy(pair, 1, one);
    expect((await one.routeOf(pair)).value).to.deep.equal({ deploymentId: first, version: 1, configuration: 1 });
    expect(one.hits.mysql).to.equal(1);
    const key = `verdict:route:${pair.workspaceId}/${pair.environmentId}/${pair.decisionId}`;
    const kept = await eventually(async () => (await caches[0]?.read(key))?.value);
    expect(kept).to.equal(`2:{"deploymentId":"${first}","version":1,"configuration":1}`);
    // A Redis that takes its time is not waited for: then another process tries.
    const two = await eventually(async () => {
      const other = await join();
      expect(await other.routeOf(pair)).to.deep.equal({
        revision: 2,
        value: { deploymentId: first, version: 1, configuration: 1 },
      });
      return other.hits.redis > 0 && other;
    });
    expect([two.hits.mysql, two.hits.redis]).to.deep.equal([0, 1]);
    const [second] = await deploy(pair, 0, one);
    await eventually(async () => (await two.routeOf(pair)).value?.deploymentId !== first);
    expect((await two.routeOf(pair)).value).to.deep.equal({ deploymentId: second, version: 0, configuration: 1 });
  });
});
