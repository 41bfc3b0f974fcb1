import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createIdempotency, type Idempotency } from '../../src/runs/idempotency.js';
import { openDatabase } from '../../src/storage/database.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { buildWorkspace, openStore } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { expressing, waiting } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { startProxy, through } from '../support/proxy.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { recordedRows } from '../support/records.js';
import { longTimeouts, testEnvironment } from '../support/settings.js';

describe('idempotency across processes and crashes', () => {
  /** It is stopped, and killed. */
  let first: ServerProcess;
  let others: readonly [TestApp, TestApp];
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  before(async () => {
    // Long enough for a machine that stands still for a moment while a run is to be under way.
    const settings = { ...longTimeouts, RUN_TIMEOUT_MS: '4000', LOG_LEVEL: 'warn' };
    first = await startServer(settings);
    others = [await bootApp(settings), await bootApp(settings)];
    scene = await buildScene(first);
    environmentId = await scene.environment();
    decisionId = await deployed('slow.json', waiting());
  });
  after(async () => {
    await first.kill();
    for (const app of others) await app.stop();
  });

  const deployed = async (key: string, model: Parameters<Scene['decision']>[1]): Promise<string> =>
    (await scene.deployed(key, model, environmentId)).decisionId;
  const executeAt = ({ baseUrl }: Pick<TestApp, 'baseUrl'>, key: string, decision = decisionId): Promise<Answer> =>
    call(`${baseUrl}/logic/${environmentId}/decisions/${decision}/executions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${scene.token}`,
        'X-Workspace-Id': scene.workspaceId,
        'Idempotency-Key': key,
      },
      body: { fact: {} },
    });
  const codeOf = ({ body }: Answer): unknown => (body as { code?: unknown }).code;
  /** As if the time had passed. */
  const endLeases = async (): Promise<void> => {
    await testDatabase()('idempotency_keys')
      .where('workspace_id', idToBytes(scene.workspaceId))
      .whereNull('status')
      .update({ expires_at: new Date(Date.now() - 1000) });
  };
  const claims = async (): Promise<number> =>
    ((await testDatabase()('idempotency_keys').where('workspace_id', idToBytes(scene.workspaceId))) as unknown[])
      .length;
  const recorded = async (decision: string): Promise<number> =>
    ((await recordedRows(testDatabase()).where('decision_id', idToBytes(decision))) as unknown[]).length;

  it('many at once, at several processes: one runs', async () => {
    const quick = await deployed('quick.json', expressing({ r: 'rand(1000000000)' }));
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => executeAt([first, ...others][index % 3]!, key, quick)),
    );
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).to.equal(1);
    expect(done.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).to.have.length(1);
    for (const answer of answers) if (answer.status !== 201) expect(codeOf(answer)).to.equal('idempotency_in_progress');
    expect(await recorded(quick)).to.equal(1);
  });

  it('a process that stood still past its lease gives the answer of the one that took over', async () => {
    const [second] = others;
    const key = randomUUID();
    const before = await recorded(decisionId);
    const known = await claims();
    const slow = executeAt(first, key);
    await eventually(async () => (await claims()) > known);
    process.kill(first.pid, 'SIGSTOP');
    await endLeases();
    const taken = await executeAt(second, key);
    process.kill(first.pid, 'SIGCONT');
    expect(codeOf(taken)).to.equal('engine_timeout');
    const late = await slow;
    expect([late.status, late.text]).to.deep.equal([504, taken.text]);
    expect(late.headers['idempotency-replayed']).to.equal('true');
    expect(await recorded(decisionId)).to.equal(before + 1);
  });

  it('a process killed with a claim: after its lease another runs the request, once', async () => {
    const [second, third] = others;
    const key = randomUUID();
    const before = await recorded(decisionId);
    const known = await claims();
    const lost = executeAt(first, key).catch(() => 'no answer');
    await eventually(async () => (await claims()) > known);
    await first.kill();
    expect(await lost).to.equal('no answer');
    expect(await recorded(decisionId)).to.equal(before);

    const early = await executeAt(second, key);
    expect(codeOf(early)).to.equal('idempotency_in_progress');
    expect(early.headers['retry-after']).to.match(/^[1-5]$/);

    await endLeases();
    const answers = await Promise.all([second, third, second, third].map((server) => executeAt(server, key)));
    expect(answers.map(codeOf).sort()).to.deep.equal([
      'engine_timeout',
      ...Array<string>(3).fill('idempotency_in_progress'),
    ]);
    const [run] = answers.filter((answer) => codeOf(answer) === 'engine_timeout');
    expect((await executeAt(third, key)).text).to.equal(run!.text);
    expect(await recorded(decisionId)).to.equal(before + 1);
  });
});

describe('idempotency keys with a lost connection', () => {
  const encryption = createEncryption(randomBytes(32));
  const request = { principal: 'client:x', target: '/p', bodyText: '{}' };

  it('a claim whose answer was lost is still one’s own, and released in the end', async () => {
    const { hostname, port } = new URL(testEnvironment().DATABASE_URL!);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const url = through(testEnvironment().DATABASE_URL!, proxy);
    const database = openDatabase(url, { poolSize: 1, acquireTimeoutMs: 30_000, statementTimeoutMs: 4000 });
    const store = openStore();
    try {
      const workspaceId = await buildWorkspace(store);
      const idempotency: Idempotency = createIdempotency({ database, encryption, leaseMs: () => 60_000 });
      const keys = async (): Promise<unknown[]> =>
        (await store.database('idempotency_keys').where('workspace_id', idToBytes(workspaceId))) as unknown[];
      await database.raw('SELECT 1');
      proxy.mute();
      const beginning = idempotency.begin({ ...request, owner: workspaceId, key: 'k' });
      while ((await keys()).length === 0) await sleep(10);
      proxy.pass();
      proxy.reset();
      const begun = await beginning;
      expect(begun).to.have.property('claim');
      const again: unknown = await idempotency
        .begin({ ...request, owner: workspaceId, key: 'k' })
        .catch((error: unknown) => error);
      expect(again).to.have.property('code', 'idempotency_in_progress');

      proxy.hole();
      const released = 'claim' in begun ? begun.claim.release() : Promise.resolve();
      await sleep(300);
      proxy.pass();
      proxy.reset();
      await released;
      expect(await keys()).to.deep.equal([]);
    } finally {
      await database.destroy();
      await store.close();
      await proxy.close();
    }
  });

  it('expired keys are deleted as others come', async () => {
    const store = openStore();
    const { database } = store;
    const workspaceId = await buildWorkspace(store);
    const idempotency = createIdempotency({ database, encryption, leaseMs: () => 60_000 });
    for (let index = 0; index < 120; index++)
      await idempotency.begin({ ...request, owner: workspaceId, key: `k${index}` });
    const own = { workspace_id: idToBytes(workspaceId) };
    await database('idempotency_keys')
      .where(own)
      .update({ expires_at: new Date(Date.now() - 1000) });
    for (let index = 0; index < 120; index++)
      await idempotency.begin({ ...request, owner: workspaceId, key: `l${index}` });
    await eventually(async () => ((await database('idempotency_keys').where(own)) as unknown[]).length === 120);
    await store.close();
  });
});
