import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startServices, type Services } from '../../db/services/start.js';
import { callerOf } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { allowedMs } from '../support/environment.js';

/** What contract.md promises. */
const promisedMs = 1000;

describe('two server processes on one MySQL and Redis', () => {
  let redis: Services;
  let one: ServerProcess;
  let two: ServerProcess;
  let scene: Scene;
  let decisionId: string;
  before(async () => {
    // A Redis of this test's own: it is stopped on the way.
    redis = await startServices({
      dir: mkdtempSync(join(tmpdir(), 'verdict-two-')),
      databaseUrl: process.env.DATABASE_URL,
      throwAway: true,
      say: () => undefined,
    });
    const settings = { ...longTimeouts, REDIS_URL: redis.redisUrl ?? '' };
    [one, two] = await Promise.all([startServer(settings), startServer(settings)]);
    scene = await buildScene(one);
    decisionId = await scene.decision('factor.json', doubling(1));
    for (let factor = 2; factor <= 6; factor++) await scene.decision('factor.json', doubling(factor));
  });
  after(async () => {
    await Promise.all([one, two].map((server) => server.stop()));
    await redis.stop();
  });

  const executeAt = async (server: ServerProcess, environmentId: string): Promise<number | string> => {
    const caller = callerOf(server.baseUrl, scene.token, scene.workspaceId);
    const answer = await caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x: 1 } });
    const body = answer.body as { result?: { y: number }; code?: string };
    return body.result?.y ?? body.code ?? answer.status;
  };

  /**
   * Asks until the answer is the expected one; gives the milliseconds until the last request that got another one was
   * sent. What is sent before the promised time may be answered either way, however long the answer takes.
   */
  async function heardAfter(server: ServerProcess, environmentId: string, expected: number | string): Promise<number> {
    const started = performance.now();
    let last = 0;
    for (;;) {
      const sent = performance.now();
      const got = await executeAt(server, environmentId);
      if (got === expected) return last;
      last = sent - started;
      if (last > 3 * allowedMs(promisedMs)) throw new Error(`still ${got}, not ${expected}`);
      await sleep(10);
    }
  }

  it('a deployment made through one is used by the other within a second; at once by the one that answered', async () => {
    const environmentId = await scene.environment();
    await scene.deploy(decisionId, environmentId, 1);
    expect(await executeAt(one, environmentId)).to.equal(1);
    expect(await heardAfter(two, environmentId, 1)).to.be.lessThan(allowedMs(promisedMs));
    await scene.deploy(decisionId, environmentId, 2);
    expect(await executeAt(one, environmentId)).to.equal(2);
    expect(await heardAfter(two, environmentId, 2)).to.be.lessThan(allowedMs(promisedMs));
  });

  it('a deletion is heard as soon', async () => {
    const environmentId = await scene.environment();
    const id = await scene.deploy(decisionId, environmentId, 1);
    // Asked for at the other before it is removed, without leaving history at the deployment: of another decision's pair.
    expect(await executeAt(two, await scene.environment())).to.equal('routing_not_found');
    expect((await scene.caller.delete(`/logic/deployments/${id}`)).status).to.equal(204);
    expect(await heardAfter(two, environmentId, 'routing_not_found')).to.be.lessThan(allowedMs(promisedMs));
  });

  it('also with Redis hanging, killed, and back in between', async () => {
    const environmentId = await scene.environment();
    const pid = redis.pids.redis!;
    await scene.deploy(decisionId, environmentId, 1);
    expect(await heardAfter(two, environmentId, 1)).to.be.lessThan(allowedMs(promisedMs));

    process.kill(pid, 'SIGSTOP');
    try {
      await scene.deploy(decisionId, environmentId, 2);
      expect(await executeAt(one, environmentId)).to.equal(2);
      expect(await heardAfter(two, environmentId, 2)).to.be.lessThan(allowedMs(promisedMs));
      await scene.deploy(decisionId, environmentId, 3);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    // Redis wakes up with what it knew before: nobody may believe it for longer than promised.
    expect(await executeAt(one, environmentId)).to.equal(3);
    expect(await heardAfter(two, environmentId, 3)).to.be.lessThan(allowedMs(promisedMs));

    process.kill(pid, 'SIGKILL');
    await scene.deploy(decisionId, environmentId, 4);
    expect(await executeAt(one, environmentId)).to.equal(4);
    expect(await heardAfter(two, environmentId, 4)).to.be.lessThan(allowedMs(promisedMs));
    expect(await executeAt(two, environmentId)).to.equal(4);
  });
});
