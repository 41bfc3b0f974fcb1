import { Owners } from '../../../src/admission/owners.js';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { clientPrincipal, userPrincipal } from '../../../src/oauth/principal.js';
import { createAccess } from '../../../src/workspaces/access.js';
import { createTenant, createWorkspace, removePolicy, setPolicy } from '../../../src/access/workspaces.service.js';
import { listPolicies } from '../../../src/workspaces/policies.store.js';
import { createRates } from '../../../src/rates/rates.js';
import { timestamp } from '../../support/asserts.js';
import { buildWorkspace, openStore, useStore } from '../../support/factories.js';
import { testPace } from '../../support/settings.js';

describe('access to workspaces', () => {
  const store = useStore();

  async function refusal(work: () => unknown): Promise<[code: string, message: string]> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Problem) return [error.code, error.message];
      throw error;
    }
    return expect.fail('not refused');
  }
  const alice = userPrincipal({ issuer: 'https://id.example', subject: 'alice', roles: ['staff'] });
  const policy = { effect: 'allow', subjects: ['alice'], roles: [], scopes: ['environment:read'] } as const;

  it('is answered 503 while MySQL cannot be reached', async () => {
    const gone = openStore({ DATABASE_URL: 'mysql://root@127.0.0.1:1/verdict' });
    const blind = createAccess({
      ...gone,
      owners: new Owners(),
      rates: createRates(null),
      maxAgeMs: testPace.accessAge,
    });
    const client = clientPrincipal({ id: randomUUID(), tenantId: randomUUID(), scopes: new Set() });
    for (const principal of [client, alice]) {
      const [code] = await refusal(() => blind.scopesIn(randomUUID(), principal));
      expect(code).to.equal('dependency_unavailable');
    }
    await gone.close();
  });

  it('keeps policies as they were made, oldest first, and removes one of the workspace alone', async () => {
    const [workspaceId, other] = [await buildWorkspace(store), await buildWorkspace(store)];
    const denial = { effect: 'deny', subjects: ['*', 'https://id.example#bob'], roles: ['guest'] } as const;
    const made = [
      await setPolicy(store, { workspaceId }, policy),
      await setPolicy(
        store,
        { workspaceId },
        { ...denial, scopes: ['execution:write', 'environment:read', 'execution:write'] },
      ),
    ];
    const stored = await listPolicies(store.database, workspaceId);
    expect(stored).to.deep.equal(made);
    expect(stored[1]).to.deep.include({ ...denial, scopes: ['execution:write', 'environment:read'] });
    expect(stored[0]?.createdAt).to.match(timestamp);
    const [first, second] = made.map(({ id }) => id) as [string, string];
    const absent = (id: string): string[] => ['policy_not_found', `There is no policy ${id} in this workspace.`];
    expect(await refusal(() => removePolicy(store, { workspaceId: other, policyId: first }))).to.deep.equal(
      absent(first),
    );
    await removePolicy(store, { workspaceId, policyId: first });
    expect(await refusal(() => removePolicy(store, { workspaceId, policyId: first }))).to.deep.equal(absent(first));
    expect((await listPolicies(store.database, workspaceId)).map(({ id }) => id)).to.deep.equal([second]);
  });

  it('is by no policy of no workspace', async () => {
    const workspaceId = randomUUID();
    const set = () => setPolicy(store, { workspaceId }, policy);
    expect(await refusal(set)).to.deep.equal(['workspace_not_found', `There is no workspace ${workspaceId}.`]);
  });

  it('is to tenants with names of 1 to 255 characters, and to their workspaces', async () => {
    const named = (name: string) => () => createTenant(store, name);
    expect((await named('  🦊 ')()).name).to.equal('🦊');
    await named('🦊'.repeat(255))();
    for (const name of ['', ' \n', 'x'.repeat(256), '🦊'.repeat(256)]) {
      expect(await refusal(named(name))).to.deep.equal(['validation_failed', 'A name has 1 to 255 characters.']);
    }
    const nowhere = randomUUID();
    expect(await refusal(() => createWorkspace(store, { tenantId: nowhere, name: 'x' }))).to.deep.equal([
      'reference_not_found',
      `There is no tenant ${nowhere}.`,
    ]);
  });
});
