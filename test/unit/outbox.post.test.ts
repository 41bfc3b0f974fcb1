import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Attempt } from '../../src/outbox/attempt.js';
import { post } from '../../src/outbox/transports/post.js';
import { testServer, type TestServer } from '../support/target-server.js';

describe('a delivery over HTTP', () => {
  let receiver: TestServer;
  let ended: Promise<unknown>;
  before(async () => {
    receiver = await testServer(({ url }, response) => {
      const [, status, body] = url.split('/');
      ended = once(response, 'close');
      response.writeHead(Number(status), { 'retry-after': '7' });
      bodies[body as keyof typeof bodies](response);
    });
  });
  after(() => receiver.close());

  const bodies = {
    none: (response: ServerResponse) => response.end(),
    large: (response: ServerResponse) => response.end(Buffer.alloc(2 * 1024 * 1024)),
    endless: (response: ServerResponse) => response.write('x'),
    late: (response: ServerResponse) => response.flushHeaders(),
  };

  const attempt = (path: string): Promise<Attempt> =>
    post(
      { url: `${receiver.origin}${path}`, headers: {}, body: '{}' },
      { timeoutMs: 60_000, privateHosts: [`127.0.0.1:${receiver.port}`] },
      new AbortController().signal,
    );

  for (const body of ['none', 'large', 'endless', 'late'] as const) {
    it(`whose answer has a body (${body}) is judged by the status, and not sent again for the body's sake`, async () => {
      expect(await attempt(`/200/${body}`)).to.deep.equal({ kind: 'delivered' });
      await ended;
      expect(await attempt(`/400/${body}`)).to.deep.equal({ kind: 'refused', error: 'answered 400' });
      await ended;
      const failed = { kind: 'failed', error: 'answered 503', retryAfterMs: 7000 };
      expect(await attempt(`/503/${body}`)).to.deep.equal(failed);
      await ended;
    });
  }
});
