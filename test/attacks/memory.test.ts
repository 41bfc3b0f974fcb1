import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { doubling, endless, expressing, type Model } from '../support/models.js';
import { useServer } from '../support/process.js';
import { connect } from '../support/raw.js';
import { buildScene, logicHeaders, type Scene } from '../support/scene.js';

const mebibyte = 1024 * 1024;
/** MAX_BYTES_IN_FLIGHT of these servers. */
const capacity = 64 * mebibyte;
/** The limit of the main thread's heap, six times `capacity`: with Node's own, gigabytes here, garbage is collected late. */
const heapMb = 384;
/**
 * What `deploy/README.md` states: the server itself with its main heap's young part and its libraries; two threads with their
 * heaps; and three times what requests may hold, which is theirs, copied for a moment, and not collected yet.
 */
const maxResident = (350 + 2 * 160) * mebibyte + 3 * capacity;

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** A gzipped body of some kilobytes that unpacks to a mebibyte with so many empty objects. */
const packed = (values: number): Buffer =>
  gzipSync(`{"fact":{"l":[${Array<string>(values).fill('{}').join()}]}}`.padEnd(mebibyte));

interface Target {
  readonly scene: Scene;
  readonly path: string;
}

describe('attacks on memory', () => {
  const server = useServer(
    {
      LOG_LEVEL: 'silent',
      MAX_BYTES_IN_FLIGHT: String(capacity),
      DATABASE_TIMEOUT_MS: '30000',
      POOL_MAX_WAIT_MS: '10000',
      RUN_TIMEOUT_MS: '1000',
    },
    [`--max-old-space-size=${heapMb}`],
  );
  let sockets: Socket[];
  let largest: number;
  let watch: NodeJS.Timeout;
  beforeEach(() => {
    sockets = [];
    largest = 0;
    watch = setInterval(() => (largest = Math.max(largest, residentBytes(server.pid))), 20);
  });
  afterEach(() => {
    clearInterval(watch);
    for (const socket of sockets) socket.destroy();
  });

  const deploy = async (model: Model): Promise<Target> => {
    const scene = await buildScene(server);
    return { scene, path: (await scene.deployed('one.json', model)).path };
  };
  const request = ({ scene, path }: Target, body: Buffer, more = ''): Buffer =>
    Buffer.concat([
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}` +
          Object.entries(logicHeaders(scene))
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('') +
          `Content-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]);
  /** Statuses of the answers, one a connection; those that are paused are read only when something comes. */
  const sendAll = async (count: number, bytes: Buffer, read = true): Promise<number[]> => {
    const statuses = Array.from({ length: count }, async () => {
      const socket = await connect(Number(new URL(server.baseUrl).port));
      sockets.push(socket);
      socket.on('error', () => undefined);
      const first = new Promise<number>((resolve) => {
        socket.once('data', (data: Buffer) => {
          resolve(Number(data.toString('latin1', 9, 12)));
          if (!read) socket.pause();
        });
        socket.once('close', () => resolve(0));
      });
      socket.write(bytes);
      return first;
    });
    return Promise.all(statuses);
  };
  /** A workspace of its own that asks little, as long as the other work takes: all of it is answered. */
  const expectServed = async (quick: Target, meanwhile: Promise<unknown>): Promise<void> => {
    const state = { over: false };
    void meanwhile.finally(() => (state.over = true));
    do {
      const answer = await quick.scene.caller.post(quick.path, { fact: { x: 2 } });
      expect(answer.status, answer.text).to.equal(201);
      await sleep(20);
    } while (!state.over);
  };
  const pool = async (): Promise<string> => (await call(`${server.adminUrl}/pool`)).text;
  const heldIn = (status: string): number => (JSON.parse(status) as { bytesInFlight: number }).bytesInFlight;
  const held = async (): Promise<number> => heldIn(await pool());
  /** Where that does not come, the error says what the server is doing. */
  const allGivenBack = async (): Promise<void> => {
    let status = '';
    const wait = eventually(async () => heldIn((status = await pool())) === 0);
    await wait.catch((error: unknown) => expect.fail(`${String(error)}: ${status}`));
  };

  it('bodies of some KB that are a mebibyte unpacked, hundreds at once on a slow decision, leave the others served', async () => {
    const [slow, quick] = [await deploy(endless()), await deploy(doubling(2))];
    const attack = sendAll(isLong ? 600 : 300, request(slow, packed(190_000), 'Content-Encoding: gzip\r\n'));
    await expectServed(quick, Promise.race([attack, sleep(isLong ? 6000 : 3000)]));
    for (const socket of sockets) socket.destroy();
    expect(new Set(await attack)).to.include(503);
    expect(largest).to.be.below(maxResident);
    await allGivenBack();
  });

  it('more values than a body may hold are 400, before any is made', async () => {
    const quick = await deploy(doubling(2));
    const body = request(quick, packed(210_000), 'Content-Encoding: gzip\r\n');
    // Where the machine is busy, a thread may not read one within its second, which is no answer to the question.
    await eventually(async () => {
      const statuses = new Set(await sendAll(5, body));
      expect(statuses).to.not.include(201);
      return statuses.size === 1 && statuses.has(400);
    });
  });

  it('facts of 1 MB with results of 4 MB on 24 connections refuse no execution of another workspace', async () => {
    const large = await deploy(expressing({ y: 'map([1..4], t)' }));
    const quick = await deploy(doubling(2));
    const body = Buffer.from(JSON.stringify({ fact: { t: 'x'.repeat(mebibyte - 100) } }));
    const bytes = request(large, body);
    const attack = (async () => {
      const statuses: number[] = [];
      for (const until = performance.now() + (isLong ? 5000 : 1500); performance.now() < until;) {
        statuses.push(...(await sendAll(24, bytes)));
        for (const socket of sockets.splice(0)) socket.destroy();
      }
      return statuses;
    })();
    await expectServed(quick, attack);
    expect(new Set(await attack)).to.include(201);
    expect(largest).to.be.below(maxResident);
    await allGivenBack();
  });

  it('answers of 4 MB that nobody reads, on POST too, are bounded, and others are served', async () => {
    const large = await deploy(expressing({ y: 'map([1..4], t)' }));
    const quick = await deploy(doubling(2));
    const bytes = request(large, Buffer.from(JSON.stringify({ fact: { t: 'x'.repeat(mebibyte - 100) } })));
    // Several on each connection: the system itself takes megabytes of the first answer.
    const attack = sendAll(30, Buffer.concat([bytes, bytes, bytes, bytes]), false);
    await expectServed(quick, attack);
    expect(new Set(await attack)).to.include(503);
    // Held for as long as they are not read, and given back then.
    await eventually(async () => (await held()) >= 4 * mebibyte);
    expect(await held()).to.be.below(2 * capacity);
    expect(largest).to.be.below(maxResident);
    for (const socket of sockets) socket.destroy();
    await allGivenBack();
    // Whatever was answered first on each connection, refusals did not keep everything from being run.
    const recorded = await large.scene.caller.get('/logic/executions');
    expect((recorded.body as { data: unknown[] }).data).to.not.have.lengthOf(0);
  });

  it('bodies of 90,000 names and of 190,000 objects, one after the other, do not keep a neighbour waiting', async () => {
    const [villain, neighbour] = [await deploy(doubling(2)), await deploy(doubling(2))];
    const names = Array.from({ length: 90_000 }, (_, at) => `"${at}":0`).join();
    const bodies = [
      request(villain, Buffer.from(`{"fact":{"x":1,${names}}}`)),
      request(villain, packed(190_000), 'Content-Encoding: gzip\r\n'),
    ];
    const runs = isLong ? 40 : 20;
    const medianMs = async (): Promise<number> => {
      const times: number[] = [];
      for (let run = 0; run < runs; run++) {
        const sent = performance.now();
        expect((await neighbour.scene.caller.post(neighbour.path, { fact: { x: 2 } })).status).to.equal(201);
        times.push(performance.now() - sent);
      }
      return times.sort((a, b) => a - b)[runs >> 1] ?? 0;
    };
    await medianMs();
    const alone = await medianMs();
    const state = { over: false };
    const attack = bodies.map(async (bytes) => {
      while (!state.over) {
        await sendAll(2, bytes);
        for (const socket of sockets.splice(0)) socket.destroy();
      }
    });
    const beside = await medianMs();
    state.over = true;
    await Promise.all(attack);
    expect(beside / Math.max(alone, 5)).to.be.below(15);
  });
});
