import { expect } from 'chai';
import type { AuditEntry } from '../../../src/audit/audit.store.js';
import { useApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { all, ask, protect } from '../../support/changes.js';
import { doubling } from '../../support/models.js';
import { testDatabase, useFreshScene } from '../../support/scene.js';

/** Tables whose rows go with their environment, and the kind of audit entries that tells of each. */
const told: Readonly<Record<string, string>> = {
  change_requests: 'change_request',
  deployments: 'deployment',
  monitors: 'monitor',
  protections: 'protection',
  retentions: 'retention',
  routings: 'routing',
  variables: 'variable',
};
/** Those of which nobody is told: what variables were before, and numbers for what executions name, which keep it. */
const untold = ['variable_history', 'execution_routes'];

describe('what goes with an environment', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  it('is told by the audit trail, whatever it is', async () => {
    const [rows] = (await testDatabase().raw(
      `SELECT DISTINCT TABLE_NAME AS name FROM information_schema.REFERENTIAL_CONSTRAINTS
        WHERE CONSTRAINT_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME = 'environments'`,
    )) as [readonly { readonly name: string }[]];
    expect(rows.map(({ name }) => name)).to.have.members([...Object.keys(told), ...untold]);
  });

  it('has an entry of its own that it is there no more, and none of its shadows runs on', async () => {
    const { caller } = scene;
    const { environmentId, decisionId } = await scene.deployed('d.json', doubling(2));
    const at = `/logic/environments/${environmentId}`;
    const reference = { environmentId, decisionId };
    bodyOf(await caller.put(`${at}/variables/RATE`, { value: 1.5 }), 201);
    bodyOf(await caller.put(`${at}/hosts`, { hosts: ['example.com'] }));
    bodyOf(await caller.put(`${at}/retention`, { days: 30 }));
    const monitor = { ...reference, name: 'Failures', measure: 'failed', window: '1h', condition: '> 0.1' };
    bodyOf(await caller.post('/logic/monitors', monitor), 201);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const shadow = bodyOf(
      await caller.post('/logic/shadows', { ...reference, version: 0, sample: 1, expiresAt }),
      201,
    ) as { id: string };
    await protect(caller, environmentId);
    await ask(caller, environmentId, [{ type: 'variable', name: 'RATE', value: 2 }]);
    expect((await caller.delete(`${at}/protection`)).status).to.equal(204);
    expect((await caller.delete(at)).status).to.equal(204);

    const entries = await all<AuditEntry>(caller, '/logic/audit-entries');
    const children = entries.filter(
      ({ resource, ...states }) =>
        resource.id.includes(environmentId) || JSON.stringify(states).includes(environmentId),
    );
    const last = new Map(children.map((entry) => [`${entry.resource.type} ${entry.resource.id}`, entry]));
    const ends = [...last.values()].map(({ resource, action, after }) => [resource.type, action, after === null]);
    expect(ends).to.have.deep.members([
      ...['environment', 'hosts', ...Object.values(told)].map((type) => [type, `${type}.delete`, true]),
      ['shadow', 'shadow.cancel', false],
    ]);
    const removal = entries.find(({ action }) => action === 'environment.delete');
    const together = entries.filter(({ requestId }) => requestId === removal?.requestId);
    // Everything but the protection, without which alone an environment can be removed.
    expect(together.map(({ resource }) => resource.type)).to.have.members(
      ends.flatMap(([type]) => (type === 'protection' ? [] : [type])),
    );
    expect(bodyOf(await caller.get(`/logic/shadows/${shadow.id}`))).to.deep.include({
      status: 'CANCELLED',
      reason: 'environment_removed',
    });
    expect(together.find(({ action }) => action === 'shadow.cancel')?.after).to.deep.include({
      status: 'CANCELLED',
      reason: 'environment_removed',
    });
  });
});
