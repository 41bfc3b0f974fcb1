import { expect } from 'chai';
import { createWorkspace, setPolicy } from '../../../src/access/workspaces.service.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { buildClient, buildTenant, openScratchStore } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { startIssuer, type Issuer } from '../../support/issuer.js';
import { tokenOf } from '../../support/tokens.js';

const path = '/logic/workspaces';

interface Listed {
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly page: { readonly size: number; readonly total: number; readonly after: string; readonly before: string };
}

describe('GET /logic/workspaces', () => {
  let app: TestApp;
  let store: Awaited<ReturnType<typeof openScratchStore>>;
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer();
    // Of its own: other tests let every user into workspaces.
    store = await openScratchStore();
    const settings = { DATABASE_URL: store.url };
    app = await bootApp({ ...settings, TRUSTED_ISSUERS: JSON.stringify([issuer.setting]) });
  });
  after(async () => {
    await app.stop();
    await store.close();
    issuer.close();
  });

  const get = (token: string, query = ''): Promise<Answer> =>
    call(app.baseUrl + path + query, { headers: { Authorization: `Bearer ${token}` } });
  const list = async (token: string, query = ''): Promise<Listed> => bodyOf(await get(token, query)) as Listed;
  const make = async (tenantId: string, ...names: string[]): Promise<{ id: string; name: string }[]> => {
    const made = [];
    for (const name of names) {
      const { id } = await createWorkspace(store, { tenantId, name });
      made.push({ id, name });
    }
    return made;
  };

  it('gives a client those that it is granted, whatever its scopes, and no others of its tenant', async () => {
    const tenantId = await buildTenant(store);
    const [one, , three, four] = await make(tenantId, 'one', 'two', 'three', 'four');
    await buildClient(store);
    const workspaces = [four!.id, one!.id, three!.id];
    const token = await tokenOf(app.baseUrl, await buildClient(store, { tenantId, workspaces, scopes: 'audit:read' }));
    const whole = await list(token);
    const { after, before } = whole.page;
    expect(whole).to.deep.equal({ data: [one, three, four], page: { size: 3, total: 3, after, before } });
    const first = await list(token, '?size=2');
    expect(first.data).to.deep.equal([one, three]);
    expect(first.page.total).to.equal(3);
    expect((await list(token, `?size=2&after=${first.page.after}`)).data).to.deep.equal([four]);
    expect((await list(token, `?size=1&before=${after}`)).data).to.deep.equal([three]);
    const none = await tokenOf(app.baseUrl, await buildClient(store, { tenantId, workspaces: [] }));
    expect(await list(none)).to.deep.equal({ data: [], page: { size: 0, total: 0, after: null, before: null } });
  });

  it('gives an end user those whose policies allow them something', async () => {
    const [bySubject, byIssuer, byRole, denied, half, others] = await make(
      await buildTenant(store),
      ...['by subject', 'by issuer', 'by role', 'denied', 'half', 'others'],
    );
    const subject = `al"ice\\-${Date.now()}`;
    const role = `ro"le-${Date.now()}`;
    const usual = { effect: 'allow', subjects: [], roles: [], scopes: ['environment:read', 'audit:read'] } as const;
    const allow = (workspace: { id: string } | undefined, named: { subjects?: string[]; roles?: string[] }) =>
      setPolicy(store, { workspaceId: workspace!.id }, { ...usual, ...named });
    await allow(bySubject, { subjects: ['bob', subject] });
    await allow(byIssuer, { subjects: [`${issuer.name}#${subject}`] });
    await allow(byRole, { roles: [role] });
    await allow(denied, { subjects: [subject] });
    await allow(half, { subjects: [subject] });
    await allow(others, { subjects: [`${subject}x`, `x${subject}`, `https://other.example#${subject}`, role] });
    const deny = { effect: 'deny', subjects: [], roles: [role] } as const;
    await setPolicy(store, { workspaceId: denied!.id }, { ...deny, scopes: ['environment:read', 'audit:read'] });
    await setPolicy(store, { workspaceId: half!.id }, { ...deny, scopes: ['environment:read'] });
    const token = await issuer.tokenOf(subject, { roles: [role] });
    const data = [bySubject, byIssuer, byRole, half];
    expect((await list(token)).data).to.deep.equal(data);
    const first = await list(token, '?size=3');
    expect([first.data, first.page.total]).to.deep.equal([data.slice(0, 3), 4]);
    expect((await list(token, `?after=${first.page.after}`)).data).to.deep.equal([half]);
    expect((await list(await issuer.tokenOf(`nobody-${Date.now()}`))).data).to.deep.equal([]);
    await store.database('policies').where('workspace_id', idToBytes(byIssuer!.id)).delete();
    expect((await list(token)).data).to.deep.equal([bySubject, byRole, half]);
  });
});
