import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { call } from '../../support/http.js';
import { document, operations, planOf, send } from '../../support/operations/operations.js';
import { open, plans } from '../../support/operations/plans.js';
import { buildWorld, type World } from '../../support/operations/world.js';
import { testStore } from '../../support/scene.js';

/** It gives the secret that it makes, once. */
const gives = ['createClient', 'createClientSecret', 'setCallback', 'createCallbackSecret'];

describe('the contract: an answer', () => {
  // It has a log of its own, with all that is ever written into it.
  const app = useApp({ LOG_LEVEL: 'trace' });
  let world: World;
  const secret = 'a-secret-of-the-environment';
  before(async () => {
    world = await buildWorld(app, testStore(), 'answers');
    const { environmentId: id, caller } = world;
    await caller.put(`/logic/environments/${id}/variables/KEY`, { value: secret, secret: true });
  });

  it('is told of by the document that is served, and each operation there has a plan, or is open to anybody', async () => {
    expect((await call(`${app.baseUrl}/openapi.json`)).body).to.deep.equal(document);
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(all.map(({ operationId }) => operationId)).to.have.members([...Object.keys(plans), ...open]);
    expect([...operations.keys()]).to.have.members(Object.keys(plans));
  });

  for (const operation of operations.values()) {
    it(`of ${operation.id} shows no secret, and nor does the log`, async () => {
      const as = { authorization: `Bearer ${world.token}`, workspaceId: world.workspaceId };
      const { text, status } = await send(app.baseUrl, operation, planOf(operation).own(world), as);
      expect(status, text).to.be.oneOf([200, 201, 202, 204, 409, 412]);
      const secrets = [secret, world.token, world.client.secret];
      for (const each of secrets) expect(text + app.log(), operation.id).to.not.include(each);
      if (!gives.includes(operation.id)) expect(text).to.not.match(/"(secret|client_secret|clientSecret)":"/);
    });
  }
});
