import { expect } from 'chai';
import { ownTime } from '../../../support/ownTime.js';
import { json, useTestServer } from '../../../support/target-server.js';
import { handler, sandboxFixture } from '../../../support/sandbox.js';
import { allowedMs } from '../../../support/environment.js';

describe('http in function nodes', () => {
  const { fault: diagnostic, output } = sandboxFixture();
  const server = useTestServer((request, response) => {
    if (request.url === '/text') response.end('plain');
    else if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/fails') json(response, { error: 'x' }, 500);
    else if (request.url === '/silent') return;
    else json(response, { ...request, headers: undefined });
  });
  let run: { http: { allow: string[]; allowPrivate: string[] } };

  before(() => {
    run = { http: { allow: [], allowPrivate: [`127.0.0.1:${server.port}`] } };
  });

  beforeEach(() => {
    server.seen.length = 0;
  });

  const source = (body: string): string =>
    handler(`const base = '${server.origin}'; ${body}`, `import http, { get, post } from 'http';`);

  it('gives data, headers and status', async () => {
    const reply = await output(
      source('const r = await http.get(base + "/a"); return { ...r, tag: r.headers["x-tag"], headers: 0 }'),
      { run },
    );
    expect(reply).to.deep.equal({ status: 200, headers: 0, tag: 'a, b', data: { method: 'GET', url: '/a', body: '' } });
  });

  it('knows get, head, post, put, patch and delete, as members and by name', async () => {
    const body = `
      const sent = [await get(base), await post(base, { a: 1 }), await http.put(base, [1]), await http.patch(base, 'text'), await http.delete(base)];
      const head = await http.head(base);
      return [...sent.map(({ data }) => data.method + data.body), head.data, head.status, Object.keys(http)]`;
    expect(await output(source(body), { run })).to.deep.equal([
      'GET',
      'POST{"a":1}',
      'PUT[1]',
      'PATCH"text"',
      'DELETE',
      null,
      200,
      ['get', 'head', 'delete', 'post', 'put', 'patch'],
    ]);
  });

  it('sends params, headers, a body of the configuration, and JSON types by default', async () => {
    const config = `{ params: { q: 'a b', n: 1, t: true }, headers: { 'X-Key': 'k', Host: 'evil', n: 5 }, data: { d: 1 } }`;
    await output(source(`await http.delete(base + '/p?x=1', ${config}); return 1`), { run });
    const [seen] = server.seen;
    expect(seen).to.include({ url: '/p?x=1&q=a+b&n=1&t=true', body: '{"d":1}' });
    expect(seen!.headers).to.include({
      'x-key': 'k',
      n: '5',
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(seen!.headers.host).to.equal(`127.0.0.1:${server.port}`);
  });

  it('gives text as it is, nothing as null, and any status without an error', async () => {
    const body = `const all = await Promise.all(['/text', '/empty', '/fails'].map((path) => http.get(base + path)));
      return all.map(({ data, status }) => [data, status])`;
    expect(await output(source(body), { run })).to.deep.equal([
      ['plain', 200],
      [null, 204],
      [{ error: 'x' }, 500],
    ]);
  });

  for (const [what, body, message] of [
    ['a host that is not on the list', 'await http.get("http://other.test/")', 'not on the list'],
    ['the metadata service', 'await http.get("http://169.254.169.254/latest/meta-data/")', 'not on the list'],
    ['a header that is none', 'await http.get(base, { headers: { "a b": "c" } })', 'header'],
    ['a header with a line break', 'await http.get(base, { headers: { a: "b\\r\\nc: d" } })', 'header'],
    ['headers that are no object', 'await http.get(base, { headers: [1] })', 'headers must be an object'],
    ['a param that is no text', 'await http.get(base, { params: { a: {} } })', 'params: a'],
    ['cloud credentials', 'await http.get(base, { auth: { iam: {} } })', '`auth` is not supported'],
    ['what is no URL', 'await http.get({})', 'not a URL'],
    ['a body that is no JSON', 'const c = {}; c.c = c; await http.post(base, c)', 'circular'],
  ] as const) {
    it(`throws for ${what}, and the function may catch it`, async () => {
      expect((await diagnostic(source(body), { run })).message).to.include(message);
      expect(await output(source(`try { ${body} } catch { return 'caught' }`), { run })).to.equal('caught');
      expect(server.seen).to.deep.equal([]);
    });
  }

  it('is refused altogether where an environment allows no host', async () => {
    expect((await diagnostic(source('await http.get(base)'))).message).to.include('not on the list');
  });

  it('tells nothing of the network behind a failed connection', async () => {
    const http = { allow: [], allowPrivate: ['127.0.0.1:1'] };
    const { message } = await diagnostic(source('await http.get("http://127.0.0.1:1/")'), { run: { http } });
    expect(message).to.equal('GET http://127.0.0.1:1/: failed (ECONNREFUSED)');
  });

  it('ends with the run’s time', async () => {
    const took = ownTime();
    expect((await diagnostic(source('await http.get(base + "/silent")'), { run, timeoutMs: 150 })).code).to.equal(
      'timeout',
    );
    expect(took()).to.be.below(allowedMs(1500));
  });

  it('is limited in number', async () => {
    const body = 'for (let i = 0; i < 60; i++) { try { await http.get("http://other.test/") } catch {} } return 1';
    expect((await diagnostic(source(body), { run })).code).to.equal('limit_steps');
  });
});
