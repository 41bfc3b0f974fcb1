import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { timestamp } from '../../support/asserts.js';
import { done, verdict } from '../../support/cli.js';
import { call } from '../../support/http.js';
import { askToken, type TokenBody } from '../../support/tokens.js';

interface Made {
  readonly id: string;
  readonly secret: string;
}

/** What each of these commands prints, and what each refuses, is in test/golden/cli/operators.txt. */
describe('verdict tenant, workspace, client, key', () => {
  const app = useApp();

  it('make what a service needs to call the API, and list tenants', async () => {
    const [{ id: other }, { id: tenant }] = [
      await done<Made>('tenant', 'create', '--name', 'Other'),
      await done<Made>('tenant', 'create', '--name', 'Animal Shelter'),
    ];
    const { id: workspace } = await done<Made>('workspace', 'create', '--tenant', tenant, '--name', 'support');
    const scopes = ['--scopes', 'environments:read execution:write', '--role', 'reader=environments:read'];
    const created = ['client', 'create', '--tenant', tenant, '--name', 'ci', ...scopes, '--workspace', workspace];
    const client = await done<Made>(...created);
    const answer = await askToken(app.baseUrl, client, { grant_type: 'client_credentials', role: 'reader' });
    const { access_token: token, scope } = answer.body as TokenBody;
    expect(scope).to.equal('environments:read');
    const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspace };
    expect((await call(`${app.baseUrl}/logic/environments`, { headers })).status).to.equal(200);

    const { tenants } = await done<{ tenants: Made[] }>('tenant', 'list');
    const ids = tenants.map(({ id }) => id);
    expect(ids)
      .to.include.members([other, tenant])
      .and.deep.equal([...ids].sort());
  });

  it('rotate the signing key', async () => {
    const rotated = await done<Record<string, string>>('key', 'rotate');
    expect(Object.keys(rotated)).to.deep.equal(['kid', 'signsAt', 'previousExpireAt']);
    expect(rotated.signsAt).to.match(timestamp);
    expect((await verdict('key', 'rotate')).stdout).to.match(/^kid +[\w-]{43}$/m);
  });

  it('refuse a role that is named twice', async () => {
    const { id } = await done<Made>('tenant', 'create', '--name', 'T');
    const role = ['--role', 'r=environment:read'];
    const create = ['client', 'create', '--tenant', id, '--name', 'c', '--scopes', 'environment:read'];
    const ran = await verdict(...create, ...role, ...role);
    expect(ran).to.include({ exit: 1, stdout: '' });
    expect(ran.stderr).to.match(/^error: [^\n]*twice/);
  });

  it('refuse to look for what no entry can be', async () => {
    const { exit, stdout, stderr } = await verdict('tenant', 'audit', '--action', 'client.crate');
    expect({ exit, stdout }).to.deep.equal({ exit: 2, stdout: '' });
    expect(stderr).to.include("option '--action <action>' argument 'client.crate' is invalid");
  });

  it('show of whatever ends by itself when it does', async () => {
    const { id: tenant } = await done<Made>('tenant', 'create', '--name', 'T');
    const { id: workspace } = await done<Made>('workspace', 'create', '--tenant', tenant, '--name', 'W');
    const scopes = ['--scopes', 'environment:read', '--expires', '2099-01-31'];
    const made = [
      await verdict('client', 'create', '--tenant', tenant, '--name', 'c', ...scopes),
      await verdict('client', 'list', '--tenant', tenant),
      await verdict('policy', 'set', '--workspace', workspace, '--effect', 'allow', '--subject', 'ann', ...scopes),
      await verdict('policy', 'list', '--workspace', workspace),
    ];
    for (const { stdout, stderr } of made) expect(stdout, stderr).to.match(/2099-01-31T00:00:00.000Z/);
  });
});
