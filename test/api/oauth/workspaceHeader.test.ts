import { request } from 'node:http';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { tokenOf } from '../../support/tokens.js';

const path = '/logic/environments';

describe('the workspace header', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let token: string;
  before(async () => {
    client = await buildClient(store);
    token = await tokenOf(app.baseUrl, client);
  });

  it('is one UUID, in whatever letters', async () => {
    for (const id of [client.workspaceId, client.workspaceId.toUpperCase()]) {
      const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': id };
      expect((await call(`${app.baseUrl}${path}`, { headers })).status).to.equal(200);
    }
  });

  it('is required', async () => {
    const answer = await call(`${app.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    expectProblem(answer, 'workspace_header_invalid', {
      instance: path,
      detail: 'The header X-Workspace-Id must name the workspace by its UUID.',
      errors: [{ in: 'header', pointer: 'X-Workspace-Id', message: 'is required' }],
    });
  });

  it('is refused when it is something else', async () => {
    for (const id of ['', 'x', `${client.workspaceId}0`, `${client.workspaceId}, ${client.workspaceId}`]) {
      const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': id };
      expectProblem(await call(`${app.baseUrl}${path}`, { headers }), 'workspace_header_invalid', {
        instance: path,
        errors: [{ in: 'header', pointer: 'X-Workspace-Id', message: 'must be one UUID' }],
      });
    }
  });

  it('is refused when it is there twice, though it says the same', async () => {
    const headers = ['Host', 'localhost', 'Connection', 'close', 'Authorization', `Bearer ${token}`];
    for (let time = 0; time < 2; time++) headers.push('X-Workspace-Id', client.workspaceId);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${app.baseUrl}${path}`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(400);
  });
});
