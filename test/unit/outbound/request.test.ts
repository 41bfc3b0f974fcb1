import { expect } from 'chai';
import { OutboundRefused } from '../../../workers/outbound/policy.js';
import type { OutboundPolicy } from '../../../workers/outbound/policy.js';
import { outboundRequest } from '../../../workers/outbound/request.js';
import type { OutboundRequest } from '../../../workers/outbound/request.js';
import { askInstead, nameServer } from '../../support/nameServer.js';
import { json, useTestServer } from '../../support/target-server.js';
import { ownTime } from '../../support/ownTime.js';
import { allowedMs } from '../../support/environment.js';

describe('outbound requests', () => {
  const other = useTestServer(({ headers }, response) => json(response, { other: headers.authorization ?? null }));
  const server = useTestServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x');
    const redirect = (location: string, status = 302): void => {
      response.writeHead(status, { location }).end();
    };
    const times = Number(searchParams.get('n'));
    if (pathname === '/loop') redirect(times > 1 ? `/loop?n=${times - 1}` : '/end');
    else if (pathname === '/to') redirect(searchParams.get('url') ?? '', Number(searchParams.get('status') ?? 302));
    else if (pathname === '/large') response.end(Buffer.alloc(times));
    else if (pathname === '/endless') response.write('x');
    else if (pathname === '/silent') return;
    else if (pathname === '/infos') {
      for (let sent = 0; sent < times; sent++) response.writeEarlyHints({ link: '</a>; rel=preload' });
      json(response, 'after them');
    } else json(response, request.method);
  });
  let policy: OutboundPolicy;

  before(() => {
    policy = {
      allow: [],
      allowPrivate: [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `127.0.0.1:${other.port}`],
    };
  });

  beforeEach(() => {
    server.seen.length = 0;
    other.seen.length = 0;
  });

  const send = (path: string, more: Partial<OutboundRequest> = {}) =>
    outboundRequest({
      url: path.startsWith('http') ? path : `${server.origin}${path}`,
      method: 'GET',
      headers: {},
      policy,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      ...more,
    });
  const refusal = async (path: string, more: Partial<OutboundRequest> = {}): Promise<string> => {
    try {
      await send(path, more);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof OutboundRefused ? error.cause : error;
      if (cause instanceof OutboundRefused) return cause.message;
      throw error;
    }
    throw new Error('was not refused');
  };

  it('reach hosts that an operator allows to be private', async () => {
    const response = await send('/x');
    expect({ ...response, body: response.body.toString(), headers: response.headers['x-tag'] }).to.deep.equal({
      status: 200,
      headers: 'a, b',
      body: '"GET"',
    });
    expect((await send(`http://localhost:${server.port}/x`)).status).to.equal(200);
  });

  it('are refused by IP literal, in every way to write one', async () => {
    const { port } = server;
    for (const host of ['127.0.0.1', '2130706433', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      const url = new URL(`http://${host}:${port}/`);
      expect(await refusal(url.href, { policy: { allow: [url.host] } })).to.include('not a public address');
    }
    expect(server.seen).to.deep.equal([]);
  });

  it('are refused by what the name resolves to', async () => {
    const url = `http://localhost:${server.port}/`;
    expect(await refusal(url, { policy: { allow: [`localhost:${server.port}`] } })).to.include(
      'does not stand at a public address',
    );
    expect(server.seen).to.deep.equal([]);
  });

  it('are refused when one of several answers of DNS is private', async () => {
    const names = await nameServer({ 'two.example.test': { 4: ['8.8.8.8', '127.0.0.1'] } });
    const askMachine = askInstead(names);
    try {
      const url = `http://two.example.test:${server.port}/`;
      expect(await refusal(url, { policy: { allow: [`two.example.test:${server.port}`] } })).to.include(
        'public address',
      );
    } finally {
      askMachine();
      await names.close();
    }
    expect(server.seen).to.deep.equal([]);
  });

  it('go to the address that was checked, whatever the name stands for a moment later', async () => {
    // Nothing answers there (RFC 5737), and a browser would be led to the machine itself by the second answer.
    const there = { 4: ['198.51.100.7'], 6: [] };
    const here = { 4: ['127.0.0.1'], 6: ['0:0:0:0:0:0:0:1'] };
    const names = await nameServer({ 'turns.example.test': [there, here], 'back.example.test': [here, there, here] });
    const askMachine = askInstead(names);
    try {
      for (const name of ['turns.example.test', 'back.example.test']) {
        const host = `${name}:${server.port}`;
        for (let turn = 0; turn < 3; turn++) {
          const failed: unknown = await send(`http://${host}/`, { policy: { allow: [host] }, timeoutMs: 300 }).catch(
            (error: unknown) => error,
          );
          expect(failed, `${name}, ${turn}`).to.be.instanceOf(Error);
        }
        expect(names.asked).to.include(name);
      }
    } finally {
      askMachine();
      await names.close();
    }
    expect(server.seen).to.deep.equal([]);
  });

  it('follow three redirects and no fourth', async () => {
    expect((await send('/loop?n=3')).status).to.equal(200);
    expect(await refusal('/loop?n=4')).to.include('more than 3 redirects');
  });

  it('are refused when redirected to what the policy or the guard does not let through', async () => {
    const to = (url: string): string => `/to?url=${encodeURIComponent(url)}`;
    const allow = [`localhost:${other.port}`, `[::1]:${other.port}`];
    const strict = { allow, allowPrivate: [`127.0.0.1:${server.port}`] };
    expect(await refusal(to(`http://localhost:${other.port}/`), { policy: strict })).to.include('public address');
    expect(await refusal(to(`http://[::1]:${other.port}/`), { policy: strict })).to.include('public address');
    expect(await refusal(to(other.origin), { policy: strict })).to.include('not on the list');
    expect(await refusal(to('file:///etc/passwd'))).to.include('only http: and https:');
    expect(await refusal(to('http://169.254.169.254/latest/meta-data'))).to.include('not on the list');
    expect(await refusal(to('http://['))).to.include('not a URL');
    expect(other.seen).to.deep.equal([]);
  });

  it('leave credentials behind when a redirect changes the origin, and keep them otherwise', async () => {
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-tag': 'kept' };
    await send(`/to?url=${encodeURIComponent(other.origin)}`, { headers });
    expect(other.seen[0]!.headers).to.include({ 'x-tag': 'kept' }).and.not.have.any.keys('authorization', 'cookie');
    await send('/to?url=/end', { headers });
    expect(server.seen.at(-1)!.headers).to.include({ authorization: 'Bearer x' });
  });

  for (const [status, method, becomes] of [
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [302, 'PUT', 'PUT'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ] as const) {
    it(`turn ${method} into ${becomes} on ${status}`, async () => {
      const body = method === 'HEAD' ? {} : { body: '{"a":1}', headers: { 'content-type': 'application/json' } };
      await send(`/to?url=/end&status=${status}`, { method, ...body });
      const last = server.seen.at(-1)!;
      expect([last.method, last.body]).to.deep.equal([
        becomes,
        becomes === method && method !== 'HEAD' ? '{"a":1}' : '',
      ]);
      if (becomes !== method) expect(last.headers).not.to.have.property('content-type');
    });
  }

  it('take an answer up to the limit and none above', async () => {
    expect((await send('/large?n=1048576')).body).to.have.length(1_048_576);
    expect(await refusal('/large?n=1048577')).to.include('larger than');
  });

  it('take some answers before the one that counts, and no flood of them', async () => {
    expect((await send('/infos?n=20')).body.toString()).to.contain('after them');
    for (const headOnly of [true, false])
      expect(await refusal('/infos?n=21', { headOnly })).to.equal('more than 20 answers of status 1xx');
  });

  it('end when the signal says so, before or within the answer', async () => {
    for (const path of ['/silent', '/endless']) {
      const took = ownTime();
      const error: unknown = await send(path, { signal: AbortSignal.timeout(60) }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(Error);
      expect(took()).to.be.below(allowedMs(1000));
    }
  });
});
