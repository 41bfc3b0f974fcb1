import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, isPortFree } from '../../db/services/ports.js';
import type { PoolsStatus } from '../../src/admin/administered.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { startLoad, type LoadOptions } from '../support/load.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, testDatabase } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { startStopwatch } from '../support/stopwatch.js';
import { describeChurn } from './connectionChurn.js';
import { describeDescriptors } from './descriptors.js';
import { faultSeconds } from './table.js';
import { heldAgainst, tryFault } from './trial.js';
import { bodyOf } from '../support/asserts.js';

/** What a drain is promised to end within. */
const drainMs = 10_000;

describe('two server processes under a primary', () => {
  let server: ServerProcess;
  /** What they said of themselves while they started. */
  const seen: unknown[] = [];
  let load: LoadOptions;
  before(async () => {
    const adminPort = await freePort();
    const settings = { ...longTimeouts, HTTP_PROCESSES: '2', ADMIN_PORT: String(adminPort), LOG_LEVEL: 'warn' };
    const starting = startServer(settings);
    for (let ready = false; !ready;) {
      await sleep(20);
      const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined);
      if (response === undefined) continue;
      seen.push(await response.json());
      ready = response.ok;
    }
    server = await starting;
    const scene = await buildScene(server);
    const { decisionId, environmentId } = await scene.deployed('supervised.json', doubling(2));
    await scene.settled();
    load = {
      url: `${server.baseUrl}/logic/${environmentId}/decisions/${decisionId}/executions`,
      headers: { Authorization: `Bearer ${scene.token}`, 'X-Workspace-Id': scene.workspaceId },
      loops: 8,
      // The machine is shared in `make test`.
      pauseMs: faultSeconds > 0 ? 5 : 100,
    };
  });
  after(() => server.stop());

  const pools = async (): Promise<PoolsStatus> => (await call(`${server.adminUrl}/pool`)).body as PoolsStatus;
  const pids = async (): Promise<number[]> => (await pools()).processes.map(({ pid }) => pid).sort();

  /** Waits until two processes serve, none of them the given one. */
  async function replaced(pid: number): Promise<number> {
    const start = performance.now();
    for (;;) {
      const present = await pids();
      if (present.length === 2 && !present.includes(pid)) return performance.now() - start;
      if (performance.now() - start > 60_000) throw new Error(`still ${present.join()}`);
      await sleep(50);
    }
  }

  it('say that they start until they do, and nothing of MySQL, which nobody has asked yet', () => {
    expect(seen[0]).to.deep.equal({ status: 'starting', accepting: false, mysql: 'unknown', redis: 'unknown' });
    expect(seen.at(-1)).to.deep.equal({ status: 'ready', accepting: true, mysql: 'ok', redis: 'ok' });
  });

  it('serve on one port, and are asked as one', async () => {
    expect(await pids()).to.have.length(2);
    expect(await pids()).to.not.include(server.pid);
    const { body } = await call(`${server.adminUrl}/readyz`);
    expect(body).to.deep.equal({ status: 'ready', accepting: true, mysql: 'ok', redis: 'ok' });
    expect((await call(`${server.adminUrl}/healthz`)).status).to.equal(200);
    // A process keeps the connections that it took, and any of the two may take each.
    const executeOnItsOwn = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { ...load.headers, 'Content-Type': 'application/json' };
        request(load.url, { method: 'POST', agent: false, headers }, (response) =>
          response.resume().once('end', resolve),
        )
          .once('error', reject)
          .end('{"fact":{"x":1}}');
      });
    await eventually(async () => {
      await Promise.all(Array.from({ length: 4 }, executeOnItsOwn));
      return (await pools()).processes.every((process) => process.served > 0);
    });
    const { served, processes } = await pools();
    for (const process of processes) expect(process.served).to.be.greaterThan(0);
    expect(processes[0]!.served + processes[1]!.served).to.equal(served);
  });

  it('tell of the pools of all of them, whichever is asked: GET /logic/pool', async () => {
    const read = (): Promise<unknown> => call(`${server.baseUrl}/logic/pool`, { headers: load.headers });
    for (let asked = 0; asked < 4; asked++) {
      const { status, body } = (await read()) as { status: number; body: PoolsStatus };
      expect(status).to.equal(200);
      expect(body.processes.map(({ pid }) => pid).sort()).to.deep.equal(await pids());
      expect(body.threads).to.equal(body.processes.reduce((sum, { threads }) => sum + threads, 0));
    }
  });

  it('kill -9 of one under load: the other answers, the dead one is back, nothing acknowledged is lost', async () => {
    let victim = 0;
    const fault = {
      name: 'kill -9 of a server process',
      begin: async () => {
        [victim = 0] = await pids();
        process.kill(victim, 'SIGKILL');
      },
      end: async () => {
        await replaced(victim);
      },
      // A connection that the dead process held ends without an answer.
      allowed: ['network'],
    };
    const memory = async (): Promise<number> => (await pools()).memory.rss;
    const times = { beforeMs: 1000, duringMs: 200, afterMs: 8000 };
    const outcome = await tryFault({ fault, load, database: testDatabase(), memory, ...times });
    expect(outcome.violations, JSON.stringify(outcome)).to.deep.equal([]);
    // What it had under way, and no more.
    expect(outcome.errors.network ?? 0).to.be.lessThan(2 * load.loops + 1);
  });

  it('PATCH /pool reaches every process, and those that start later, on the same port, after kill -9 of both', async () => {
    const url = `${server.adminUrl}/pool`;
    const changes = { minThreads: 1, maxThreads: 3, maxQueue: 77, runTimeoutMs: 1234 };
    expect(bodyOf(await call(url, { method: 'PATCH', body: changes }))).to.include(changes);
    const reached = async (): Promise<void> => {
      const { processes } = await pools();
      expect(processes).to.have.length(2);
      for (const process of processes) expect(process).to.include(changes);
    };
    await reached();
    const both = await pids();
    for (const pid of both) process.kill(pid, 'SIGKILL');
    for (const pid of both) await replaced(pid);
    await reached();
    expect((await call(load.url, { method: 'POST', headers: load.headers, body: { fact: { x: 1 } } })).status).to.equal(
      201,
    );

    const refused = await call(url, { method: 'PATCH', body: { minThreads: 4 } });
    expect(refused.status).to.equal(400);
    expect(refused.body).to.have.nested.property('errors[0].pointer', '/minThreads');
    await reached();
  });

  describe('killed while connections come and go', () => describeChurn(() => server));

  describe('without a free descriptor', () => describeDescriptors(() => server));

  it('one that hangs is killed and replaced', async function () {
    // It takes ten seconds to be sure that it hangs.
    if (faultSeconds === 0) this.skip();
    const [victim = 0] = await pids();
    process.kill(victim, 'SIGSTOP');
    await replaced(victim);
  });

  it('a port that is taken is said, and nothing is left running', async () => {
    const { port } = new URL(server.baseUrl);
    const failure: unknown = await startServer({ HTTP_PROCESSES: '2', PORT: port }).catch((error: unknown) => error);
    expect(String(failure)).to.contain('ended with 1').and.to.contain('Another program has that port');
  });

  // After those before it: tests of a suite come before its suites.
  describe('in the end', () => {
    it('SIGTERM under load drains both within the limit; what was acknowledged is recorded', async () => {
      const running = startLoad(load);
      await eventually(() => running.endings.some(({ id }) => id !== undefined));
      await sleep(700);
      const watch = startStopwatch();
      const code = server.stop();
      await sleep(300);
      await running.stop();
      expect(await code, server.log()).to.equal(0);
      expect(watch.stop()).to.be.lessThan(drainMs);
      expect(await heldAgainst(testDatabase(), running)).to.deep.equal({ lost: 0, duplicates: 0 });
      expect(running.endings.filter(({ id }) => id !== undefined)).to.not.be.empty;
      expect(await isPortFree(Number(new URL(server.baseUrl).port))).to.equal(true);
    });
  });
});
