import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { isLong } from '../support/environment.js';
import { expressing } from '../support/models.js';
import { useServer } from '../support/process.js';
import { buildScene, logicHeaders } from '../support/scene.js';

const mebibyte = 1024 * 1024;
/** What a process may have more than before once it was left alone, and how long that may take. */
const factor = 1.3;
const quietMs = 10 * 60_000;

/** What a process has, or the most that it has had. */
const residentBytes = (pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('resident memory after a flood', function () {
  this.timeout(quietMs + 300_000);
  const server = useServer({ LOG_LEVEL: 'silent', DATABASE_TIMEOUT_MS: '30000', POOL_MAX_WAIT_MS: '10000' });

  it('comes back within ten minutes without a flood', async () => {
    const scene = await buildScene(server);
    const { decisionId, environmentId } = await scene.deployed('one.json', expressing({ y: 'map([1..4], t)' }));
    const url = `${server.baseUrl}/logic/${environmentId}/decisions/${decisionId}/executions`;
    const packed = gzipSync(`{"fact":{"l":[${Array<string>(190_000).fill('{}').join()}]}}`.padEnd(mebibyte));
    const large = Buffer.from(JSON.stringify({ fact: { t: 'x'.repeat(mebibyte - 100) } }));
    const small = Buffer.from('{"fact":{"t":"x"}}');
    let answered = 0;
    const send = async (body: Buffer<ArrayBuffer>, encoding: Record<string, string> = {}): Promise<void> => {
      const headers = { ...logicHeaders(scene), 'Content-Type': 'application/json', ...encoding };
      await fetch(url, { method: 'POST', headers, body })
        .then((answer) => answer.arrayBuffer())
        .then(() => answered++)
        .catch(() => undefined);
    };
    // What a server takes that serves small executions as fast as they come, and now and then one of these.
    const serve = async (): Promise<void> => {
      for (let run = 0; run < (isLong ? 300 : 100); run++) await send(small);
      await send(large);
    };
    await Promise.all(Array.from({ length: 8 }, serve));
    await send(packed, { 'Content-Encoding': 'gzip' });
    const before = residentBytes(server.pid);
    answered = 0;
    const least = 32;
    const until = performance.now() + (isLong ? 60_000 : 2500);
    const flood = async (_: unknown, at: number): Promise<void> => {
      while (performance.now() < until || answered <= least) {
        if (at % 2 === 0) await send(large);
        else await send(packed, { 'Content-Encoding': 'gzip' });
      }
    };
    await Promise.all(Array.from({ length: 16 }, flood));
    const during = residentBytes(server.pid, 'VmHWM');
    // How much memory a flood takes is the machine's. That it was one, its answers show.
    expect(answered, 'requests of the flood that were answered').to.be.above(least);
    // What a server has before differs by a third from one to the next: in the short form half of what the flood took comes back.
    const most = isLong ? factor * before : Math.max(factor * before, (before + during) / 2);
    const since = performance.now();
    while (residentBytes(server.pid) > most && performance.now() - since < quietMs) {
      await sleep(1000);
      // V8 collects garbage as more is made: a server whom nobody asks anything at all may keep what it had.
      if (performance.now() - since > 20_000) await serve();
    }
    expect(residentBytes(server.pid), `${before} before, ${during} in the flood`).to.be.at.most(most);
  });
});
