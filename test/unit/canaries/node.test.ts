import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { asEngineError } from '../../../workers/engine/errors.js';

/** What is relied on and not documented: a new Node that breaks it fails here first. */
describe('undocumented parts of Node', () => {
  const listen = (server: Server): Promise<number> =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  it('http: `httpAllowHalfOpen` lets a client that has ended its side have its answer (src/http/server/server.ts)', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('late'), 50));
    Object.assign(server, { httpAllowHalfOpen: true });
    const socket = connect(await listen(server), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
    server.close();
  });

  it('http: `close` asks the server’s own `closeIdleConnections`, which may be replaced (src/http/server/server.ts)', async () => {
    const server = createServer();
    await listen(server);
    let asked = 0;
    server.closeIdleConnections = () => {
      asked++;
    };
    await new Promise((resolve) => server.close(resolve));
    expect(asked).to.equal(1);
  });

  it('v8: `--max-semi-space-size=0` after the start gives way to a thread’s own limits (src/admission/pool/thread.ts)', async () => {
    const heapMb = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const source = `require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)`;
        const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
        const worker = new Worker(source, { eval: true, resourceLimits });
        worker.once('message', (bytes) => resolve(Number(bytes) / 2 ** 20)).once('error', reject);
      });
    setFlagsFromString('--max-semi-space-size=64');
    const without = await heapMb();
    setFlagsFromString('--max-semi-space-size=0');
    const own = await heapMb();
    expect(own).to.be.within(64, 64 * 1.375);
    expect(without).to.be.greaterThan(own);
  });

  it('v8: a full stack is a RangeError whose message says so (workers/engine/errors.ts)', () => {
    const deeper = (): number => 1 + deeper();
    try {
      deeper();
      expect.fail('a stack without an end');
    } catch (error) {
      expect(asEngineError(error)?.code).to.equal('limit_depth');
    }
    expect(asEngineError(new RangeError('Invalid array length'))).to.equal(undefined);
  });

  it('cluster: a process whose listeners of `disconnect` are replaced ends by its own when its primary lets go (src/supervise/childAgent.ts)', async () => {
    const program = `
      const cluster = require('node:cluster');
      if (cluster.isPrimary) {
        const worker = cluster.fork();
        worker.once('message', () => worker.process.disconnect());
      } else {
        process.removeAllListeners('disconnect');
        process.on('disconnect', () => setTimeout(() => { console.log('closed in order'); process.exit(0); }, 100));
        process.send('ready');
        setInterval(() => {}, 1000);
      }`;
    const folder = await mkdtemp(join(tmpdir(), 'canary-'));
    const file = join(folder, 'cluster.cjs');
    await writeFile(file, program);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
    await rm(folder, { recursive: true });
    expect(stdout).to.equal('closed in order\n');
  });
});
