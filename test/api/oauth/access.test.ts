import { expect } from 'chai';
import { changeClient } from '../../../src/access/clients.service.js';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { stopClock } from '../../support/clock.js';
import { buildClient, buildWorkspace, disableClient, grantOnly, useStore } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { askToken, tokenOf, type TokenBody } from '../../support/tokens.js';

const path = '/logic/environments';

describe('access of clients to workspaces', () => {
  const app = useApp();
  const store = useStore();

  const list = (token: string, workspaceId: string): Promise<Answer> =>
    call(`${app.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId } });

  it('is there at once where it is granted', async () => {
    const client = await buildClient(store);
    const token = await tokenOf(app.baseUrl, client);
    const own = await buildWorkspace(store, client.tenantId);
    expectProblem(await list(token, own), 'forbidden', {
      instance: path,
      detail: 'The principal has no access to this workspace.',
    });
    await grantOnly(store, client.id, [client.workspaceId, own]);
    expect((await list(token, own)).status).to.equal(200);
  });

  it('is what the token has, not what the client might ask for', async () => {
    const client = await buildClient(store, { roles: { writer: ['environment:write'] } });
    for (const form of [{ scope: 'environment:write' }, { role: 'writer' }]) {
      expect((await list(await tokenOf(app.baseUrl, client, form), client.workspaceId)).status).to.equal(403);
    }
  });

  it('ends within 5 s of disabling the client or revoking the grant, while both are in use', async () => {
    const [disabled, revoked] = [await buildClient(store), await buildClient(store)];
    const tokens = [await tokenOf(app.baseUrl, disabled), await tokenOf(app.baseUrl, revoked)];
    const ask = (): Promise<number[]> =>
      Promise.all([disabled, revoked].map(async (own, at) => (await list(tokens[at] ?? '', own.workspaceId)).status));
    expect(await ask()).to.deep.equal([200, 200]);
    await disableClient(store, disabled.id);
    await grantOnly(store, revoked.id, []);
    const clock = stopClock();
    try {
      let statuses = await ask();
      for (let passedMs = 0; passedMs < 4900 && statuses.includes(200); passedMs += 50) {
        await clock.pass(50);
        statuses = await ask();
      }
      expect(statuses).to.deep.equal([401, 403]);
    } finally {
      clock.release();
    }
  });

  it('loses within 5 s what the client loses, for a token that was made before', async () => {
    const client = await buildClient(store);
    const token = await tokenOf(app.baseUrl, client);
    expect((await list(token, client.workspaceId)).status).to.equal(200);
    await changeClient(store, { id: client.id }, () => ({ scopes: ['environment:read'] }));
    const clock = stopClock();
    try {
      let answer = await list(token, client.workspaceId);
      for (let passedMs = 0; passedMs < 4900 && answer.status === 200; passedMs += 50) {
        await clock.pass(50);
        answer = await list(token, client.workspaceId);
      }
      expectProblem(answer, 'insufficient_scope', { instance: path });
    } finally {
      clock.release();
    }
  });

  it('ends with the time of the client: no token of it is made for longer, or afterwards', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const client = await buildClient(store, { expiresAt });
    const { expires_in: seconds, access_token: token } = (await askToken(app.baseUrl, client)).body as TokenBody;
    expect(seconds).to.be.within(1, 600);
    expect((await list(token, client.workspaceId)).status).to.equal(200);
    await changeClient(store, { id: client.id }, () => ({ expiresAt: new Date(Date.now() - 1).toISOString() }));
    const clock = stopClock();
    try {
      await clock.pass(4900);
      expectProblem(await list(token, client.workspaceId), 'unauthorized', { instance: path });
      expect((await askToken(app.baseUrl, client)).status).to.equal(401);
    } finally {
      clock.release();
    }
  });
});
