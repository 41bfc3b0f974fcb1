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

  for (const [method, path, template, params] of [
    ['POST', '/of/a-1/at/B_2', '/of/{id}/at/{place}', { id: 'a-1', place: 'B_2' }],
    ['POST', '/of/a/at/b?c=d', '/of/{id}/at/{place}', { id: 'a', place: 'b' }],
    ['POST', '/of/%61%2f/at/%', '/of/{id}/at/{place}', { id: 'a/', place: '%' }],
    ['POST', '/of/all/at/b', '/of/{id}/at/{place}', { id: 'all', place: 'b' }],
    ['GET', '/of/all', '/of/all', {}],
    ['GET', '/of/a.b.csv', '/of/{id}.csv', { id: 'a.b' }],
    ['GET', '/of/a.xlsx', '/of/{id}.xlsx', { id: 'a' }],
    ['GET', '/of/.csv', '/of/{id}', { id: '.csv' }],
    ['DELETE', '/of/a.csv', '/of/{id}', { id: 'a.csv' }],
    ['GET', '/of/everything', '/of/{id}', { id: 'everything' }],
    ['DELETE', '/of/all', '/of/{id}', { id: 'all' }],
    ['GET', '/of/all/at/home', '/of/all/at/home', {}],
  ] as const) {
    it(`gives ${method} ${path} to ${template}`, async () => {
      expect(await ask(method, path)).to.deep.equal({ status: 200, allow: null, body: params });
      expect(matched).to.deep.equal([template]);
    });
  }

  it('answers HEAD as GET, without the body', async () => {
    expect(await ask('HEAD', '/of/all')).to.deep.equal({ status: 200, allow: null, body: null });
  });

  for (const path of ['/', '/of', '/of/', '/of//at/b', '/of/a/at/b/', '/Of/a', '/of/a/at', '/constructor']) {
    it(`has nothing at ${path}`, async () => {
      const { status, body } = await ask('POST', path);
      expect({ status, body }).to.have.nested.property('body.code', 'route_not_found');
      expect(matched).to.deep.equal([undefined]);
    });
  }

  for (const [path, allow] of [
    ['/of/all', 'DELETE, GET, HEAD'],
    ['/of/a', 'DELETE, GET, HEAD'],
    ['/of/all/at/home', 'GET, HEAD, POST'],
  ] as const) {
    it(`says what ${path} takes`, async () => {
      const answer = await ask('PUT', path);
      expect(answer).to.include({ status: 405, allow }).and.to.have.nested.property('body.code', 'method_not_allowed');
      expect(matched).to.deep.equal([undefined]);
    });
  }

  it('refuses two routes of one method and path', () => {
    expect(() => new Router([route('GET', '/a/{id}'), route('GET', '/a/{name}')])).to.throw('GET /a/{name}');
  });

  it('answers what is thrown past all with 500, and goes on', async () => {
    const { status } = await fetch(`http://127.0.0.1:${server.port}/unforeseen`, { method: 'POST' });
    expect(status).to.equal(500);
    expect((await ask('GET', '/of/a')).status).to.equal(200);
  });
});
