import { expect } from 'chai';
import type { Knex } from 'knex';
import { setVariable } from '../../../src/environments/variables.store.js';
import { rotateSecret } from '../../../src/access/clientSecrets.js';
import { rotateKey } from '../../../src/oauth/rotate.js';
import { createTenant, setPolicy } from '../../../src/access/workspaces.service.js';
import { openScratchStore } from '../../support/factories.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { doubling } from '../../support/models.js';
import { buildScene, type Scene } from '../../support/scene.js';

/** Of writes by HTTP see contract/audit.test.ts. */
describe('a write whose audit entry cannot be appended', () => {
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  let app: TestApp;
  let scene: Scene;
  let environmentId: string;
  let decisionId: string;
  before(async () => {
    store = await openScratchStore();
    app = await bootApp({ DATABASE_URL: store.url });
    scene = await buildScene(app, { store });
    ({ decisionId, environmentId } = await scene.deployed('d.json', doubling(2)));
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

  const writes: Record<string, () => Promise<unknown>> = {
    'a tenant': () => createTenant(store, 'x'),
    'a policy': () =>
      setPolicy(
        store,
        { workspaceId: scene.workspaceId },
        { effect: 'allow', subjects: ['*'], roles: [], scopes: ['audit:read'] },
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
