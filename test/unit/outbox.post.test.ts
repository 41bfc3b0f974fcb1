import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Attempt } from '../../src/outbox/attempt.js';
import { post } from '../../src/outbox/transports/post.js';
import { useTestServer } from '../support/target-server.js';

describe('a delivery over HTTP', () => {
  const receiver = useTestServer(({ url }, response) => {
    const [, status, body] = url.split('/');
    taken.push(once(response, 'close').then(() => response.writableFinished));
    response.writeHead(Number(status), { 'retry-after': '7' });
    bodies[body as keyof typeof bodies](response);
  });
  /** Of each answer, once it is over: whether all of it was taken. */
  const taken: Promise<boolean>[] = [];
  beforeEach(() => (taken.length = 0));

  const bodies = {
    none: (response: ServerResponse) => response.end(),
    large: (response: ServerResponse) => response.end(Buffer.alloc(2 * 1024 * 1024)),
    endless: (response: ServerResponse) => response.write('x'),
    late: (response: ServerResponse) => response.flushHeaders(),
    soon(response: ServerResponse) {
      response.flushHeaders();
      setTimeout(() => response.end('thanks'), 50);
    },
    broken(response: ServerResponse) {
      response.flushHeaders();
      setTimeout(() => response.destroy(), 50);
    },
  };

  const attempt = (path: string): Promise<Attempt> =>
    post(
      { url: `${receiver.origin}${path}`, headers: {}, body: '{}' },
      { timeoutMs: 60_000, privateHosts: [`127.0.0.1:${receiver.port}`] },
      new AbortController().signal,
    );

  for (const body of ['none', 'large', 'endless', 'late', 'soon', 'broken'] as const) {
    it(`whose answer has a body (${body}) is judged by the status, and not sent again for the body's sake`, async () => {
      expect(await Promise.all([200, 400, 503].map((status) => attempt(`/${status}/${body}`)))).to.deep.equal([
        { kind: 'delivered', status: 200 },
        { kind: 'refused', error: 'answered 400', status: 400 },
        { kind: 'failed', error: 'answered 503', status: 503, retryAfterMs: 7000 },
      ]);
      // None of them is left open.
      await Promise.all(taken);
    });
  }

  it('takes the answer of a receiver that sends its head first, which saw a reset', async () => {
    await attempt('/200/soon');
    expect(await Promise.all(taken)).to.deep.equal([true]);
  });
});
