import { expect } from 'chai';
import type { Programs } from '../../src/decisions/programs/programs.js';
import { createPreparation, type PreparationOfDeployed } from '../../src/deployments/preparation.js';
import type { Pool } from '../../src/admission/pool/pool.js';
import { runOnThread } from '../../src/runs/runOnThread.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { openStore } from '../support/factories.js';
import { doubling, type Model } from '../support/models.js';
import { bootPool, closePools } from '../support/pools.js';
import { testPrograms } from '../support/programs.js';
import { startProxy, through } from '../support/proxy.js';
import { buildScene, testDatabase, type Scene, useFreshScene } from '../support/scene.js';
import { testEnvironment, testPace } from '../support/settings.js';

const log = { warn: () => undefined };

/** What preparing may take before the process serves. */
const startBudgetMs = 2000;

describe('what is deployed is compiled before it is executed', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let programs: Programs;
  let pool: Pool;
  let preparation: PreparationOfDeployed;
  let prepared: Set<string>;
  beforeEach(async () => {
    programs = testPrograms(testDatabase());
    pool = await bootPool({
      poolMinThreads: 2,
      poolMaxThreads: 2,
      worker: new URL('../../workers/thread/run.js', import.meta.url),
    });
    prepared = new Set();
    preparation = preparationWith(programs);
  });
  afterEach(async () => {
    preparation.stop();
    await closePools();
  });

  /** Tells, beside what it does, which programs it is through with. */
  const preparationWith = (from: Programs, database = testDatabase()): PreparationOfDeployed =>
    createPreparation({
      pollMs: testPace.preparationPoll,
      database,
      log,
      programs: from,
      pool: {
        async prepare(given) {
          const inTime = await pool.prepare(given);
          prepared.add(given.programId);
          return inTime;
        },
      },
    });

  /** Before it has started, unless that takes it longer than it may; then the rest follows. */
  async function startedWith(programId: string): Promise<void> {
    const begun = performance.now();
    await preparation.start();
    if (performance.now() - begun < startBudgetMs) expect([...prepared]).to.include(programId);
    await eventually(() => prepared.has(programId));
  }

  const deployed = async (factor: number): Promise<string> => {
    const decisionId = await scene.decision(`times-${factor}.json`, doubling(factor));
    await scene.deploy(decisionId, await scene.environment(), 1);
    return (await programs.programOf(scene.workspaceId, decisionId, 1)).programId;
  };

  /** Gives runs that keep both threads busy, and counts those that lacked the program. Evaluations need no environment. */
  async function misses(programId: string): Promise<number> {
    let missed = 0;
    const body = JSON.stringify({ fact: { x: 2 } });
    const run = (): Promise<unknown> =>
      runOnThread(
        pool,
        { programId, workspaceId: scene.workspaceId, configurationId: '', body, traced: false, clock: 0, seed: 0 },
        async () => {
          missed++;
          return { bundle: await programs.bundle(scene.workspaceId, programId) };
        },
      );
    await Promise.all(Array.from({ length: 40 }, run));
    return missed;
  }

  it('when the process starts', async () => {
    const programId = await deployed(2);
    await startedWith(programId);
    expect(await misses(programId)).to.equal(0);
  });

  it('when the process starts, though a newer one can’t be had', async () => {
    const programId = await deployed(5);
    const gone = { program_id: Buffer.from(await deployed(6), 'hex'), workspace_id: idToBytes(scene.workspaceId) };
    expect(await testDatabase()('versions').where(gone).delete()).to.equal(1);
    const fresh = testPrograms(testDatabase());
    preparation = preparationWith(fresh);
    await startedWith(programId);
    expect(await misses(programId)).to.equal(0);
  });

  it('when MySQL comes back after the process has started', async () => {
    const oldest = await deployed(7);
    const environmentId = await scene.environment();
    const decisionId = await scene.decision('newest.json', doubling(8));
    const { programId } = await programs.programOf(scene.workspaceId, decisionId, 1);
    for (let n = 0; n < 100; n++) await scene.deploy(decisionId, environmentId, 1);
    const url = testEnvironment()['DATABASE_URL']!;
    const { hostname, port } = new URL(url);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const store = openStore({ DATABASE_URL: through(url, proxy) });
    preparation = preparationWith(programs, store.database);
    try {
      proxy.resetAt('routings');
      await preparation.start();
      expect(proxy.resets).to.equal(1);
      proxy.resetAt(null);
      await eventually(() => prepared.has(programId));
      expect([...prepared]).to.not.include(oldest);
    } finally {
      preparation.stop();
      await store.close();
      await proxy.close();
    }
  });

  it('soon after a deployment, by whichever process', async () => {
    await preparation.start();
    const programId = await deployed(3);
    await eventually(() => prepared.has(programId));
    expect(await misses(programId)).to.equal(0);
  });

  it('unless that ended a thread: then neither again, nor what the same workspace deploys next', async () => {
    const other = await buildScene(app);
    const asked: string[] = [];
    const slow = doubling(9);
    preparation = createPreparation({
      pollMs: testPace.preparationPoll,
      database: testDatabase(),
      log,
      programs,
      pool: {
        prepare({ programId, workspaceId }) {
          asked.push(workspaceId);
          prepared.add(programId);
          return Promise.resolve(workspaceId !== scene.workspaceId);
        },
      },
    });
    await preparation.start();
    const deploy = async (to: Scene, key: string, model: Model): Promise<void> => {
      await to.deploy(await to.decision(key, model), await to.environment(), 1);
    };
    await deploy(scene, 'slow.json', slow);
    await eventually(() => asked.includes(scene.workspaceId));
    await deploy(scene, 'quick.json', doubling(10));
    await deploy(other, 'same.json', slow);
    await deploy(other, 'quick.json', doubling(11));
    await eventually(() => asked.includes(other.workspaceId));
    const ofThese = asked.filter((id) => [scene.workspaceId, other.workspaceId].includes(id));
    expect(ofThese).to.deep.equal([scene.workspaceId, other.workspaceId]);
  });

  it('and by its first run where nobody prepared it', async () => {
    expect(await misses(await deployed(4))).to.be.within(1, 40);
  });
});
