import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { idFromBytes, idToBytes } from '../../src/storage/ids.js';
import { eventually } from '../support/eventually.js';
import { callerOf, type Caller } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { startService, type Service } from '../support/service.js';
import { staleRuns, type Change, type Run } from './staleness.js';
import { faultSeconds, tell } from './table.js';
import { recordedRows } from '../support/records.js';

const duringMs = faultSeconds > 0 ? faultSeconds * 1000 : 2000;
const afterMs = faultSeconds > 0 ? 2000 : 1500;
const loopsOfEach = 3;

interface Fault {
  readonly name: string;
  begin(): void | Promise<void>;
  end(): void | Promise<void>;
}

describe('routing under load, on two processes', function () {
  this.timeout(300_000 + 2 * duringMs);
  let redis: Service;
  let servers: [ServerProcess, ServerProcess];
  let scene: Scene;
  let decisionId: string;
  let callers: readonly Caller[];

  before(async () => {
    redis = await startService('redis');
    // At the usual pace: what is promised about time is what is measured.
    const settings = { ...longTimeouts, REDIS_URL: redis.url, LOG_LEVEL: 'warn', TEST_PACE: '1' };
    servers = await Promise.all([startServer(settings), startServer(settings)]);
    scene = await buildScene(servers[0]);
    callers = servers.map(({ baseUrl }) => callerOf(baseUrl, scene.token, scene.workspaceId));
    decisionId = await scene.decision('route.json', doubling(1));
    await scene.decision('route.json', doubling(2));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await redis.end();
  });

  /** Deploys, to either process in turn, until told to stop. */
  async function changeRouting(environmentId: string, changes: Change[], going: () => boolean): Promise<void> {
    for (let turn = 0; going(); turn++) {
      // Several by one process, so that the other one hears of them by news alone; some close together, some far apart.
      const by = Math.floor(turn / 4) % 2;
      const body = { decisionId, environmentId, version: (turn % 2) + 1, name: 'D', deployedBy: 'test' };
      const answer = await callers[by]!.post('/logic/deployments', body);
      expect(answer.status, answer.text).to.equal(201);
      changes.push({ by, answered: performance.now(), deploymentId: (answer.body as { id: string }).id });
      await sleep([20, 100, 400, 1300][turn % 4]);
    }
  }

  async function run(environmentId: string, at: number, runs: Run[], going: () => boolean): Promise<void> {
    while (going()) {
      const sent = performance.now();
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      const answer = await callers[at]!.post(path, { fact: { x: 1 } });
      expect(answer.status, answer.text).to.equal(201);
      runs.push({ at, sent, received: performance.now(), id: (answer.body as { id: string }).id });
      await sleep(faultSeconds > 0 ? 5 : 120);
    }
  }

  async function tryFault(fault: Fault): Promise<void> {
    const environmentId = await scene.environment();
    await scene.deploy(decisionId, environmentId, 1);
    let isGoing = true;
    const going = (): boolean => isGoing;
    const changes: Change[] = [];
    const runs: Run[] = [];
    const loops = [
      changeRouting(environmentId, changes, going),
      ...[0, 1].flatMap((at) => Array.from({ length: loopsOfEach }, () => run(environmentId, at, runs, going))),
    ];
    await fault.begin();
    await sleep(duringMs);
    await fault.end();
    await sleep(afterMs);
    // A slow machine takes longer for as many.
    const enough = eventually(() => changes.length > 4 && runs.length > changes.length).catch(() => undefined);
    await Promise.race([enough, Promise.all(loops)]);
    isGoing = false;
    await Promise.all(loops);
    const { faults, slowestMs } = staleRuns(changes, runs, await deploymentsOf(environmentId));
    tell(`${fault.name}: ${changes.length} changes, ${runs.length} executions, oldest routing ${slowestMs} ms`);
    expect(faults).to.deep.equal([]);
    expect(changes.length).to.be.greaterThan(4);
    expect(runs.length).to.be.greaterThan(changes.length);
  }

  /** Of each recorded execution, by its id. */
  async function deploymentsOf(environmentId: string): Promise<Map<string, string>> {
    const rows = (await recordedRows(testDatabase())
      .select('id', 'deployment_id')
      .where('environment_id', idToBytes(environmentId))) as { id: Buffer; deployment_id: Buffer }[];
    return new Map(rows.map((row) => [idFromBytes(row.id), idFromBytes(row.deployment_id)]));
  }

  const pass = (): void => {
    redis.proxy.reset();
    redis.proxy.pass();
  };
  const faults: readonly Fault[] = [
    { name: 'nothing wrong', begin: () => undefined, end: () => undefined },
    { name: 'Redis killed and started again', begin: () => redis.kill(), end: () => redis.restart() },
    { name: 'Redis stopped, and awake with what it knew', begin: () => redis.freeze(), end: () => redis.thaw() },
    { name: 'Redis in a black hole', begin: () => redis.proxy.hole(), end: pass },
    { name: 'Redis hears, and is not heard', begin: () => redis.proxy.mute(), end: pass },
    { name: 'Redis 200 ms away', begin: () => redis.proxy.pass(100), end: pass },
    {
      name: 'connections to Redis reset, again and again',
      async begin() {
        for (let times = 0; times < 10; times++) {
          redis.proxy.reset();
          await sleep(100);
        }
      },
      end: pass,
    },
    {
      name: 'a process stopped, and awake with what it knew',
      begin: () => void process.kill(servers[1].pid, 'SIGSTOP'),
      end: () => void process.kill(servers[1].pid, 'SIGCONT'),
    },
  ];

  for (const fault of faults) {
    it(`${fault.name}: nothing runs on routing older than promised`, () => tryFault(fault));
  }
});
