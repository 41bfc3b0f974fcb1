import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect } from 'chai';
import { createReadJson } from '../../../src/http/body.js';
import type { HttpContext, RequestState } from '../../../src/http/state.js';
import { exchange } from '../../support/raw.js';

describe('reading a body', () => {
  const readJson = createReadJson({ maxBytes: 1024, maxDepth: 8 });
  let server: Server;
  let port: number;
  /** The events of the request that were waited for to read its body. */
  let listenedTo: string[];

  before(async () => {
    const app = new Koa<RequestState>();
    app.use(async (ctx: HttpContext) => {
      const events: string[] = [];
      ctx.req.on('newListener', (event: string) => events.push(event));
      // Bytes that came with the headers are there after the turn in which the server hears of the request.
      await Promise.resolve();
      const body = await readJson(ctx);
      listenedTo = [...events];
      ctx.body = body;
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const send = async (piece: string): Promise<unknown> => {
    const { answers } = await exchange({ port, pieces: [piece], answers: 1 });
    return JSON.parse(answers[0]?.body ?? '') as unknown;
  };

  it('waits for no event where all of it came with the headers', async () => {
    expect(await send(`${head}Content-Length: 7\r\n\r\n{"a":1}`)).to.deep.equal({ text: '{"a":1}', value: { a: 1 } });
    expect(listenedTo).to.deep.equal([]);
  });

  it('waits for a body of unknown length', async () => {
    expect(await send(`${head}Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n`)).to.deep.include({
      value: { a: 1 },
    });
    expect(listenedTo).to.include.members(['data', 'end']);
  });
});
