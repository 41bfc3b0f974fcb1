import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { findActiveClient, findClient } from '../../../src/oauth/clients.store.js';
import { createClient } from '../../../src/access/clients.service.js';
import { rotateSecret } from '../../../src/access/clientSecrets.js';
import { listLiveSecrets } from '../../../src/oauth/secrets.store.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { findGrant, grantsOf } from '../../../src/workspaces/grants.store.js';
import { useStoppedClock } from '../../support/clock.js';
import {
  buildClient,
  buildTenant,
  buildWorkspace,
  digestOf,
  disableClient,
  grantOnly,
  openStore,
  useStore,
} from '../../support/factories.js';

describe('registration of clients', () => {
  const store = useStore();
  let tenantId: string;
  const clock = useStoppedClock();
  beforeEach(async () => {
    tenantId = await buildTenant(store);
  });

  async function refusal(work: Promise<unknown>): Promise<[code: string, message: string]> {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    return error instanceof Problem ? [error.code, error.message] : expect.fail(String(error));
  }

  const fields = {
    ...{ name: ' Shelter ', scopes: ['environment:read', 'execution:write', 'environment:read'] },
    ...{ roles: {}, resources: [], workspaces: [] },
  };

  it('stores what it was given, and the secret as a digest', async () => {
    const resources = ['https://other.example/api', 'urn:example:one'];
    const roles = { reader: ['environment:read'], runner: ['execution:write', 'environment:read'] };
    const { client, secret } = await createClient(store, { ...fields, tenantId, roles, resources });
    const { id, createdAt } = client;
    expect(await findClient(store.database, id)).to.deep.equal({
      id,
      tenantId,
      name: 'Shelter',
      scopes: ['environment:read', 'execution:write'],
      roles: new Map(Object.entries(roles)),
      resources,
      limit: null,
      bucketId: null,
      expiresAt: null,
      disabledAt: null,
      createdAt,
    });
    expect(secret).to.match(/^[\w-]{43}$/);
    const secrets = await listLiveSecrets(store.database, id, new Date());
    expect(secrets.map(({ digest }) => digest)).to.deep.equal([await digestOf(store, secret)]);
  });

  const wrong: [what: string, changes: object, message: string][] = [
    ['a role with blanks', { roles: { ' r': ['environment:read'] } }, 'A role has a name without blanks around it.'],
    [
      'a role with more than the client has',
      { roles: { r: ['environment:read', 'environment:write', 'evaluation:write'] } },
      'The role r has scopes that the client has not: environment:write evaluation:write.',
    ],
    ...['x', '/path', 'https://a.example/#here', 'https://a.example/ b'].map((resource): [string, object, string] => [
      `the resource ${resource}`,
      { resources: ['https://a.example/', resource] },
      `The resource ${resource} is not an absolute URI without fragment.`,
    ]),
  ];
  for (const [what, changes, message] of wrong) {
    it(`refuses ${what}`, async () => {
      const made = createClient(store, { ...fields, tenantId, ...changes });
      expect(await refusal(made)).to.deep.equal(['validation_failed', message]);
    });
  }

  it('refuses a tenant or workspace that is not there, and then stores nothing', async () => {
    const nowhere = randomUUID();
    expect(await refusal(createClient(store, { ...fields, tenantId: nowhere }))).to.deep.equal([
      'reference_not_found',
      `There is no tenant ${nowhere}.`,
    ]);
    const [own, foreign] = [await buildWorkspace(store, tenantId), await buildWorkspace(store)];
    const made = createClient(store, { ...fields, tenantId, workspaces: [own, foreign] });
    expect(await refusal(made)).to.deep.equal([
      'reference_not_found',
      `The client's tenant has no workspace ${foreign}.`,
    ]);
    const stored = await store.database('clients').where('tenant_id', idToBytes(tenantId));
    expect(stored).to.deep.equal([]);
  });

  it('leaves other errors of MySQL as they are', async () => {
    const gone = openStore({ DATABASE_URL: 'mysql://root@127.0.0.1:1/verdict' });
    const error: unknown = await createClient(gone, { ...fields, tenantId }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'ECONNREFUSED' });
    await gone.close();
  });

  it('is granted workspaces of its tenant, once or twice, until it is granted others', async () => {
    const { id: clientId, workspaceId: first } = await buildClient(store, { tenantId });
    const own = await buildWorkspace(store, tenantId);
    const foreign = await buildWorkspace(store);
    await grantOnly(store, clientId, [first, own]);
    await grantOnly(store, clientId, [own, first]);
    const other = await buildClient(store, { tenantId });
    const foreigner = await buildClient(store);
    const listed = await grantsOf(store.database, tenantId, [clientId, other.id, foreigner.id]);
    expect([...listed]).to.deep.equal([
      [clientId, [first, own]],
      [other.id, [other.workspaceId]],
    ]);
    expect(await refusal(grantOnly(store, clientId, [first, own, foreign]))).to.deep.equal([
      'reference_not_found',
      `The client's tenant has no workspace ${foreign}.`,
    ]);
    await grantOnly(store, clientId, [first]);
    expect(await findGrant(store.database, { tenantId, clientId, workspaceId: own })).to.equal(undefined);
    expect(await findGrant(store.database, { tenantId, clientId, workspaceId: first })).to.deep.equal({ limit: null });
  });

  it('counts as its tenant’s until it is disabled; one that is not there counts as nobody’s', async () => {
    const { id } = await buildClient(store, { tenantId });
    expect(await findActiveClient(store.database, id)).to.deep.include({ id, tenantId });
    await disableClient(store, id);
    expect(await findActiveClient(store.database, id)).to.equal(undefined);
    expect(await findActiveClient(store.database, randomUUID())).to.equal(undefined);
  });

  it('disables once, at the first time', async () => {
    const { id } = await buildClient(store, { tenantId });
    const { disabledAt } = await disableClient(store, id);
    expect(Date.parse(disabledAt ?? '')).to.equal(Date.now());
    await clock.pass(10);
    expect((await disableClient(store, id)).disabledAt).to.equal(disabledAt);
  });

  it('rotates a secret: the one before lives for a day more, an older one not at all', async () => {
    const { id, secret } = await buildClient(store, { tenantId });
    const second = await rotateSecret(store, { id });
    const day = 24 * 60 * 60 * 1000;
    expect(Date.parse(second.previousExpiresAt ?? '')).to.equal(Date.now() + day);
    const digests = async (at = new Date()): Promise<Buffer[]> =>
      (await listLiveSecrets(store.database, id, at)).map(({ digest }) => digest);
    const of = (text: string): Promise<Buffer> => digestOf(store, text);
    expect(await digests()).to.deep.equal([await of(second.secret), await of(secret)]);
    expect(await digests(new Date(Date.now() + day))).to.deep.equal([await of(second.secret)]);
    const third = await rotateSecret(store, { id });
    expect(await digests()).to.deep.equal([await of(third.secret), await of(second.secret)]);
  });

  it('gives a client without a live secret a new one', async () => {
    const { id } = await buildClient(store, { tenantId });
    await store.database('client_secrets').where('client_id', idToBytes(id)).delete();
    const { secret, previousExpiresAt } = await rotateSecret(store, { id });
    expect(previousExpiresAt).to.equal(null);
    const secrets = await listLiveSecrets(store.database, id, new Date());
    expect(secrets.map(({ digest }) => digest)).to.deep.equal([await digestOf(store, secret)]);
  });

  it('rotates twice at once as one after the other', async () => {
    const { id } = await buildClient(store, { tenantId });
    const made = await Promise.all([rotateSecret(store, { id }), rotateSecret(store, { id })]);
    const digests = (await listLiveSecrets(store.database, id, new Date())).map(({ digest }) => digest.toString('hex'));
    const expected = await Promise.all(made.map(({ secret }) => digestOf(store, secret)));
    expect(digests.sort()).to.deep.equal(expected.map((digest) => digest.toString('hex')).sort());
  });
});
