import { expect } from 'chai';
import { roleNames, roles, type RoleName } from '../../src/oauth/roles.js';
import { useApp } from '../support/app.js';
import { runVerdict } from '../support/cli.js';
import { callerOf, type Caller } from '../support/http.js';
import { doubling } from '../support/models.js';
import { remoteEnvironment } from '../support/remote.js';
import { buildScene, useScene } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';
import { bodyOf } from '../support/asserts.js';

interface Made {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
}

describe('a client by the name of a role', () => {
  const app = useApp();
  const scene = useScene(app);
  const create = (fields: object) =>
    scene.caller.post('/core/v1/clients', { name: 'x', workspaces: [scene.workspaceId], ...fields });

  it('has the scopes of the role, which answers show', async () => {
    for (const role of roleNames) {
      expect((bodyOf(await create({ role }), 201) as Made).scopes, role).to.have.members(roles[role].scopes);
    }
  });

  it('is changed by it as well: it loses what the role has not', async () => {
    const { id } = (await create({ scopes: ['pool:read', 'execution:write'] })).body as Made;
    const { body } = await scene.caller.patch(`/core/v1/clients/${id}`, { role: 'caller' });
    expect((body as Made).scopes).to.deep.equal(['execution:write']);
  });

  it('is refused with scopes beside the role, without either, and with a role that there is not', async () => {
    for (const [fields, pointer] of [
      [{ role: 'caller', scopes: ['pool:read'] }, '/role'],
      [{}, '/scopes'],
      [{ role: 'root' }, '/role'],
    ] as const) {
      const { status, body } = await create(fields);
      expect(status).to.equal(400);
      expect((body as { errors: { pointer: string }[] }).errors.map((error) => error.pointer)).to.deep.equal([pointer]);
    }
  });

  it('is refused where the giver lacks a scope of the role', async () => {
    const weak = await buildScene(app, { scopes: 'client:write decision:read' });
    const { body } = await weak.caller.post('/core/v1/clients', { name: 'x', role: 'auditor' });
    expect(body).to.include({ code: 'exceeds_own_rights' });
  });

  it('does together what they part: one writes, one deploys, one executes, one looks', async () => {
    const as = async (role: RoleName): Promise<Caller> => {
      const made = (await create({ role })).body as Made;
      return callerOf(app.baseUrl, await tokenOf(app.baseUrl, made), scene.workspaceId);
    };
    const [author, operator, caller, auditor] = await Promise.all(
      (['author', 'operator', 'caller', 'auditor'] as const).map(as),
    );
    const made = await author!.post('/logic/decisions', { key: 'roles.json', content: doubling(2) });
    const { id: decisionId } = made.body as Made;
    expect((await author!.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    const { id: environmentId } = (await operator!.post('/logic/environments', { name: 'Live' })).body as Made;
    const deployment = { decisionId, environmentId, version: 1, name: 'D', deployedBy: 'x' };
    expect((await author!.post('/logic/deployments', deployment)).body).to.include({ code: 'insufficient_scope' });
    expect((await operator!.post('/logic/deployments', deployment)).status).to.equal(201);
    const executed = await caller!.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, {
      fact: { x: 2 },
    });
    expect(executed.body).to.deep.include({ result: { y: 4 } });
    expect((await caller!.get('/logic/executions')).body).to.include({ code: 'insufficient_scope' });
    const { id } = executed.body as Made;
    expect((await auditor!.get(`/logic/executions/${id}/explanation`)).body).to.deep.include({ exact: true });
    expect((await auditor!.patch(`/logic/decisions/${decisionId}`, { key: 'x.json' })).body).to.include({
      code: 'insufficient_scope',
    });
  });

  it('is made by the command line, and a role that there is not is told with those that there are', async () => {
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const run = (...words: string[]) =>
      runVerdict(['client', 'create', '--name', 'x', ...words, '--json'], { environment });
    const made = await run('--role', 'auditor', '--role', 'reader=audit:read');
    expect(JSON.parse(made.stdout)).to.deep.include({ roles: { reader: ['audit:read'] } });
    expect((JSON.parse(made.stdout) as Made).scopes).to.have.members(roles.auditor.scopes);
    const wrong = await run('--role', 'root');
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('author, approver, auditor, operator, caller');
    expect((await run()).code).to.equal(2);
    expect((await run('--role', 'caller', '--scopes', 'pool:read')).code).to.equal(2);
  });
});
