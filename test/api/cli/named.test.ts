import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { verdict, verdictIn, verdictWith } from '../../support/cli.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useScene } from '../../support/scene.js';

const rowsOf = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true });

describe('what commands print for people', () => {
  const app = useApp();
  const scene = useScene(app);
  let place: { readonly environmentId: string; readonly decisionId: string; readonly deploymentId: string };
  before(async () => {
    const made = bodyOf(await scene.caller.post('/logic/environments', { name: 'Production' }), 201) as { id: string };
    place = await scene.deployed('shop/fees.json', doubling(2), made.id);
    const { environmentId, decisionId } = place;
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    bodyOf(await scene.caller.post(path, { fact: { x: 1 } }), 201);
  });

  const printed = async (...args: string[]): Promise<string> => {
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const { exit, stdout, stderr } = await verdictIn({ environment }, ...args);
    expect(exit, stderr).to.equal(0);
    return stdout;
  };

  it('names decisions by their keys and environments by their names where it lists executions', async () => {
    const table = await printed('execution', 'list');
    expect(table).to.match(/│ decision\s+│ environment\s+│ id\s+│/);
    expect(table).to.match(/│ shop\/fees\.json\s+│ Production\s+│ [0-9a-f-]{36} │/);
    expect(table).to.not.include(place.decisionId).and.not.include(place.environmentId);
  });

  it('says in the file of deployments who made each, as the document and the table do', async () => {
    const principal = `client:${scene.client.id}`;
    const [row, ...others] = rowsOf(await printed('deployment', 'list', '--csv', '--environment', 'Production'));
    expect(others).to.deep.equal([]);
    expect(row).to.include({
      ...{ id: place.deploymentId, decisionId: place.decisionId, decisionKey: 'shop/fees.json', version: '1' },
      ...{ environmentId: place.environmentId, environmentName: 'Production', inForce: 'true' },
      ...{ principal, principalName: 'Test client' },
    });
    expect(rowsOf(await printed('deployment', 'list', '--csv', '--decision', 'shop/fees.json'))).to.deep.equal([row]);
  });

  it('prints the audit trail of tenants as a file of all entries, and of one page where a size is named', async () => {
    const { client, tenantId } = scene;
    const all = await verdict('tenant', 'audit', '--tenant', tenantId, '--csv');
    expect(all.exit, all.stderr).to.equal(0);
    const entries = rowsOf(all.stdout);
    const made = entries.find(({ action }) => action === 'client.create');
    expect(made).to.include({ tenantId, 'resource.type': 'client', 'resource.id': client.id, before: '' });
    expect(JSON.parse(made?.['after'] ?? '')).to.have.property('id', client.id);
    const { json } = await verdict('tenant', 'audit', '--tenant', tenantId, '--size', '5000', '--json');
    expect(entries.map(({ id }) => id)).to.deep.equal(
      (json as { entries: { id: string }[] }).entries.map(({ id }) => id),
    );
    const one = await verdict('tenant', 'audit', '--tenant', tenantId, '--csv', '--size', '1');
    expect(rowsOf(one.stdout)).to.deep.equal(entries.slice(0, 1));
  });

  it('takes the workspace of policies from VERDICT_WORKSPACE where it is not named', async () => {
    const named = { VERDICT_WORKSPACE: scene.workspaceId };
    const made = await verdictWith(
      named,
      'policy',
      'set',
      '--effect',
      'allow',
      '--role',
      'a',
      '--scopes',
      'decision:read',
      '--json',
    );
    expect(made.exit, made.stderr).to.equal(0);
    const { id } = made.json as { id: string };
    const list = await verdictWith(named, 'policy', 'list', '--json');
    expect((list.json as { policies: { id: string }[] }).policies.map((policy) => policy.id)).to.include(id);
    const removed = await verdictWith(named, 'policy', 'remove', id);
    expect(removed.exit, removed.stderr).to.equal(0);
    const without = await verdict('policy', 'list');
    expect(without).to.deep.include({ exit: 2 });
    expect(without.stderr).to.include("required option '--workspace <id>' not specified");
  });
});
