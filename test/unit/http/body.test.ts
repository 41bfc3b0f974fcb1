import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect } from 'chai';
import { createReadJson } from '../../../src/http/body.js';
import type { HttpContext, RequestState } from '../../../src/http/context.js';
import { exchange } from '../../support/raw.js';

const unaccounted = { grow: () => undefined, shrink: () => undefined };

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
      const body = await readJson(ctx, unaccounted);
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

  it('a body of long numbers cost hundreds of looks at each of its digits', async () => {
    const length = 1024 * 1024;
    const readLong = createReadJson({ maxBytes: length, maxDepth: 8 });
    const app = new Koa<RequestState>();
    app.use(async (ctx: HttpContext) => {
      const before = process.cpuUsage();
      await readLong(ctx, unaccounted);
      const { user, system } = process.cpuUsage(before);
      ctx.body = String(user + system);
    });
    const long = app.listen(0, '127.0.0.1');
    await once(long, 'listening');
    const timeOf = async (digits: number): Promise<number> => {
      const number = `${'1'.repeat(digits)},`;
      const body = `[${number.repeat(Math.floor(length / number.length) - 1)}1]`;
      const { answers } = await exchange({
        port: (long.address() as AddressInfo).port,
        pieces: [`${head}Content-Length: ${body.length}\r\n\r\n${body}`],
        answers: 1,
      });
      return Number(answers[0]?.body);
    };
    const times: [number, number][] = [];
    for (let round = 0; round < 5; round++) times.push([await timeOf(10), await timeOf(299)]);
    long.close();
    const least = (of: 0 | 1): number => Math.min(...times.map((both) => both[of]));
    expect(least(1) / least(0), JSON.stringify(times)).to.be.below(4);
  });
});
