import { expect } from 'chai';
import * as openid from 'openid-client';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { freePort } from '../../../db/services/ports.js';
import { doubling } from '../../support/models.js';

describe('an OAuth client library that knows nothing of this service', () => {
  const store = useStore();
  let server: ServerProcess;
  let issuer: string;
  before(async () => {
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    server = await startServer({ PORT: String(port), ISSUER: issuer });
  });
  after(() => server.stop());

  const discover = (client: BuiltClient): Promise<openid.Configuration> =>
    openid.discovery(new URL(issuer), client.id, undefined, openid.ClientSecretBasic(client.secret), {
      algorithm: 'oauth2',
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the tests' server has no TLS
      execute: [openid.allowInsecureRequests],
    });

  it('discovers the metadata, gets a token, and calls the API with it', async () => {
    const client = await buildClient(store);
    const config = await discover(client);
    expect(config.serverMetadata()).to.deep.include({ issuer, token_endpoint: `${issuer}/core/oauth2/token` });

    const tokens = await openid.clientCredentialsGrant(config, { scope: 'environment:write environments:read' });
    expect(tokens).to.include({ token_type: 'bearer', scope: 'environment:write environments:read' });

    const headers = new Headers({ 'X-Workspace-Id': client.workspaceId, 'Content-Type': 'application/json' });
    const url = new URL('/logic/environments', issuer);
    const body = JSON.stringify({ name: 'By a library' });
    const created = await openid.fetchProtectedResource(config, tokens.access_token, url, 'POST', body, headers);
    expect(created.status).to.equal(201);
    const list = await openid.fetchProtectedResource(config, tokens.access_token, url, 'GET', null, headers);
    expect(((await list.json()) as { data: { name: string }[] }).data.map(({ name }) => name)).to.deep.equal([
      'By a library',
    ]);
  });

  it('drives the life of a decision: make, save, deploy, execute, read', async () => {
    const client = await buildClient(store);
    const config = await discover(client);
    const { access_token: token } = await openid.clientCredentialsGrant(config);
    const headers = new Headers({ 'X-Workspace-Id': client.workspaceId, 'Content-Type': 'application/json' });
    const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const text = body === undefined ? null : JSON.stringify(body);
      const url = new URL(`/logic${path}`, issuer);
      const answer = await openid.fetchProtectedResource(config, token, url, method, text, headers);
      expect(answer.status, await answer.clone().text()).to.equal(method === 'POST' ? 201 : 200);
      return (await answer.json()) as T;
    };
    const { id: decisionId } = await ask<{ id: string }>('POST', '/decisions', { key: 'a.json', content: doubling(2) });
    const { version } = await ask<{ version: number }>('POST', `/decisions/${decisionId}/versions`, {});
    const { id: environmentId } = await ask<{ id: string }>('POST', '/environments', { name: 'By a library' });
    const deployment = { decisionId, environmentId, version, name: 'First', deployedBy: 'a library' };
    await ask('POST', '/deployments', deployment);
    const path = `/${environmentId}/decisions/${decisionId}/executions`;
    const { id } = await ask<{ id: string }>('POST', path, { fact: { x: 4 } });
    expect(await ask('GET', `/executions/${id}`)).to.deep.include({ version: 1, fact: { x: 4 }, result: { y: 8 } });
  });

  it('is told by code what it may not have', async () => {
    const client = await buildClient(store, { scopes: 'environments:read' });
    const config = await discover(client);
    const refused: unknown = await openid
      .clientCredentialsGrant(config, { scope: 'environment:write' })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(openid.ResponseBodyError).and.include({ error: 'invalid_scope', status: 400 });
  });
});
