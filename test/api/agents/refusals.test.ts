import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { call } from '../../support/http.js';
import { useScene } from '../../support/scene.js';

interface Called {
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

describe('agents', () => {
  const app = useApp();
  const scene = useScene(app);
  let path: string;
  before(async () => {
    path = `/mcp/${await scene.environment()}`;
  });

  const use = async (name: string, given: object): Promise<Readonly<Record<string, unknown>>> => {
    const params = { name, arguments: given };
    const { body } = await scene.caller.post(path, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return JSON.parse((body as Called).result.content[0]?.text ?? '') as Record<string, unknown>;
  };

  const at = '/params/arguments/';
  for (const [name, given, ...wrong] of [
    ['find_executions', { size: 101 }, [`${at}size`, 'must be <= 100']],
    ['find_executions', { size: -1 }, [`${at}size`, 'must be >= 1']],
    [
      'find_executions',
      { size: 2.5, status: 'MAYBE' },
      [`${at}size`, 'must be integer'],
      [`${at}status`, 'must be COMPLETED or FAILED'],
    ],
    ['find_executions', { from: 'now' }, [`${at}from`, 'must be a date such as 2026-01-31 or 2026-01-31T09:30:00Z']],
    ['find_executions', { much: 1 }, [`${at}much`, 'is not a known field']],
    ['explain_execution', { executionId: 'x' }, [`${at}executionId`, 'must be a UUID']],
    ['explain_execution', {}, [`${at}executionId`, 'is required']],
    ['validate_draft', { content: {} }, [`${at}key`, 'is required']],
    ['validate_draft', { key: '../a.json', content: {} }, [`${at}key`, 'has an empty, `.` or `..` part']],
  ] as const)
    it(`are told where they gave it what is wrong, with the tool's own bounds: ${name} ${JSON.stringify(given)}`, async () => {
      const { code, errors } = await use(name, given);
      expect(code).to.equal('validation_failed');
      const told = (errors as readonly { in: string; pointer: string; message: string }[]).map(
        ({ in: place, pointer, message }) => [place, pointer, message],
      );
      expect(told).to.have.deep.members(wrong.map(([pointer, message]) => ['body', pointer, message]));
    });

  it('are answered as much as their tool allows', async () => {
    expect(await use('find_executions', { size: 100 })).to.have.property('data');
  });

  it('are told of a cursor that is none, and get no empty page for it', async () => {
    for (const cursor of ['x', '', '../1', 'ffffffff']) {
      const { body } = await scene.caller.post(path, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { cursor },
      });
      expect(body).to.deep.include({ error: { code: -32602, message: 'The cursor is none of this list.' } });
    }
  });

  it('that have no token are told where they get one', async () => {
    const { status, headers } = await call(app.baseUrl + path, { method: 'POST', body: {} });
    expect(status).to.equal(401);
    const challenge = headers['www-authenticate'] ?? '';
    const [, address = ''] = /^Bearer realm="verdict", resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
    expect(address, challenge).to.match(/\/\.well-known\/oauth-protected-resource$/);
    const { body } = await call(app.baseUrl + new URL(address).pathname);
    const { resource, authorization_servers: servers } = body as { resource: string; authorization_servers: string[] };
    const { body: server } = await call(`${app.baseUrl}/.well-known/oauth-authorization-server`);
    expect([resource, ...servers]).to.deep.equal(Array(2).fill((server as { issuer: string }).issuer));
    const elsewhere = await call(`${app.baseUrl}/logic/environments`);
    expect(elsewhere.headers['www-authenticate']).to.equal('Bearer realm="verdict"');
  });
});

describe('agents on a page', () => {
  const app = useApp();
  const scene = useScene(app);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example:8080'])
    it(`are refused where it is of another host: ${origin}`, async () => {
      const { status, body } = await scene.caller.post(`/mcp/${await scene.environment()}`, ping, { Origin: origin });
      expect(status).to.equal(403);
      expect(body).to.deep.equal({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Pages of other origins are not answered: send the request without Origin.' },
      });
    });

  it('are refused where its name, which is of no server here, leads to this one', async () => {
    const path = `/mcp/${await scene.environment()}`;
    const { status } = await scene.caller.post(path, ping, {
      ...{ Origin: 'http://evil.example:3000', Host: 'evil.example:3000' },
    });
    expect(status).to.equal(403);
  });

  it('are answered where it is of the server, and where they are on none', async () => {
    const path = `/mcp/${await scene.environment()}`;
    for (const headers of [{ Origin: app.baseUrl }, {}]) {
      const { status, body } = await scene.caller.post(path, ping, headers);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });
});
