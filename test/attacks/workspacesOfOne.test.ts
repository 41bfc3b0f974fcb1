import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { allowedMs, isLong } from '../support/environment.js';
import { buildClient, buildTenant, buildWorkspace } from '../support/factories.js';
import { callerOf, type Caller } from '../support/http.js';
import { doubling, scripting, type Model } from '../support/models.js';
import { useServer } from '../support/process.js';
import { imported, testStore } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';

/** So many workspaces has the tenant that attacks; anybody who may write workspaces makes a hundred by HTTP. */
const many = 60;

/** A decision that is deployed in a workspace. */
interface Place {
  readonly path: string;
  readonly caller: Caller;
}

describe('many workspaces of one tenant', () => {
  const server = useServer({
    LOG_LEVEL: 'silent',
    POOL_MAX_THREADS: '2',
    POOL_MAX_QUEUE: '100',
    POOL_MAX_QUEUE_PER_WORKSPACE: '50',
    POOL_MAX_WAIT_MS: '20000',
    DATABASE_TIMEOUT_MS: '30000',
  });
  let stopped = false;
  const running: Promise<unknown>[] = [];
  after(async () => {
    stopped = true;
    await Promise.allSettled(running);
  });

  /** The same decision in so many workspaces of one tenant. */
  async function deploy(model: Model, workspaces: number): Promise<readonly Place[]> {
    const store = testStore();
    const tenantId = await buildTenant(store);
    const ids: string[] = [];
    for (let n = 0; n < workspaces; n++) ids.push(await buildWorkspace(store, tenantId));
    const token = await tokenOf(server.baseUrl, await buildClient(store, { tenantId, workspaces: ids }));
    const places: Place[] = [];
    for (const workspaceId of ids) {
      const caller = callerOf(server.baseUrl, token, workspaceId);
      const [{ id: decisionId }] = await imported(store.database, workspaceId, { 'one.json': model });
      const { id: environmentId } = (await caller.post('/logic/environments', { name: 'x' })).body as { id: string };
      const deployment = { decisionId, environmentId, version: 1, name: 'x', deployedBy: 'x' };
      expect((await caller.post('/logic/deployments', deployment)).status).to.equal(201);
      places.push({ caller, path: `/logic/${environmentId}/decisions/${decisionId}/executions` });
    }
    return places;
  }

  /** The neighbour's executions, one after the other: none finds the server overloaded. @returns the median of their milliseconds */
  async function expectServed({ caller, path }: Place, runs = isLong ? 200 : 30): Promise<number> {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const sent = performance.now();
      const { status, text } = await caller.post(path, { fact: { x: 2 } });
      // The database may be slow on a busy machine.
      if (!text.includes('dependency_unavailable')) expect(status, `execution ${run}: ${text}`).to.equal(201);
      times.push(performance.now() - sent);
      await sleep(5);
    }
    return times.sort((a, b) => a - b)[runs >> 1] ?? 0;
  }

  /** Keeps so many executions under way. */
  function keep(places: readonly Place[], count: number): void {
    const loop = async (n: number): Promise<void> => {
      const { caller, path } = places[n % places.length]!;
      while (!stopped) {
        const answer = await caller.post(path, { fact: {} }).catch(() => undefined);
        if (answer?.status !== 201) await sleep(100);
      }
    };
    running.push(...Array.from({ length: count }, (_, n) => loop(n)));
  }

  it('do not have a neighbour refused by slow runs, nor wait for longer than beside one workspace', async () => {
    const slow = scripting('const t = Date.now(); while (Date.now() - t < 20); return {}');
    const [[neighbour], attackers] = [await deploy(doubling(2), 1), await deploy(slow, many)];
    await expectServed(neighbour!, 20);
    const medians: number[] = [];
    for (const workspaces of [1, many]) {
      stopped = false;
      keep(attackers.slice(0, workspaces), 120);
      await sleep(500);
      medians.push(await expectServed(neighbour!));
      stopped = true;
      await Promise.allSettled(running.splice(0));
    }
    const [besideOne = 0, besideMany = 0] = medians;
    expect(besideMany, `beside one: ${besideOne} ms`).to.be.below(5 * Math.max(besideOne, allowedMs(20)));
  });
});
