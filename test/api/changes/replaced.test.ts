import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { isLong } from '../../support/environment.js';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { apply, ask, buildPerson, protect, requestsPath, reread, review, type Person } from '../../support/changes.js';
import { doubling, expressing } from '../../support/models.js';
import { useScene } from '../../support/scene.js';

describe('what a change request replaces', () => {
  const app = useApp();
  const scene = useScene(app);
  let ann: Person;
  let bob: Person;
  let key: string;
  let decisionId: string;
  let environmentId: string;
  let deploymentId: string;
  before(async () => {
    [ann, bob] = [await buildPerson(app, scene), await buildPerson(app, scene)];
  });
  beforeEach(async () => {
    key = `${randomUUID()}.json`;
    decisionId = await scene.decision(key, doubling(1));
    for (const factor of [2, 3]) {
      await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(factor) });
      const saved = await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
      expect(saved.status, saved.text).to.equal(201);
    }
    environmentId = await scene.environment();
    deploymentId = await scene.deploy(decisionId, environmentId, 1);
    await scene.variable(environmentId, 'V', 1);
    await protect(scene.caller, environmentId, { override: true });
  });

  const deploying = (version: number): object => ({ type: 'deploy', decisionId, version });
  const variable = (value: unknown, more: object = {}): object => ({ type: 'variable', name: 'V', value, ...more });
  const hosts = (...names: readonly string[]): object => ({ type: 'hosts', hosts: names });
  const opened = (...changes: readonly object[]): Promise<ChangeRequest> => ask(ann.caller, environmentId, changes);
  const approved = async (...changes: readonly object[]): Promise<ChangeRequest> => {
    const made = await opened(...changes);
    expect((await review(bob.caller, made)).body).to.include({ state: 'APPROVED' });
    return made;
  };
  const applied = async (made: ChangeRequest, body?: object): Promise<void> => {
    const answer = await apply(ann.caller, made, body);
    expect(answer.status, answer.text).to.equal(200);
  };
  const deployed = async (): Promise<unknown> => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    return ((await scene.caller.post(path, { fact: { x: 1 } })).body as { result: unknown }).result;
  };

  it('is not in force for the next execution any more, where nothing is deployed, too', async () => {
    await scene.caller.delete(`/logic/environments/${environmentId}/protection`);
    ({ decisionId } = await scene.deployed(`${randomUUID()}.json`, expressing({ v: '$env.V' }), environmentId));
    await protect(scene.caller, environmentId);
    const removal = { type: 'variable.delete', name: 'V' };
    for (const [change, result] of [
      [variable('two'), { v: 'two' }],
      [removal, {}],
      [variable(4, { secret: true }), { v: 4 }],
    ] as const) {
      // What runs before is kept in memory.
      await deployed();
      await applied(await approved(change));
      expect(await deployed(), JSON.stringify(change)).to.deep.equal(result);
    }
  });

  it('is shown with each change: deployment, value, hosts; null where there is none, secrets without their values', async () => {
    const { changes } = await opened(deploying(2), variable(2), hosts('a.example'));
    expect(changes.map((change) => change.replaces)).to.deep.equal([
      { deploymentId, version: 1 },
      { value: 1, secret: false },
      { hosts: [] },
    ]);
    const another = await scene.decision(`${randomUUID()}.json`, doubling(1));
    const made = await opened({ type: 'deploy', decisionId: another, version: 1 }, variable('hush', { secret: true }));
    expect(made.changes.map((change) => change.replaces)).to.deep.equal([null, { secret: false }]);
    await applied(await approved(variable('hush', { secret: true })));
    const { changes: after } = await opened(variable(3), { type: 'variable', name: 'W', value: 1 });
    expect(after.map((change) => change.replaces)).to.deep.equal([{ secret: true }, null]);
  });

  for (const [what, moved, older, said] of [
    ['a deployment', () => [deploying(3)], () => [deploying(2)], () => `${key}: version 1 → version 3`],
    ['a value', () => [variable(3)], () => [variable(2)], () => 'V: 1 → 3'],
    ['a secret', () => [variable('hush', { secret: true })], () => [variable(2)], () => 'V: 1 → (secret)'],
    [
      'a value that is removed',
      () => [{ type: 'variable.delete', name: 'V' }],
      () => [variable(2)],
      () => 'V: 1 → none',
    ],
    ['hosts', () => [hosts('b.example')], () => [hosts('a.example')], () => 'hosts: none → b.example'],
  ] as const) {
    // By an override, what moves is the same.
    const ways =
      what === 'a deployment' || isLong
        ? (['an approved request', 'an override'] as const)
        : (['an approved request'] as const);
    for (const way of ways) {
      it(`when ${what} moved by ${way}, an older approved request is open again, says so, and undoes nothing unseen`, async () => {
        const old = await approved(...older());
        if (way === 'an override') await applied(await opened(...moved()), { override: { reason: 'Outage' } });
        else await applied(await approved(...moved()));
        expectProblem(await apply(ann.caller, old), 'approval_required', {
          instance: `${requestsPath}/${old.id}/apply`,
          detail: 'The change request cannot be applied yet: 0 of 1 approvals.',
        });
        const now = await reread(ann.caller, old);
        expect(now).to.deep.include({
          state: 'OPEN',
          notice: `1 review does not count any more, because what it replaces has moved: ${said()}.`,
        });
        expect(now.digest).to.not.equal(old.digest);
        expectProblem(await review(bob.caller, old), 'precondition_failed', {
          instance: `${requestsPath}/${old.id}/reviews`,
        });
        // Seen as it is now, it is approved and applied like any other.
        expect((await review(bob.caller, now)).body).to.include({ state: 'APPROVED' });
        await applied(now);
      });
    }
  }

  it('moves by a rollback as well, and by what is written while the environment is not protected', async () => {
    await applied(await approved(deploying(3)));
    const first = await approved(deploying(2));
    const fields = { decisionId, environmentId, name: 'Back', deployedBy: 'me' };
    expect((await scene.caller.post('/logic/deployments', { ...fields, version: 1 })).status).to.equal(201);
    expect(await reread(ann.caller, first)).to.include({
      state: 'OPEN',
      notice: `1 review does not count any more, because what it replaces has moved: ${key}: version 3 → version 1.`,
    });
    expect(await deployed()).to.deep.equal({ y: 1 });
    const second = await approved(deploying(2));
    const protection = `/logic/environments/${environmentId}/protection`;
    expect((await scene.caller.delete(protection)).status).to.equal(204);
    await scene.deploy(decisionId, environmentId, 3);
    await protect(scene.caller, environmentId, { override: true });
    expect(await reread(ann.caller, second)).to.include({
      state: 'OPEN',
      notice:
        '1 review does not count any more, because the protection changed: it was put back; ' +
        `what it replaces has moved: ${key}: version 1 → version 3.`,
    });
    expect((await apply(ann.caller, second)).status).to.equal(409);
    expect(await deployed()).to.deep.equal({ y: 3 });
  });

  it('stays as it was where something else of the environment moves, and once the request is applied', async () => {
    const mine = await approved(deploying(2));
    const other = await approved(variable(2), hosts('a.example'));
    await applied(await approved({ type: 'variable', name: 'W', value: 1 }));
    await applied(mine);
    expect(await reread(ann.caller, other)).to.include({ state: 'APPROVED', digest: other.digest });
    await applied(await approved(deploying(3)));
    const { changes, notice } = await reread(ann.caller, mine);
    expect([changes[0]?.replaces?.version, notice]).to.deep.equal([1, undefined]);
    await applied(other);
  });

  it('is one for each of several requests that are applied at the same moment: one is, the others are open again', async () => {
    const all = [await approved(deploying(2)), await approved(deploying(3)), await approved(deploying(2))];
    const answers = await Promise.all(all.map((one) => apply(ann.caller, one)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    const states = await Promise.all(all.map(async (one) => (await reread(ann.caller, one)).state));
    expect(states.sort()).to.deep.equal(['APPLIED', 'OPEN', 'OPEN']);
  });
});
