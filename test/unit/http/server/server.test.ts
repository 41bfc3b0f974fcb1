import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import { listen, type ListenOptions, type Listening } from '../../../../src/http/server/server.js';
import type { RequestState } from '../../../../src/http/server/context.js';
import { eventually } from '../../../support/eventually.js';
import { connect } from '../../../support/raw.js';
import { allowedMs } from '../../../support/environment.js';

const answerBytes = 32 * 1024 * 1024;
/** Longer than any of these takes. */
const drainMs = 300_000;

/** `/long` answers much; else the answer is the length of the body, read late (`/late`) or in one piece (`/present`). */
async function open(options: Partial<ListenOptions> = {}, lateMs = 0): Promise<Listening> {
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path === '/long') ctx.body = Buffer.alloc(answerBytes, 'x');
    else if (ctx.path === '/present') {
      await Promise.resolve();
      ctx.body = String((ctx.req.read() as Buffer).length);
    } else {
      if (ctx.path === '/late') await sleep(lateMs);
      let length = 0;
      for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
        length += chunk.length;
      }
      ctx.body = String(length);
    }
  });
  return listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }), ...options });
}

/** All that came, once the connection is closed. */
const ended = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });

const request = (path: string, length = 0): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

describe('a server to which many connect at once', () => {
  it('has the system keep all of their connections until it takes them: none has to try again', async function () {
    const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
    if (most < 1000) return this.skip();
    const server = await open();
    const sockets = Array.from({ length: 900 }, () => createConnection({ port: server.port, host: '127.0.0.1' }));
    for (const socket of sockets) socket.on('error', () => undefined);
    // Each of them asks the system in the next tick; the server, in the same process, can take none before the next turn.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const unanswered = connectionsTo(server.port, synSent);
    for (const socket of sockets) socket.destroy();
    await server.close(0);
    expect(unanswered).to.equal(0);
  });
});

/** The state of a connection that was asked for and not answered, as the system's table has it. */
const synSent = '02';

function connectionsTo(port: number, state: string): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} ${state} `;
  return readFileSync('/proc/net/tcp', 'utf8').split(remote).length - 1;
}

describe('a server whose clients do not read', () => {
  let server: Listening;
  let socket: Socket;
  beforeEach(async () => {
    server = await open({ unreadMs: 500 }, 1500);
    socket = await connect(server.port);
  });
  afterEach(async () => {
    socket.destroy();
    await server.close(0);
  });

  it('ends a connection whose answer stays unread', async () => {
    // In flowing mode nothing would be left unread; a reset is heard either way.
    const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    socket.pause();
    socket.write(request('/long'));
    await sleep(1500);
    socket.resume();
    let length = 0;
    socket.on('data', (chunk) => (length += chunk.length));
    await closed;
    expect(length).to.be.below(answerBytes);
  });

  it('ends nobody who reads steadily', async () => {
    // Where the machine stood still, or was slow, nobody read steadily: once more, at a server that waits for twice as long.
    let isSteady = false;
    for (let unreadMs = 500; !isSteady; unreadMs *= 2) {
      const patient = await open({ unreadMs });
      const reader = await connect(patient.port);
      reader.write(request('/long'));
      const begun = performance.now();
      let [length, last, pauseMs] = [0, begun, 0];
      for await (const chunk of reader as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > answerBytes) break;
        await sleep(2);
        pauseMs = Math.max(pauseMs, performance.now() - last);
        last = performance.now();
      }
      reader.destroy();
      await patient.close(0);
      // While the server waits it then takes several times what the operating system holds for it.
      isSteady = pauseMs <= 0.4 * unreadMs && (length / (last - begun)) * unreadMs >= 5_000_000;
      if (isSteady) expect(length).to.be.above(answerBytes);
    }
  });

  it('ends nobody who waits for an answer', async () => {
    const all = ended(socket);
    socket.write('POST /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
    expect((await all).toString()).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\n2$/);
  });
});

describe('a server whose client has ended its side', () => {
  let gone: (() => boolean)[];
  let server: Listening;
  let socket: Socket;
  beforeEach(async () => {
    gone = [];
    const app = new Koa<RequestState>();
    app.use(async (ctx) => {
      gone.push(() => ctx.req.socket.destroyed);
      for await (const _ of ctx.req) continue;
      if (ctx.path === '/late') await sleep(3000);
      ctx.body = 'answer';
    });
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
    socket = await connect(server.port);
  });
  afterEach(async () => {
    socket.destroy();
    await server.close(0);
  });

  for (const [name, sent] of Object.entries({
    GET: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    POST: `${request('/', 2)}{}`,
    'GET of HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  })) {
    it(`answers a ${name}, and then ends its own`, async () => {
      const all = ended(socket);
      socket.end(sent);
      expect((await all).toString()).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\nanswer$/);
    });
  }

  it('answers all of several requests that came together', async () => {
    const all = ended(socket);
    socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    expect((await all).toString().match(/200 OK/g)).to.have.length(3);
  });

  it('answers one that waits long, and says meanwhile that it is at it', async () => {
    const all = ended(socket);
    socket.end('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await all).toString()).to.match(/^(HTTP\/1\.1 102 Processing\r\n\r\n)+HTTP\/1\.1 200 [^]*\r\n\r\nanswer$/);
  });

  it('sees that one is gone which waited for nothing more, before the answer is there', async () => {
    socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => gone.length === 1);
    socket.destroy();
    const since = performance.now();
    await eventually(() => gone[0]?.() === true);
    expect(performance.now() - since).to.be.below(allowedMs(3000));
  });
});

describe('a server that closes', () => {
  let server: Listening;
  let socket: Socket;
  beforeEach(async () => {
    // More than a connection has on which nothing moves.
    server = await open({}, 2500);
    socket = await connect(server.port);
  });

  it('lets an answer go on that its client reads steadily', async () => {
    socket.write(request('/long'));
    await new Promise((resolve) => socket.once('readable', resolve));
    const closed = server.close(drainMs);
    let length = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Some 12 MB a second, so that it takes longer than a connection has on which nothing moves.
      await sleep(5);
    }
    expect(length).to.be.above(answerBytes);
    await closed;
  });

  it('lets an upload go on that comes steadily', async () => {
    const all = ended(socket);
    const pieces = 25;
    socket.write(request('/', pieces));
    const closed = server.close(drainMs);
    for (let piece = 0; piece < pieces; piece++) {
      socket.write('x');
      await sleep(100);
    }
    expect((await all).toString()).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\n25$/);
    await closed;
  });

  it('waits for its own answer to a request whose body it does not read yet', async () => {
    const all = ended(socket);
    const length = 8 * 1024 * 1024;
    socket.write(request('/late', length) + 'x'.repeat(length));
    await sleep(100);
    const closed = server.close(drainMs);
    expect((await all).toString()).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\n8388608$/);
    await closed;
  });

  it('ends nobody for what it did not read while it stood still itself', async () => {
    const all = ended(socket);
    socket.write(request('/', 2));
    await sleep(100);
    const closed = server.close(drainMs);
    await sleep(200);
    socket.write('x');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    await sleep(200);
    socket.write('x');
    expect((await all).toString()).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\n2$/);
    await closed;
  });
});
