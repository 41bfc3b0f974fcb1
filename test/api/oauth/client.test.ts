import { expect } from 'chai';
import * as openid from 'openid-client';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { freePort } from '../../../db/services/ports.js';

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

  it('is told by code what it may not have', async () => {
    const client = await buildClient(store, { scopes: 'environments:read' });
    const config = await discover(client);
    const refused: unknown = await openid
      .clientCredentialsGrant(config, { scope: 'environment:write' })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(openid.ResponseBodyError).and.include({ error: 'invalid_scope', status: 400 });
  });
});
