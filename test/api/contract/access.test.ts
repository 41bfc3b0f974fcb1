import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem } from '../../support/asserts.js';
import { pathOf, planOf, refused } from '../../support/operations/operations.js';
import { basic } from '../../support/tokens.js';
import { operationsThat, useStage } from './stage.js';

/** Beside these, attacks/tenancy asks each operation as everybody who must not be served. */
describe('the contract: who asks', () => {
  const stage = useStage();

  for (const operation of operationsThat(() => true)) {
    it(`for ${operation.id} without a good token, or a workspace, is told so before anything else`, () =>
      stage.unchanged(async () => {
        const { world } = stage;
        const { params } = planOf(operation).own(world);
        const instance = pathOf(operation, params);
        const wrong = { query: '?other=1', headers: { 'Content-Type': 'text/plain' }, body: Buffer.from('{') };
        const bad = operation.bodyType !== undefined ? wrong : { query: '?other=1' };
        const none = [undefined, 'Bearer', 'Bearer x', 'Bearer x.y.z', `Token ${world.token}`, 'Basic x'];
        const asClient = operation.inWorkspace ? [basic(world.client.id, world.client.secret)] : [];
        for (const authorization of [...none, ...asClient]) {
          const answer = await stage.ask(operation, bad, { authorization, workspaceId: 'x' });
          refused(answer, 'unauthorized', instance, { 'WWW-Authenticate': /^(Basic|Bearer) realm="verdict"/ });
        }
        if (!operation.inWorkspace) return;
        const { authorization } = stage.as;
        for (const [workspaceId, message] of [
          [undefined, 'is required'],
          ['', 'must be one UUID'],
          ['x', 'must be one UUID'],
          [`${world.workspaceId}, ${world.workspaceId}`, 'must be one UUID'],
        ] as const) {
          const answer = await stage.ask(operation, bad, { authorization, workspaceId });
          const errors = [{ in: 'header', pointer: 'X-Workspace-Id', message } as const];
          expectProblem(answer, 'workspace_header_invalid', { instance, errors });
        }
        refused(await stage.ask(operation, bad, { authorization, workspaceId: randomUUID() }), 'forbidden', instance);
        const inCapitals = { authorization, workspaceId: world.workspaceId.toUpperCase() };
        const served = await stage.ask(operation, { query: '?other=1' }, inCapitals);
        expect(served.status, served.text).to.equal(400);
      }));
  }
});
