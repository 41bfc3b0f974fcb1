import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { call, type Answer } from '../support/http.js';
import { buildScene } from '../support/scene.js';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const id = '01934f5e-7a50-7b11-8c42-1d9e3f6a7b06';

describe('the console’s pages and files', () => {
  const app = useApp();

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    call(app.baseUrl + path, { headers });

  /** Plain fetch: the pages below /console are one document, which the API's document names once. */
  const page = (path: string): Promise<Response> => fetch(app.baseUrl + path, { redirect: 'manual' });

  it('/ leads a browser to the console', async () => {
    const { status, headers } = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(status).to.equal(302);
    expect(headers).to.include({ location: 'console', vary: 'Accept' });
  });

  for (const Accept of ['*/*', 'application/json']) {
    it(`/ gives a program links (${Accept})`, async () => {
      const { status, headers, body } = await get('/', { Accept });
      expect(status).to.equal(200);
      expect(headers).to.include({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept' });
      expect(body).to.deep.equal({
        console: '/console',
        docs: '/docs',
        openapi: '/openapi.json',
        problems: '/problems',
      });
    });
  }

  for (const path of [
    ...['', '/decisions', `/decisions/${id}`, `/decisions/${id}/edit`, `/decisions/${id}/compare?from=1&to=2`],
    ...['/deployments', '/executions', `/executions/${id}`, '/replays', `/replays/${id}`, `/shadows/${id}`, '/pool'],
  ]) {
    it(`/console${path} is the document, under the policy of /docs, with files of this host alone`, async () => {
      const response = await page(`/console${path}`);
      expect(response.status).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      const text = await response.text();
      expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=|onload=/);
      const files = [...text.matchAll(/(?:src|href)="([^"]+\/files\/[^"]+)"/g)].map(([, file = '']) => file);
      expect(files).to.have.length(2);
      for (const file of files) {
        const found = await fetch(new URL(file, response.url));
        expect(found.status, file).to.equal(200);
      }
    });
  }

  it('serves files compressed as the client understands, to be kept for a year, for their names change', async () => {
    const text = (await get('/console')).text;
    const script = /src="[^"]*(files\/console-\w+\.js)"/.exec(text)?.[1] ?? '';
    for (const [accept, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { status, headers } = await get(`/console/${script}`, { 'Accept-Encoding': accept });
      expect(status).to.equal(200);
      expect(headers['content-encoding'], accept).to.equal(encoding);
      expect(headers).to.include({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': policy,
        vary: 'Accept-Encoding',
      });
    }
  });

  it('names the licences of all that is served, none of which asks for more than that', async () => {
    const { status, text } = await get('/console/files/notices.txt');
    expect(status).to.equal(200);
    const packages = [...text.matchAll(/^(\S+) \d[\w.-]* \((.+)\)$/gm)].map(([, name = '', licence = '']) => ({
      name,
      licence,
    }));
    expect(packages.map(({ name }) => name)).to.include.members([
      'preact',
      '@dagrejs/dagre',
      '@codemirror/view',
      '@gorules/lezer-zen',
    ]);
    const allowed = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];
    expect(packages.filter(({ licence }) => !allowed.includes(licence))).to.deep.equal([]);
  });

  for (const path of ['/console/', '/console/nothing', '/console/files/manifest.json', '/console/files/..%2Fpage.js']) {
    it(`${path} is nothing`, async () => {
      expectProblem(await get(path), 'route_not_found', { instance: path });
    });
  }

  it('GET /logic/pool shows the pool as the admin port does, with each process', async () => {
    const scene = await buildScene(app);
    const { status, headers, body } = await scene.caller.get('/logic/pool');
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('no-store');
    const { processes, ...all } = body as Record<string, unknown> & { processes: Record<string, unknown>[] };
    const admin = (await fetch(`${app.adminUrl}/pool`)).json() as Promise<Record<string, unknown>>;
    expect(Object.keys(all)).to.have.members(Object.keys(await admin));
    expect(processes).to.deep.equal([{ pid: process.pid, ...all }]);
    expect((all['memory'] as Record<string, number>)['rss']).to.be.above(1e6);
  });
});
