import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Pool } from '../../src/admission/pool/pool.js';
import { runOnThread } from '../../src/runs/runOnThread.js';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { allowedMs, isLong } from '../support/environment.js';
import { bootPool, closePools } from '../support/pools.js';
import { startStopwatch } from '../support/stopwatch.js';
import { chain, expressions, script, taskOf, type TaskParts, type TestNode } from '../support/tasks.js';
import { attacks, handler, type End } from './attacks.js';

const worker = new URL('../../workers/thread/run.js', import.meta.url);
const runTimeoutMs = isLong ? 1000 : 200;
const longTimeoutMs = 60_000;
/** From the time limit until a thread that does not stop itself is gone: a second, and ten times that on a busy machine. */
const graceMs = 10_000;
/** What ends by another limit does so soon, as processor time tells on any machine: twice, as two of it may work at once. */
const soonMs = 2000;

function endOf(reply: RunDone | RunStopped): End {
  if (reply.kind === 'stopped') return reply.reason;
  return reply.error === null ? 'ok' : (JSON.parse(reply.error) as { code: string }).code;
}

async function runIn(pool: Pool, nodes: readonly TestNode[], parts: TaskParts = {}): Promise<RunDone | RunStopped> {
  const { bundle = '', configuration = '{}', timeoutMs: _, ...request } = taskOf(chain(...nodes), parts);
  return runOnThread(pool, request, () => Promise.resolve({ bundle, configuration }));
}

/** The pool still gives right answers, with a prototype's key that nobody has set. */
async function expectSound(pool: Pool): Promise<void> {
  const next = await runIn(pool, [expressions({ doubled: 'n * 2', other: "missing.doubled ?? 'none'" })], {
    fact: { n: 21 },
  });
  expect(next).to.include({ status: 'COMPLETED', result: '{"doubled":42,"other":"none"}' });
  const scripted = await runIn(pool, [handler('return { list: [1, 2].map((x) => x * 2), stray: ({}).doubled ?? 0 }')]);
  expect(scripted).to.include({ status: 'COMPLETED', result: '{"list":[2,4],"stray":0}' });
}

describe('hostile models on the real pool', () => {
  let hasty: Pool;
  /** For what is to end by another limit than that of time, on a slow machine too. */
  let unhurried: Pool;
  before(async () => {
    hasty = await bootPool({ worker, runTimeoutMs, runMaxHeapMb: 64 });
    unhurried = await bootPool({ worker, runTimeoutMs: longTimeoutMs, runMaxHeapMb: 64 });
  });
  after(closePools);

  for (const [name, { nodes, end, result, ...parts }] of Object.entries(attacks)) {
    it(`${name} ends within its limits, and the next run is right`, async () => {
      const pool = end === 'timeout' ? hasty : unhurried;
      hasty.resize({ runTimeoutMs });
      const watch = startStopwatch();
      const before = process.cpuUsage();
      const reply = await runIn(pool, nodes, parts);
      const { user, system } = process.cpuUsage(before);
      expect(endOf(reply), JSON.stringify(reply).slice(0, 500)).to.equal(end);
      // What ends by itself is judged by what it computes: a busy machine may take any time for that.
      const tookMs = watch.stop();
      if (end === 'timeout') expect(tookMs).to.be.below(runTimeoutMs + allowedMs(graceMs));
      else expect((user + system) / 1000).to.be.below(allowedMs(soonMs));
      if (result !== undefined) expect(JSON.parse((reply as RunDone).result)).to.deep.equal(result);
      // Right, however long it takes: a function's first run on a fresh thread of a busy machine takes half a second.
      pool.resize({ runTimeoutMs: longTimeoutMs });
      await expectSound(pool);
    });
  }

  it('a giant trace is cut and says so', async () => {
    const { nodes } = attacks['a giant trace']!;
    const reply = await runIn(unhurried, nodes, { traced: true });
    if (reply.kind !== 'done') throw new Error('stopped');
    expect(Buffer.byteLength(reply.trace ?? '')).to.be.within(100, 1024 * 1024);
    expect(reply.trace).to.include('"truncated":true');
  });
});

describe('secrets that a hostile model sends out', () => {
  const secret = 'hunter2-Swordfish/õ"42';
  const configuration = { variables: { KEY: secret }, secrets: ['KEY'] };
  const bytes = Buffer.from(secret);
  /** How each way of encoding it looks in a text. */
  const forms: Readonly<Record<string, { readonly code: string; readonly looks: string }>> = {
    'as it is': { code: 'k', looks: 'Swordfish' },
    'in URL encoding': { code: 'encodeURIComponent(k)', looks: 'Swordfish' },
    'in JSON inside JSON': { code: 'JSON.stringify(JSON.stringify(k))', looks: 'Swordfish' },
    'in base64': { code: 'base64(k)', looks: bytes.toString('base64').slice(0, 20) },
    'in hexadecimal': { code: 'hex(k)', looks: bytes.toString('hex').slice(0, 30) },
  };
  const prelude = `
    const utf8 = (s) => [...unescape(encodeURIComponent(s))].map((c) => c.charCodeAt(0));
    const hex = (s) => utf8(s).map((b) => b.toString(16).padStart(2, '0')).join('');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const base64 = (s) => {
      const b = utf8(s); let out = '';
      for (let i = 0; i < b.length; i += 3) {
        const n = (b[i] << 16) | ((b[i + 1] ?? 0) << 8) | (b[i + 2] ?? 0);
        out += alphabet[n >> 18] + alphabet[(n >> 12) & 63] + (i + 1 < b.length ? alphabet[(n >> 6) & 63] : '=') + (i + 2 < b.length ? alphabet[n & 63] : '=');
      }
      return out;
    };`;
  let pool: Pool;
  before(async () => {
    pool = await bootPool({ worker });
  });
  after(closePools);

  for (const [name, { code, looks }] of Object.entries(forms)) {
    it(`are found ${name}, in errors, logs, traces and what is recorded`, async () => {
      const give = (rest: string): TestNode =>
        script(
          `${prelude} export const handler = async (input) => { const k = input.$env.KEY; const out = ${code}; console.log(out, [out]); ${rest} }`,
        );
      const failed = await runIn(pool, [give('throw new Error(out)')], { configuration, traced: true });
      expect(endOf(failed)).to.equal('function_failed');
      expect(JSON.stringify(failed)).not.to.include(looks);
      const done = await runIn(pool, [give('return { out }')], { configuration, traced: true });
      if (done.kind !== 'done') throw new Error('stopped');
      expect(done.status).to.equal('COMPLETED');
      expect(JSON.stringify({ ...done, result: '' })).not.to.include(looks);
    });
  }
});

describe('calls of hostile models to private addresses', () => {
  let server: Server;
  let pool: Pool;
  let met = 0;
  before(async () => {
    server = createServer((_request, response) => {
      met++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    pool = await bootPool({ worker, runTimeoutMs: 60_000 });
  });
  after(async () => {
    await closePools();
    server.close();
  });

  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    '169.254.169.254',
  ]) {
    it(`are refused, though the environment allows it: ${host}`, async () => {
      const { port } = server.address() as AddressInfo;
      const call = script(`import http from 'http';
        export const handler = async () => (await http.get('http://${host}:${port}/')).data`);
      const names = [host, '127.0.0.1', 'localhost', '[::1]', '::1'];
      const reply = await runIn(pool, [call], { configuration: { httpHosts: names } });
      expect(endOf(reply), JSON.stringify(reply).slice(0, 300)).to.equal('function_failed');
      expect(met).to.equal(0);
    });
  }
});
