import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { timestamp, uuidV7 } from '../../support/asserts.js';
import { done, verdict } from '../../support/cli.js';
import { call } from '../../support/http.js';
import { askToken, type TokenBody } from '../../support/tokens.js';

interface Made {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
}

const makeTenant = async (): Promise<string> => (await done<Made>('tenant', 'create', '--name', 'T')).id;
const makeWorkspace = async (tenant: string): Promise<string> =>
  (await done<Made>('workspace', 'create', '--tenant', tenant, '--name', 'W')).id;

describe('verdict tenant, workspace, client, key, policy', () => {
  const app = useApp();

  it('make what a service needs to call the API', async () => {
    const tenant = await done<Made>('tenant', 'create', '--name', ' Animal Shelter ');
    expect(tenant).to.deep.equal({ id: tenant.id, name: 'Animal Shelter', createdAt: tenant.createdAt });
    expect(tenant.id).to.match(uuidV7);
    expect(tenant.createdAt).to.match(timestamp);
    const workspace = await done<Made>('workspace', 'create', '--tenant', tenant.id, '--name', 'support');
    expect(workspace).to.deep.equal({
      id: workspace.id,
      tenantId: tenant.id,
      name: 'support',
      limit: null,
      createdAt: workspace.createdAt,
    });
    const create = [
      'client',
      'create',
      '--tenant',
      tenant.id,
      '--name',
      'ci',
      '--scopes',
      'environments:read execution:write',
    ];
    create.push('--role', 'runner=execution:write', '--role', 'reader=environments:read');
    create.push('--resource', 'https://other.example', '--workspace', workspace.id);
    const client = await done<Made>(...create);
    expect(client).to.deep.equal({
      id: client.id,
      secret: client.secret,
      tenantId: tenant.id,
      name: 'ci',
      scopes: ['environments:read', 'execution:write'],
      roles: { runner: ['execution:write'], reader: ['environments:read'] },
      resources: ['https://other.example'],
      workspaces: [workspace.id],
      limit: null,
      expiresAt: null,
      disabledAt: null,
      createdAt: client.createdAt,
    });
    expect(client.secret).to.match(/^[\w-]{43}$/);

    const answer = await askToken(app.baseUrl, client, { grant_type: 'client_credentials', role: 'reader' });
    const { access_token: token, scope } = answer.body as TokenBody;
    expect(scope).to.equal('environments:read');
    const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspace.id };
    expect((await call(`${app.baseUrl}/logic/environments`, { headers })).status).to.equal(200);
  });

  it('print tables for people, the secret too', async () => {
    const tenant = await verdict('tenant', 'create', '--name', 'T\u001b[31m');
    expect(tenant.exit).to.equal(0);
    expect(tenant.stdout).to.match(/^id {7}[0-9a-f-]{36}\nname {5}T·\[31m\ncreated {2}\S+Z\n$/);
    const id = await makeTenant();
    const client = await verdict('client', 'create', '--tenant', id, '--name', 'c', '--scopes', 'environment:read');
    expect(client.stdout).to.match(/^secret +[\w-]{43}$/m);
    expect(client.stderr).to.equal('The secret is shown this once; it cannot be read again.\n');
  });

  it('grant, revoke, disable and rotate', async () => {
    const tenant = await makeTenant();
    const workspace = await makeWorkspace(tenant);
    const { id, secret } = await done<Made>(
      'client',
      'create',
      '--tenant',
      tenant,
      '--name',
      'c',
      '--scopes',
      'environment:read',
    );
    const pair = ['--client', id, '--workspace', workspace];
    for (let time = 0; time < 2; time++) {
      expect(await done('client', 'grant', ...pair)).to.deep.equal({
        clientId: id,
        workspaceId: workspace,
        granted: true,
      });
    }
    expect(await done('client', 'revoke', ...pair)).to.deep.equal({
      clientId: id,
      workspaceId: workspace,
      granted: false,
    });
    expect(await verdict('client', 'revoke', ...pair)).to.include({ exit: 1, stdout: '' });

    const rotated = await done<Made & { previousExpiresAt: string }>('client', 'rotate-secret', id);
    expect(rotated).to.deep.equal({ id, secret: rotated.secret, previousExpiresAt: rotated.previousExpiresAt });
    expect(rotated.previousExpiresAt).to.match(timestamp);
    for (const good of [secret, rotated.secret]) {
      expect((await askToken(app.baseUrl, { id, secret: good })).status).to.equal(200);
    }
    const disabled = await done<{ disabledAt: string }>('client', 'disable', id);
    expect(disabled).to.deep.equal({ id, disabledAt: disabled.disabledAt });
    expect(await done('client', 'disable', id), 'the first time stays').to.deep.equal(disabled);
    expect((await askToken(app.baseUrl, { id, secret })).status).to.equal(401);
  });

  it('rotate the signing key', async () => {
    const rotated = await done<Record<string, string>>('key', 'rotate');
    expect(Object.keys(rotated)).to.deep.equal(['kid', 'signsAt', 'previousExpireAt']);
    expect(rotated.signsAt).to.match(timestamp);
    expect((await verdict('key', 'rotate')).stdout).to.match(/^kid +[\w-]{43}$/m);
  });

  it('set, list and remove policies', async () => {
    const workspace = await makeWorkspace(await makeTenant());
    const in_ = ['--workspace', workspace];
    expect(await done('policy', 'list', ...in_)).to.deep.equal({ data: [], policies: [] });
    const allowing = [
      '--effect',
      'allow',
      '--role',
      'editor',
      '--role',
      'staff',
      '--scopes',
      'environment:read environments:read',
    ];
    const one = await done<Made>('policy', 'set', ...in_, ...allowing);
    expect(one).to.deep.equal({
      id: one.id,
      effect: 'allow',
      subjects: [],
      roles: ['editor', 'staff'],
      scopes: ['environment:read', 'environments:read'],
      expiresAt: null,
      createdAt: one.createdAt,
    });
    const two = await done<Made>(
      'policy',
      'set',
      ...in_,
      '--effect',
      'deny',
      '--subject',
      '*',
      '--scopes',
      'environment:read',
    );
    expect(await done('policy', 'list', ...in_)).to.deep.equal({ data: [one, two], policies: [one, two] });
    expect((await verdict('policy', 'list', ...in_)).stdout).to.include('editor staff');
    expect(await done('policy', 'remove', ...in_, one.id)).to.deep.equal({ id: one.id, removed: true });
    expect(await done('policy', 'list', ...in_)).to.deep.equal({ data: [two], policies: [two] });
    const foreign = ['--workspace', await makeWorkspace(await makeTenant())];
    expect((await verdict('policy', 'remove', ...foreign, two.id)).exit).to.equal(1);
  });

  it('refuse as the service does, with exit 1, a message and nothing on standard output', async () => {
    const [tenant, foreign] = [await makeTenant(), await makeWorkspace(await makeTenant())];
    const client = ['client', 'create', '--tenant', tenant, '--name', 'c', '--scopes', 'environment:read'];
    const rows: [string[], RegExp][] = [
      [['tenant', 'create', '--name', '  '], /1 to 255 characters/],
      [['workspace', 'create', '--tenant', randomUUID(), '--name', 'W'], /no tenant/],
      [[...client, '--role', 'r=environment:read', '--role', 'r=environment:read'], /twice/],
      [[...client, '--workspace', foreign], /has no workspace/],
      [['client', 'disable', randomUUID()], /no client/],
      [['policy', 'set', '--workspace', foreign, '--effect', 'allow', '--scopes', 'pool:read'], /a subject or a role/],
    ];
    for (const [args, message] of rows) {
      const ran = await verdict(...args);
      expect(ran).to.include({ exit: 1, stdout: '' });
      expect(ran.stderr)
        .to.match(/^error: [^\n]*\n( {2}[^\n]*\n)?$/)
        .and.match(message);
    }
  });
});
