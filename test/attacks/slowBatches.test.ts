import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { LineStream } from '../support/lineStream.js';
import { expressing, scripting, type Model } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, logicHeaders, type Scene } from '../support/scene.js';

const quick = expressing({ y: '1 + 1' });

/** One workspace with one decision that is deployed. */
interface Tenant {
  readonly scene: Scene;
  /** Of the decision. */
  readonly path: string;
}

describe('a slow batch of one workspace, beside single executions of another', () => {
  let server: ServerProcess;
  let stopped: boolean;
  let executing: Promise<void>;
  const isStopped = (): boolean => stopped;
  before(async () => {
    server = await startServer({
      POOL_MAX_THREADS: '2',
      POOL_MAX_WAIT_MS: '6000',
      // None of its items ends on its own, and none before the others were answered.
      RUN_TIMEOUT_MS: '30000',
      DATABASE_TIMEOUT_MS: '30000',
      LOG_LEVEL: 'warn',
    });
    stopped = false;
    const live = await tenant(quick);
    executing = (async () => {
      while (!isStopped()) await live.scene.caller.post(`${live.path}/executions`, { fact: {} }).catch(() => undefined);
    })();
  });
  after(async () => {
    stopped = true;
    await server.kill();
    await executing;
  });

  async function tenant(model: Model): Promise<Tenant> {
    const scene = await buildScene(server);
    const { decisionId, environmentId } = await scene.deployed('d.json', model);
    return { scene, path: `/logic/${environmentId}/decisions/${decisionId}` };
  }

  /** Counts the answers of items that come on such a stream, of which there are far more than chunks that run at once. */
  async function stream({ scene, path }: Tenant, answered: { items: number }): Promise<void> {
    const lines = new LineStream(`${server.baseUrl}${path}/batches`, logicHeaders(scene));
    await lines.send(...Array.from({ length: 100 }, () => ({ fact: {} })));
    void (async () => {
      while ((await lines.next()) !== undefined) answered.items++;
    })().catch(() => undefined);
  }

  it('does not hold up the batch of a third, however many of its items compute or wait without end', async () => {
    const villains = [
      await tenant(scripting('for (;;);')),
      await tenant(scripting('await console.sleep(25000); return {}')),
    ];
    const neighbour = await tenant(quick);
    const batch = { items: Array.from({ length: 10 }, () => ({ fact: {} })) };
    const answered = { items: 0 };
    for (const villain of villains) for (let count = 0; count < 4; count++) await stream(villain, answered);
    // The first of its chunks have begun.
    await sleep(500);
    for (let round = 0; round < 3; round++) {
      const { status, body } = await neighbour.scene.caller.post(`${neighbour.path}/batches`, batch);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ completed: 10, failed: 0 });
    }
    expect(answered.items, 'items of the slow batches that were over first').to.equal(0);
  });
});
