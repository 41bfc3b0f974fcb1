import type { Socket } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import type { RequestState } from '../../../../src/http/server/context.js';
import { listen, type Listening } from '../../../../src/http/server/server.js';
import { eventually } from '../../../support/eventually.js';
import { connect } from '../../../support/raw.js';

const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n';

describe('a server with as many connections as it may have', () => {
  const maxConnections = 5;
  let server: Listening;
  let sockets: Socket[];
  /** Requests that have come. */
  let begun = 0;
  const app = new Koa<RequestState>();
  app.use(async (ctx) => {
    begun++;
    for await (const _ of ctx.req as AsyncIterable<Buffer>);
    ctx.body = 'read';
  });
  beforeEach(async () => {
    begun = 0;
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }), maxConnections });
    sockets = [];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close(0);
  });
  const connectOne = async (): Promise<Socket> => {
    const socket = await connect(server.port);
    socket.on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };
  const statusOn = async (socket: Socket): Promise<string> => {
    const first = new Promise<Buffer>((resolve) => socket.once('data', resolve));
    socket.write(request + '{}');
    return (await first).toString();
  };

  /** As many as there may be. */
  const fill = async (): Promise<Socket[]> => {
    const inside = [];
    for (let made = 0; made < maxConnections; made++) inside.push(await connectOne());
    // The server has seen all of them by then.
    for (const socket of inside) expect(await statusOn(socket)).to.match(/^HTTP\/1\.1 200 /);
    return inside;
  };

  it('answers 503 on a further one where all are busy, ends it, and serves the others', async () => {
    const inside = await fill();
    const before = begun;
    for (const socket of inside) socket.write(request + '{');
    await eventually(() => begun === before + maxConnections);
    const further = await connectOne();
    let answer = '';
    further.on('data', (piece: Buffer) => (answer += piece.toString()));
    const closed = new Promise((resolve) => further.once('close', resolve));
    further.write(request + '{}');
    await closed;
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).to.match(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/i);
    expect(JSON.parse(body)).to.deep.equal({
      type: '/problems/overloaded',
      title: 'No capacity right now',
      status: 503,
      detail: 'The server has as many connections as it takes.',
      instance: '/',
      code: 'overloaded',
      requestId: /X-Request-Id: (\S+)/i.exec(head)?.[1],
    });
    const first = new Promise<Buffer>((resolve) => inside[0]!.once('data', resolve));
    inside[0]!.write('}');
    expect((await first).toString()).to.match(/^HTTP\/1\.1 200 /);
    inside[1]!.destroy();
    await eventually(async () => / 200 /.test(await statusOn(await connectOne())));
  });

  it('ends the one that was idle for the longest in favour of a further one', async () => {
    const inside = await fill();
    const ended = new Promise((resolve) => inside[1]!.once('close', resolve));
    expect(await statusOn(inside[0]!)).to.match(/^HTTP\/1\.1 200 /);
    expect(await statusOn(await connectOne())).to.match(/^HTTP\/1\.1 200 /);
    await ended;
    expect(inside.filter(({ destroyed }) => destroyed)).to.deep.equal([inside[1]]);
    const fresh = await connectOne();
    for (const socket of [inside[0]!, fresh]) expect(await statusOn(socket)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('closes those at once that come in spite of many refusals', async () => {
    const all = Array.from({ length: 4 * maxConnections }, connectOne);
    const closed = (await Promise.all(all)).map(
      (socket) => new Promise((resolve) => socket.resume().once('close', resolve)),
    );
    await Promise.race(closed);
    await eventually(() => sockets.filter(({ destroyed }) => !destroyed).length <= 2 * maxConnections);
  });
});
