import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AuditEntry } from '../../../src/audit/audit.store.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { all, ask, protect } from '../../support/changes.js';
import { doubling } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

describe('the audit trail about a decision or an environment', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  it('has what was done with its deployments, requests and variables, also of those that are gone', async () => {
    const { caller } = scene;
    const about = async (id: string, more = ''): Promise<string[]> =>
      (await all<AuditEntry>(caller, `/logic/audit-entries?about=${id}${more}`)).map(({ action }) => action);
    const deploy = async (decisionId: string, environmentId: string, version: number): Promise<string> => {
      const body = { decisionId, environmentId, version, name: 'd', deployedBy: 'me' };
      return (bodyOf(await caller.post('/logic/deployments', body), 201) as { id: string }).id;
    };
    const one = await scene.decision('one.json', doubling(2));
    const other = await scene.decision('other.json', doubling(3));
    const environment = async (name: string): Promise<string> =>
      (bodyOf(await caller.post('/logic/environments', { name }), 201) as { id: string }).id;
    const [live, test] = [await environment('Live'), await environment('Test')];
    const first = await deploy(one, live, 1);
    await scene.write('one.json', doubling(4));
    bodyOf(await caller.post(`/logic/decisions/${one}/versions`, {}), 201);
    await deploy(one, live, 2);
    await deploy(one, live, 1);
    await deploy(other, test, 1);
    bodyOf(await caller.put(`/logic/environments/${test}/variables/RATE`, { value: 1.5 }), 201);
    expect((await caller.delete(`/logic/deployments/${first}`)).status).to.equal(204);
    await protect(caller, test);
    await ask(caller, test, [{ type: 'deploy', decisionId: one, version: 2 }]);

    const ofOne = await about(one);
    expect(new Set(ofOne)).to.deep.equal(
      new Set([
        ...['decision.create', 'decision.update', 'version.create', 'change_request.create'],
        ...['deployment.create', 'deployment.delete', 'deployment.rollback', 'routing.create', 'routing.update'],
      ]),
    );
    expect(ofOne.filter((action) => action === 'deployment.create')).to.have.length(3);
    expect(await about(one.toUpperCase(), '&action=deployment.rollback')).to.deep.equal(['deployment.rollback']);
    expect(new Set(await about(other))).to.deep.equal(
      new Set(['decision.create', 'version.create', 'deployment.create', 'routing.create']),
    );
    expect(new Set(await about(test))).to.deep.equal(
      new Set([
        ...['environment.create', 'variable.create', 'deployment.create', 'routing.create'],
        ...['protection.create', 'change_request.create'],
      ]),
    );
    expect(await about(live)).to.include.members(['environment.create', 'deployment.delete', 'routing.update']);
    expect(await about(randomUUID())).to.deep.equal([]);
    expectProblem(await caller.get('/logic/audit-entries?about=x'), 'validation_failed', {
      instance: '/logic/audit-entries',
      errors: [{ in: 'query', pointer: 'about', message: 'must be a UUID' }],
    });
  });
});
