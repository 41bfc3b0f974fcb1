import type { Socket } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import { ByteBudget } from '../../../../src/admission/byteBudget.js';
import { sendProblem } from '../../../../src/http/server/problem.js';
import { reserve, send } from '../../../../src/http/server/response.js';
import { listen, type Listening } from '../../../../src/http/server/server.js';
import type { RequestState } from '../../../../src/http/server/context.js';
import { eventually } from '../../../support/eventually.js';
import { call } from '../../../support/http.js';
import { connect } from '../../../support/raw.js';
import { atOnce } from '../../../support/atOnce.js';

const mebibyte = 1024 * 1024;
const answer = JSON.stringify('x'.repeat(16 * mebibyte));

describe('answers that nobody reads', () => {
  let budget: ByteBudget;
  let server: Listening;
  let sockets: Socket[];
  beforeEach(async () => {
    // Of which one workspace may have nearly half of three quarters, and a sixteenth of the rest: 48.5 MiB.
    budget = new ByteBudget(132 * mebibyte);
    const app = new Koa<RequestState>();
    app.silent = true;
    app.use(async (ctx) => {
      ctx.state.requestId = 'one';
      ctx.respond = false;
      try {
        const reservation = reserve(budget, ctx, ctx.get('X-Workspace-Id'));
        try {
          await send(ctx, { status: 200, body: answer }, { reservation, scheduler: atOnce });
        } finally {
          reservation.release();
        }
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

  const ask = async (times: number, method = 'GET'): Promise<Socket> => {
    const socket = await connect(server.port);
    sockets.push(socket);
    socket.on('error', () => undefined).pause();
    socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nX-Workspace-Id: one\r\nContent-Length: 0\r\n\r\n`.repeat(times));
    return socket;
  };
  const statusOf = async (workspace = 'one', method = 'GET'): Promise<number> =>
    (await call(`http://127.0.0.1:${server.port}/`, { method, headers: { 'X-Workspace-Id': workspace } })).status;
  const becomes = (status: number): Promise<boolean> => eventually(async () => (await statusOf()) === status);
  const held = (): number => budget.status().bytesInFlight;

  for (const method of ['GET', 'POST']) {
    it(`to ${method} count for their workspace until they are read, and another list is 503 meanwhile`, async () => {
      const three = await ask(3, method);
      await becomes(503);
      const refused = await call(`http://127.0.0.1:${server.port}/`, { headers: { 'X-Workspace-Id': 'one' } });
      expect(refused.body).to.include({ code: 'overloaded' });
      expect(refused.headers['retry-after']).to.match(/^\d+$/);
      expect(await statusOf('other'), 'another workspace').to.equal(200);
      expect(await statusOf('one', 'POST'), 'what has been done is answered').to.equal(200);
      three.resume();
      await becomes(200);
      await eventually(() => held() === 0);
    });
  }

  it('are forgotten with their connection', async () => {
    const three = await ask(3);
    await becomes(503);
    three.resetAndDestroy();
    await becomes(200);
    await eventually(() => held() === 0);
  });
});
