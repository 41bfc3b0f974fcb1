import { expect } from 'chai';
import { changeClient } from '../../../src/access/clients.service.js';
import { useApp } from '../../support/app.js';
import type { ProblemCode } from '../../../src/errors.js';
import { expectProblem } from '../../support/asserts.js';
import { stopClock } from '../../support/clock.js';
import { type BuiltClient, buildClient, disableClient, grantOnly, useStore } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { askToken, tokenOf, type TokenBody } from '../../support/tokens.js';

const path = '/logic/environments';

describe('access of clients to workspaces', () => {
  const app = useApp();
  const store = useStore();

  const list = (token: string, workspaceId: string): Promise<Answer> =>
    call(`${app.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId } });

  const losses: readonly [what: string, lose: (client: BuiltClient) => Promise<unknown>, code: ProblemCode][] = [
    ['ends within 5 s of disabling the client', ({ id }) => disableClient(store, id), 'unauthorized'],
    ['ends within 5 s of revoking the grant', ({ id }) => grantOnly(store, id, []), 'forbidden'],
    [
      'loses within 5 s what the client loses',
      ({ id }) => changeClient(store, { id }, () => ({ scopes: ['environment:read'] })),
      'insufficient_scope',
    ],
  ];
  for (const [what, lose, code] of losses) {
    it(`${what}, for a token that was made before and is in use`, async () => {
      const client = await buildClient(store);
      const token = await tokenOf(app.baseUrl, client);
      expect((await list(token, client.workspaceId)).status).to.equal(200);
      await lose(client);
      const clock = stopClock();
      try {
        let answer = await list(token, client.workspaceId);
        for (let passedMs = 0; passedMs < 4900 && answer.status === 200; passedMs += 50) {
          await clock.pass(50);
          answer = await list(token, client.workspaceId);
        }
        expectProblem(answer, code, { instance: path });
      } finally {
        clock.release();
      }
    });
  }

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
