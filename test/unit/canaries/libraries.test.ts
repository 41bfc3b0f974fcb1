import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from 'ioredis';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { Piscina } from 'piscina';
import { Registry, type Metric } from 'prom-client';
import { RE2JS } from 're2js';
import { expect } from 'chai';
import { buildConnector } from 'undici';
import { merge } from '../../../src/admin/metrics/snapshot.js';

/** What is relied on and not documented: an upgrade of a library that breaks it fails here first. */
describe('private parts of libraries', () => {
  it('piscina: `workerDestroy` is told before the task of a worker that died is rejected (src/admission/pool/thread.ts)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'canary-'));
    const filename = join(folder, 'worker.mjs');
    await writeFile(filename, 'export default () => process.exit(1);');
    const pool = new Piscina({ filename, minThreads: 0, maxThreads: 1, atomics: 'disabled' });
    const heard: string[] = [];
    pool.once('workerDestroy', () => heard.push('destroyed'));
    await pool.run(undefined).catch(() => heard.push('rejected'));
    expect(heard).to.deep.equal(['destroyed', 'rejected']);
    await pool.destroy();
    await rm(folder, { recursive: true });
  });

  it('re2js: a pattern shows its instructions, and matches without its copies for one pass (workers/engine/zen/pattern.ts)', () => {
    const compiled = RE2JS.compile('([a-z]+)-([0-9]+)');
    const re2 = compiled.re2() as { prog: { inst: readonly { runes: { length: number } | null }[] } };
    const instructions = re2.prog.inst;
    expect(instructions.length).to.be.greaterThan(5);
    expect(instructions.some(({ runes }) => runes !== null && runes.length > 0)).to.equal(true);
    expect(re2).to.have.property('onepass');
    Reflect.set(re2, 'onepass', null);
    expect(compiled.matches('abc-12')).to.equal(true);
    expect(compiled.matches('abc-')).to.equal(false);
  });

  it('prom-client: a registry asks of a metric its name and `get`, and adds up what several gave (src/admin/metrics)', async () => {
    const values = [{ value: 2, labels: {} }];
    const own = {
      name: 'own',
      get: () => Promise.resolve({ name: 'own', help: 'h', type: 'counter', aggregator: 'sum', values }),
    };
    const registry = new Registry();
    registry.registerMetric(own as unknown as Metric);
    const snapshot = await registry.getMetricsAsJSON();
    expect(await registry.metrics()).to.include('\nown 2');
    const [merged] = await merge([snapshot, snapshot]);
    expect(merged).to.have.nested.property('values[0].value', 4);
  });

  it('ioredis: a cluster has a table of its slots from the start (src/storage/redisClients.ts)', () => {
    const cluster = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
    expect(cluster.slots).to.be.an('array');
    cluster.disconnect();
  });

  it('koa-body: with an empty `encoding` a text is given as its bytes (src/http/body/body.ts)', async () => {
    let body: unknown;
    const app = new Koa();
    app.use(koaBody({ json: false, urlencoded: false, text: true, textTypes: ['application/json'], encoding: '' }));
    app.use((ctx) => {
      ({ body } = ctx.request as { body?: unknown });
      ctx.status = 204;
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"ü":1}',
    });
    server.close();
    expect(Buffer.isBuffer(body)).to.equal(true);
    expect(String(body)).to.equal('{"ü":1}');
  });

  it('undici: a connector hands `lookup` and `signal` on to net.connect (workers/outbound/connector.ts)', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked: string[] = [];
    const stop = new AbortController();
    const lookup = (name: string, _options: unknown, done: (error: null, found: object[]) => void): void => {
      asked.push(name);
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const open = buildConnector({ timeout: 10_000, ...{ lookup, signal: stop.signal } } as buildConnector.BuildOptions);
    const target = { hostname: 'canary.test', host: `canary.test:${port}`, protocol: 'http:', port: String(port) };
    const failed = await new Promise<unknown>((resolve) => {
      open(target, (_error, socket) => {
        if (socket === null) {
          resolve('not connected');
          return;
        }
        socket.once('error', (error: Error) => resolve(error.name));
        stop.abort();
      });
    });
    expect(asked).to.deep.equal(['canary.test']);
    expect(failed).to.equal('AbortError');
    server.close();
  });
});
