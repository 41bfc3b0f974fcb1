import { expect } from 'chai';
import { done, verdict } from '../../support/cli.js';

interface Made {
  readonly id: string;
  readonly secret: string;
}

describe('verdict tenant list, workspace list, client list', () => {
  it('show a tenant, its workspaces and clients, and nothing of another tenant', async () => {
    const { id: other } = await done<Made>('tenant', 'create', '--name', 'Other');
    const tenant = await done<Made>('tenant', 'create', '--name', 'Listed\u001b[31m');
    const in_ = ['--tenant', tenant.id];
    const workspaces = [await done<Made>('workspace', 'create', ...in_, '--name', 'one')];
    workspaces.push(await done<Made>('workspace', 'create', ...in_, '--name', 'two'));
    const create = ['client', 'create', ...in_, '--scopes', 'execution:write', '--role', 'r=execution:write'];
    const ids = workspaces.map(({ id }) => id);
    const { secret, ...client } = await done<Made>(
      ...[...create, '--name', 'a'],
      ...ids.flatMap((id) => ['--workspace', id]),
    );
    const gone = await done<Made>(...create, '--name', 'gone', '--resource', 'https://other.example');
    const { disabledAt } = await done<{ disabledAt: string }>('client', 'disable', gone.id);

    const { tenants } = await done<{ tenants: Made[] }>('tenant', 'list');
    expect(tenants.map(({ id }) => id))
      .to.include.members([other, tenant.id])
      .and.deep.equal(tenants.map(({ id }) => id).sort());
    expect(tenants).to.deep.include(tenant);
    expect(await done('workspace', 'list', ...in_)).to.deep.equal({ data: workspaces, workspaces });
    expect((await done<{ workspaces: Made[] }>('workspace', 'list')).workspaces).to.deep.include.members(workspaces);
    const listed = await done<{ clients: Made[] }>('client', 'list', ...in_);
    const { secret: secretOfGone, ...itsFields } = gone;
    const both = [
      { ...client, disabledAt: null },
      { ...itsFields, disabledAt },
    ];
    expect(listed).to.deep.equal({ data: both, clients: both });
    expect((await done<{ clients: Made[] }>('client', 'list')).clients).to.deep.include.members(listed.clients);
    expect(JSON.stringify(listed)).to.not.contain(secret).and.not.contain(secretOfGone);
    expect(await done('workspace', 'list', '--tenant', other)).to.deep.equal({ data: [], workspaces: [] });
    expect(await done('client', 'list', '--tenant', other)).to.deep.equal({ data: [], clients: [] });
  });

  it('draw tables for people', async () => {
    const tenant = await done<Made>('tenant', 'create', '--name', 'Table\u001b[31m');
    const in_ = ['--tenant', tenant.id];
    expect((await verdict('client', 'list', ...in_)).stdout).to.equal('nothing found\n');
    const { id: workspace } = await done<Made>('workspace', 'create', ...in_, '--name', 'W');
    const create = ['client', 'create', ...in_, '--name', 'c', '--scopes', 'execution:write'];
    const { id: client } = await done<Made>(...create, '--workspace', workspace);
    expect((await verdict('tenant', 'list')).stdout)
      .to.match(/│ name +│ id +│ created +│/)
      .and.contain(`Table·[31m`);
    expect((await verdict('workspace', 'list', ...in_)).stdout).to.match(
      new RegExp(`│ W +│ ${workspace} │ ${tenant.id} │`),
    );
    expect((await verdict('client', 'list', ...in_)).stdout).to.match(
      new RegExp(`│ c +│ ${client} │ ${tenant.id} │ 1 +│ +│ \\S+Z │ +│`),
    );
  });
});
