import { expect } from 'chai';
import { pino } from 'pino';
import { RoutedApp } from '../../../../src/http/server/requestLifecycle.js';
import { Router, type Route } from '../../../../src/http/server/router.js';
import { listen, type Listening } from '../../../../src/http/server/server.js';
import { sendProblem } from '../../../../src/http/server/problem.js';
import { sendText } from '../../../../src/http/server/response.js';

describe('routes', () => {
  let server: Listening;
  /** The route of each request, as the log and the metrics name it. */
  let matched: (string | undefined)[];
  const route = (method: string, path: string, direct = false): Route => ({
    method,
    path,
    direct,
    handle: (ctx) => sendText(ctx, { status: 200 }, JSON.stringify(ctx.params)),
  });
  before(async () => {
    const router = new Router([
      route('POST', '/of/{id}/at/{place}', true),
      route('GET', '/of/{id}'),
      route('DELETE', '/of/{id}'),
      route('GET', '/of/{id}.csv'),
      route('GET', '/of/{id}.xlsx'),
      route('GET', '/of/all'),
      route('GET', '/of/all/at/home'),
      { method: 'POST', path: '/unforeseen', handle: () => Promise.reject(new Error('unforeseen')) },
    ]);
    const app = new RoutedApp({
      router,
      async around(ctx, next) {
        ctx.state.requestId = 'one';
        try {
          await next();
        } catch (error) {
          if ((error as Error).message === 'unforeseen') throw error;
          sendProblem(ctx, error);
        }
        matched.push(ctx.state.route);
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  });
  after(() => server.close(0));
  beforeEach(() => (matched = []));

  const ask = async (
    method: string,
    path: string,
  ): Promise<{ status: number; allow: string | null; body: unknown }> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    const text = await response.text();
    const body: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, allow: response.headers.get('allow'), body };
  };

  it('refuses two routes of one method and path', () => {
    expect(() => new Router([route('GET', '/a/{id}'), route('GET', '/a/{name}')])).to.throw('GET /a/{name}');
  });

  it('answers what is thrown past all with 500, and goes on', async () => {
    const { status } = await fetch(`http://127.0.0.1:${server.port}/unforeseen`, { method: 'POST' });
    expect(status).to.equal(500);
    expect((await ask('GET', '/of/a')).status).to.equal(200);
  });
});
