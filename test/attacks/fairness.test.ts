import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../support/environment.js';
import { expressing, scripting, type Model } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';

/** One workspace with decisions that are deployed, and how each is executed. */
interface Tenant {
  execute(name: string): Promise<{ readonly status: number; readonly text: string }>;
}

const models: Readonly<Record<string, Model>> = {
  quick: expressing({ y: '1 + 1' }),
  loop: scripting('for (;;);'),
  waits250: scripting('await console.sleep(250); return {}'),
  waits3000: scripting('await console.sleep(3000); return {}'),
  busy: scripting('const t = Date.now(); while (Date.now() - t < 250); return {}'),
};

// Whoever is starved here is so for as long as a run may take, and refused long before; a busy machine takes less.
const settings = {
  POOL_MAX_THREADS: '2',
  POOL_MAX_WAIT_MS: '20000',
  RUN_TIMEOUT_MS: '60000',
  DATABASE_TIMEOUT_MS: '30000',
  LOG_LEVEL: 'warn',
};

describe('tenants that hold threads for long', () => {
  let server: ServerProcess;
  let stopped: boolean;
  let running: Promise<unknown>[];
  beforeEach(async () => {
    stopped = false;
    running = [];
    server = await startServer(settings);
  });
  afterEach(async () => {
    stopped = true;
    await server.kill();
    await Promise.allSettled(running);
  });

  async function tenant(...names: readonly (keyof typeof models)[]): Promise<Tenant> {
    const scene: Scene = await buildScene(server);
    const environmentId = await scene.environment();
    const paths = new Map<string, string>();
    for (const name of names) {
      const { decisionId } = await scene.deployed(`${name}.json`, models[name]!, environmentId);
      paths.set(name, `/logic/${environmentId}/decisions/${decisionId}/executions`);
    }
    return { execute: (name) => scene.caller.post(paths.get(name)!, { fact: {} }) };
  }

  /** Keeps as many runs of it under way until the test is over. */
  async function keep(of: Tenant, name: string, count: number): Promise<void> {
    const loop = async (): Promise<void> => {
      while (!stopped) await of.execute(name).catch(() => sleep(10));
    };
    running.push(...Array.from({ length: count }, loop));
    await sleep(isLong ? 1000 : 200);
  }

  /** Executes the quick decision again and again, and expects an answer each time. */
  async function expectServed(of: Tenant, count = isLong ? 40 : 12): Promise<void> {
    const statuses: number[] = [];
    const loop = async (): Promise<void> => {
      for (let run = 0; run < count / 4; run++) {
        const { status } = await of.execute('quick');
        statuses.push(status);
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: 4 }, loop));
    expect(statuses.filter((status) => status !== 201)).to.deep.equal([]);
  }

  it('do not have a neighbour refused: after one run of its own, while one waits, nor when several come one after the other', async () => {
    const villains = await Promise.all((isLong ? [1, 2, 3] : [1, 2]).map(() => tenant('loop')));
    const neighbour = await tenant('quick', 'busy', 'waits250', 'waits3000');
    await keep(villains[0]!, 'loop', 2);
    for (const name of isLong ? ['busy', 'waits250'] : ['busy']) {
      expect((await neighbour.execute(name)).status).to.equal(201);
      await expectServed(neighbour);
    }
    running.push(neighbour.execute('waits3000'));
    await expectServed(neighbour, isLong ? 80 : 20);
    for (const villain of villains.slice(1)) {
      await keep(villain, 'loop', 2);
      await expectServed(neighbour);
    }
  });

  it('do not have a neighbour refused when three begin at once, nor afterwards, nor while ten runs of theirs wait', async () => {
    const villains = await Promise.all([1, 2, 3].map(() => tenant('busy')));
    const waiting = await tenant('waits3000', 'waits250');
    const neighbour = await tenant('quick', 'waits250');
    await expectServed(neighbour, 4);
    for (let round = 0; round < (isLong ? 3 : 1); round++) {
      const runs = villains.flatMap((villain) => [1, 2].map(() => villain.execute('busy')));
      await expectServed(neighbour);
      await Promise.all(runs);
      await expectServed(neighbour);
    }
    await keep(waiting, 'waits3000', 10);
    await keep(waiting, 'waits250', 4);
    await expectServed(neighbour);
    expect((await neighbour.execute('waits250')).status).to.equal(201);
    await expectServed(neighbour);
  });
});
