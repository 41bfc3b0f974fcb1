import { expect } from 'chai';
import { pino } from 'pino';
import type { HttpContext } from '../../../../src/http/server/context.js';
import { DirectApp } from '../../../../src/http/server/directApp.js';
import { matchedRoute } from '../../../../src/http/server/requestObserver.js';
import { sendText } from '../../../../src/http/server/sendText.js';
import { listen, type Listening } from '../../../../src/http/server/server.js';

describe('a route without routers', () => {
  let server: Listening;
  let passed: (string | undefined)[];
  before(async () => {
    const answer = (ctx: HttpContext, body: unknown): void => {
      ctx.state.requestId = 'one';
      sendText(ctx, { status: 200 }, JSON.stringify(body));
    };
    const app = new DirectApp({}, async (ctx, next) => {
      await next();
      passed.push(matchedRoute(ctx));
    });
    app.direct({
      method: 'POST',
      path: '/of/:id/at/:place',
      handle: (ctx) => {
        if (ctx.params.place === 'nowhere') return Promise.reject(new Error('unforeseen'));
        answer(ctx, ctx.params);
        return Promise.resolve();
      },
    });
    app.use((ctx) => answer(ctx, 'usual'));
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  });
  after(() => server.close(0));
  beforeEach(() => (passed = []));

  const ask = async (path: string, method = 'POST'): Promise<{ status: number; text: string }> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: response.status, text: await response.text() };
  };

  it('has the parameters of its path, and passes what every request does', async () => {
    expect(await ask('/of/a-1/at/B_2')).to.deep.equal({ status: 200, text: '{"id":"a-1","place":"B_2"}' });
    expect(passed).to.deep.equal(['/of/{id}/at/{place}']);
  });

  for (const [method, path] of [
    ['GET', '/of/a/at/b'],
    ['POST', '/of/a/at/b?c=d'],
    ['POST', '/of/%61/at/b'],
    ['POST', '/of/a/at/b/'],
    ['POST', '/of//at/b'],
  ] as const) {
    it(`leaves ${method} ${path} to the routers`, async () => {
      expect(await ask(path, method)).to.deep.equal({ status: 200, text: '"usual"' });
      expect(passed).to.deep.equal([undefined]);
    });
  }

  it('answers what is thrown past it with 500, and goes on', async () => {
    expect((await ask('/of/a/at/nowhere')).status).to.equal(500);
    expect((await ask('/of/a/at/b')).status).to.equal(200);
  });
});
