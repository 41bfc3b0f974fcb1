import type { Socket } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import { send } from '../../../src/http/operation.js';
import { sendProblem } from '../../../src/http/problem.js';
import { listen, type Listening } from '../../../src/http/server.js';
import type { RequestState } from '../../../src/http/context.js';
import { createUnread } from '../../../src/http/unread.js';
import { eventually } from '../../support/eventually.js';
import { call } from '../../support/http.js';
import { connect } from '../../support/raw.js';

const mebibyte = 1024 * 1024;
const answer = JSON.stringify('x'.repeat(16 * mebibyte));

describe('answers that nobody reads', () => {
  let server: Listening;
  let sockets: Socket[];
  beforeEach(async () => {
    const unread = createUnread(40 * mebibyte);
    const app = new Koa<RequestState>();
    app.silent = true;
    app.use((ctx) => {
      ctx.state.requestId = 'one';
      try {
        send(ctx, { status: 200, body: answer }, unread);
      } catch (error) {
        sendProblem(ctx, error);
      }
    });
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
    sockets = [];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close(0);
  });

  const ask = async (times: number): Promise<Socket> => {
    const socket = await connect(server.port);
    sockets.push(socket);
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
    return socket;
  };
  const statusOf = async (method: string): Promise<number> =>
    (await call(`http://127.0.0.1:${server.port}/`, { method })).status;
  const becomes = (status: number): Promise<boolean> => eventually(async () => (await statusOf('GET')) === status);

  it('were held in memory, however many: another list is 503 until they are read', async () => {
    const two = await ask(2);
    await becomes(503);
    const refused = await call(`http://127.0.0.1:${server.port}/`);
    expect(refused.body).to.include({ code: 'overloaded' });
    expect(refused.headers['retry-after']).to.match(/^\d+$/);
    expect(await statusOf('POST'), 'what has been done is answered').to.equal(200);
    two.resume();
    await becomes(200);
  });

  it('are forgotten with their connection', async () => {
    const two = await ask(2);
    await becomes(503);
    two.resetAndDestroy();
    await becomes(200);
    await ask(1);
    expect(await statusOf('GET'), 'one more fits').to.equal(200);
  });
});
