import { expect } from 'chai';
import type { Knex } from 'knex';
import { setVariable } from '../../../src/environments/variables.store.js';
import { rotateSecret } from '../../../src/access/clientSecrets.js';
import { rotateKey } from '../../../src/oauth/rotate.js';
import { createTenant, setPolicy } from '../../../src/access/workspaces.service.js';
import { openScratchStore } from '../../support/factories.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { doubling } from '../../support/models.js';
import { buildScene, type Scene } from '../../support/scene.js';

describe('a write whose audit entry cannot be appended', () => {
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  let app: TestApp;
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  let deploymentId: string;
  let unusedId: string;
  before(async () => {
    store = await openScratchStore();
    app = await bootApp({ DATABASE_URL: store.url });
    scene = await buildScene(app, { store });
    environmentId = await scene.environment();
    decisionId = await scene.decision('d.json', doubling(2));
    unusedId = await scene.decision('e.json', doubling(2));
    deploymentId = await scene.deploy(decisionId, environmentId, 1);
    await scene.variable(environmentId, 'V', 1);
    await rotateKey({ ...store, publishDelayS: 0, tokenLifetimeS: 60 });
    await store.database.raw('RENAME TABLE audit_entries TO audit_entries_away');
  });
  after(async () => {
    await app.stop();
    await store.close();
  });

  /** All rows that a write could have changed. */
  async function rows(): Promise<string> {
    const names = ['tenants', 'workspaces', 'policies', 'grants', 'clients', 'client_secrets', 'signing_keys'];
    const logic = ['environments', 'variables', 'deployments', 'routings', 'routing_heads'];
    const models = ['decisions', 'versions', 'version_dependencies'];
    const all: Knex.QueryBuilder[] = [...names, ...logic, ...models].map((name) => store.database(name));
    return JSON.stringify(await Promise.all(all));
  }

  const requests: Record<string, () => [method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object]> = {
    'a POST of an environment': () => ['post', '/logic/environments', { name: 'x' }],
    'a PATCH of an environment': () => ['patch', `/logic/environments/${environmentId}`, { name: 'x' }],
    'a DELETE of an environment': () => ['delete', `/logic/environments/${environmentId}`],
    'a PUT of a variable': () => ['put', `/logic/environments/${environmentId}/variables/V`, { value: 2 }],
    'a DELETE of a variable': () => ['delete', `/logic/environments/${environmentId}/variables/V`],
    'a PUT of hosts': () => ['put', `/logic/environments/${environmentId}/hosts`, { hosts: ['a.example'] }],
    'a POST of a deployment': () => [
      'post',
      '/logic/deployments',
      { decisionId, environmentId, name: 'x', deployedBy: 'x' },
    ],
    'a PATCH of a deployment': () => ['patch', `/logic/deployments/${deploymentId}`, { name: 'x' }],
    'a DELETE of a deployment': () => ['delete', `/logic/deployments/${deploymentId}`],
    'a POST of a decision': () => ['post', '/logic/decisions', { key: 'new.json', content: doubling(3) }],
    'a PATCH of a decision': () => ['patch', `/logic/decisions/${decisionId}`, { content: doubling(3) }],
    'a DELETE of a decision': () => ['delete', `/logic/decisions/${unusedId}`],
    'a POST of a version': () => ['post', `/logic/decisions/${decisionId}/versions`, {}],
    'an import that saves': () => [
      'post',
      '/logic/imports',
      { decisions: ['d.json', 'e.json', 'f.json'].map((key) => ({ key, content: doubling(4) })), save: true },
    ],
  };
  for (const [what, request] of Object.entries(requests)) {
    it(`leaves nothing: ${what}`, async () => {
      const [method, path, body] = request();
      const before = await rows();
      const { caller } = scene;
      const answer = method === 'delete' ? await caller.delete(path) : await caller[method](path, body);
      expectProblem(answer, 'internal_error', { instance: path });
      expect(await rows()).to.equal(before);
    });
  }

  const writes: Record<string, () => Promise<unknown>> = {
    'a tenant': () => createTenant(store, 'x'),
    'a policy': () =>
      setPolicy(
        store,
        { workspaceId: scene.workspaceId },
        { effect: 'allow', subjects: ['*'], roles: [], scopes: 'audit:read' },
      ),
    'a secret': () => rotateSecret(store, { id: scene.client.id }),
    'a key': () => rotateKey({ ...store, publishDelayS: 0, tokenLifetimeS: 60 }),
    'a variable': () =>
      setVariable(store, { workspaceId: scene.workspaceId, environmentId }, { name: 'W', value: 1, secret: false }),
  };
  for (const [what, write] of Object.entries(writes)) {
    it(`leaves nothing of ${what} that the operator writes`, async () => {
      const before = await rows();
      const failure: unknown = await write().catch((error: unknown) => error);
      expect(failure).to.be.an('error').with.property('errno', 1146);
      expect(await rows()).to.equal(before);
    });
  }

  it('leaves what is in force as it was', async () => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    expect((await scene.caller.post(path, { fact: { x: 4 } })).body).to.have.nested.property('result.y', 8);
  });
});
