import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, limitRuns, useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { call, callerOf, type Answer } from '../support/http.js';
import { doubling, endless, expressing, waiting } from '../support/models.js';
import { startServer } from '../support/process.js';
import { testDatabase, type Scene, useScene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { askToken } from '../support/tokens.js';
import { recordedRows } from '../support/records.js';

describe('limits of runs, queue and database', () => {
  const app = useApp({
    RUN_MAX_HEAP_MB: '48',
    POOL_MIN_THREADS: '1',
    POOL_MAX_THREADS: '1',
    POOL_MAX_QUEUE: '1',
  });
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
  });

  const deployed = async (key: string, model: Parameters<Scene['decision']>[1]): Promise<string> => {
    const { decisionId } = await scene.deployed(key, model, environmentId);
    return `/logic/${environmentId}/decisions/${decisionId}/executions`;
  };

  it('a run that takes too much memory is 500 engine_failure, recorded, and the next run is right', async () => {
    const path = await deployed('bomb.json', expressing({ y: 'len(map([1..2000], map([1..500000], #)))' }));
    // However slow the machine is: on a busy one the run was stopped for its time before it had taken the memory.
    const limitTime = (runTimeoutMs: number): Promise<unknown> =>
      call(`${app.adminUrl}/pool`, { method: 'PATCH', body: { runTimeoutMs } });
    await limitTime(50_000);
    const answer = await scene.caller.post(path, { fact: {} });
    await limitTime(2000);
    const { executionId } = answer.body as { executionId: string };
    expectProblem(answer, 'engine_failure', { instance: path, extensions: { executionId } });
    const [row] = (await testDatabase()('executions').where({ id: idToBytes(executionId) })) as { status: string }[];
    expect(row).to.include({ status: 'FAILED' });

    const fine = await scene.caller.post(await deployed('fine.json', doubling(2)), { fact: { x: 4 } });
    expect([fine.status, (fine.body as { result: unknown }).result], fine.text).to.deep.equal([201, { y: 8 }]);
  });

  it('a full queue is 503 overloaded with Retry-After, nothing is run, and other routes go on', async () => {
    const path = await deployed('long.json', endless());
    await limitRuns(app, 1000);
    const stopped: Promise<Answer>[] = [];
    const give = (): Promise<Answer> => {
      const answer = scene.caller.post(path, { fact: {} });
      stopped.push(answer);
      return answer;
    };
    // Until one comes while the first run goes on, which only a machine that stands still prevents.
    const refused = await eventually(async () => {
      await Promise.all(stopped);
      let over = false;
      void give().then(() => (over = true));
      await eventually(async () => over || (await poolIs({ busy: 1, waiting: 0 })));
      void give();
      await eventually(async () => over || (await poolIs({ busy: 1, waiting: 1 })));
      const answer = await give();
      if (answer.status === 504) return undefined;
      void stopped.pop();
      return answer;
    });
    expectProblem(refused, 'overloaded', { instance: path, headers: { 'Retry-After': /^[1-9]\d*$/ } });
    expect((await scene.caller.get('/logic/environments')).status).to.equal(200);
    expect((await askToken(app.baseUrl, scene.client)).status).to.equal(200);
    expect((await call(`${app.adminUrl}/healthz`)).status).to.equal(200);
    const statuses = (await Promise.all(stopped)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([504]));
    const rows: object[] = await recordedRows(testDatabase())
      .where({ workspace_id: idToBytes(scene.workspaceId) })
      .whereRaw('decision_id = ?', [idToBytes(path.split('/')[4]!)]);
    expect(rows).to.have.length(stopped.length);
  });

  it('without MySQL it is 503 dependency_unavailable with Retry-After, and health says so', async () => {
    const lost = await bootApp({ DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/nothing', DATABASE_TIMEOUT_MS: '300' });
    try {
      const path = '/logic/environments';
      const answer = await call(`${lost.baseUrl}${path}`, {
        headers: { Authorization: `Bearer ${scene.token}`, 'X-Workspace-Id': scene.workspaceId },
      });
      expectProblem(answer, 'dependency_unavailable', { instance: path, headers: { 'Retry-After': /^[1-9]\d*$/ } });
      expect(answer.text).to.not.match(/nobody|127\.0\.0\.1|ECONN|sql/i);
      const readiness = await call(`${lost.adminUrl}/readyz`);
      expect(readiness.status).to.equal(503);
      expect(readiness.body).to.deep.include({ status: 'not ready', accepting: true, mysql: 'unreachable' });
      expect((await call(`${lost.adminUrl}/healthz`)).status).to.equal(200);
    } finally {
      await lost.stop();
    }
  });

  it('a server that drains says so on the admin port while a request is still answered', async () => {
    // Long enough for a machine that stands still for a moment while the run is under way.
    const server = await startServer({ ...longTimeouts, RUN_TIMEOUT_MS: '6000' });
    const path = await deployed('last.json', waiting());
    const last = callerOf(server.baseUrl, scene.token, scene.workspaceId).post(path, { fact: {} });
    await eventually(() => poolIs({ busy: 1, waiting: 0 }, server.adminUrl));
    const ended = server.stop();
    let readiness = await call(`${server.adminUrl}/readyz`);
    while (readiness.status === 200) readiness = await call(`${server.adminUrl}/readyz`);
    expect(readiness.status).to.equal(503);
    expect(readiness.body).to.include({ status: 'draining', accepting: false });
    expect((await call(`${server.adminUrl}/healthz`)).status).to.equal(200);
    expect((await last).status).to.equal(504);
    expect(await ended, server.log()).to.equal(0);
  });

  async function poolIs(expected: { busy: number; waiting: number }, adminUrl = app.adminUrl): Promise<boolean> {
    const { body } = await call(`${adminUrl}/pool`);
    const { busy, waiting } = body as { busy: number; waiting: number };
    return busy === expected.busy && waiting === expected.waiting;
  }
});
