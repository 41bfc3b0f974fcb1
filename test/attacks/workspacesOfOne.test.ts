import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { allowedMs, isLong } from '../support/environment.js';
import { buildTenant } from '../support/factories.js';
import { doubling, scripting, type Model } from '../support/models.js';
import { useServer } from '../support/process.js';
import { buildScene, testStore, type Scene } from '../support/scene.js';

/** So many workspaces has the tenant that attacks; anybody who may write workspaces makes a hundred by HTTP. */
const many = isLong ? 60 : 30;

/** A workspace with a decision that is deployed. */
interface Place {
  readonly path: string;
  readonly caller: Scene['caller'];
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

  async function deploy(tenantId: string, model: Model): Promise<Place> {
    const scene = await buildScene(server, { tenantId });
    return { caller: scene.caller, path: (await scene.deployed('one.json', model)).path };
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

  /** How long the neighbour waits beside so many executions that are under way all the time. */
  async function servedBeside(places: readonly Place[], neighbour: Place): Promise<number> {
    let stopped = false;
    const loop = async (n: number): Promise<void> => {
      const { caller, path } = places[n % places.length]!;
      while (!stopped) {
        const answer = await caller.post(path, { fact: {} }).catch(() => undefined);
        if (answer?.status !== 201) await sleep(100);
      }
    };
    const running = Array.from({ length: 120 }, (_, n) => loop(n));
    await sleep(500);
    try {
      return await expectServed(neighbour);
    } finally {
      stopped = true;
      await Promise.all(running);
    }
  }

  it('do not have a neighbour refused by slow runs, nor wait for longer than beside one workspace', async () => {
    const slow = scripting('const t = Date.now(); while (Date.now() - t < 20); return {}');
    const neighbour = await deploy(await buildTenant(testStore()), doubling(2));
    const tenantId = await buildTenant(testStore());
    const attackers: Place[] = [];
    for (let n = 0; n < many; n++) attackers.push(await deploy(tenantId, slow));
    await expectServed(neighbour, 20);
    const besideOne = await servedBeside(attackers.slice(0, 1), neighbour);
    const besideMany = await servedBeside(attackers, neighbour);
    expect(besideMany, `beside one: ${besideOne} ms`).to.be.below(5 * Math.max(besideOne, allowedMs(20)));
  });
});
