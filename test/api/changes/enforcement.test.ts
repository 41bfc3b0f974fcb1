import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { writeProtection } from '../../../src/protections/protections.store.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { protect } from '../../support/changes.js';
import type { Answer } from '../../support/http.js';
import { statementsWait } from '../../support/locks.js';
import { calling, doubling, expressing } from '../../support/models.js';
import { testDatabase, useScene } from '../../support/scene.js';

describe('a protected environment', () => {
  const app = useApp();
  const scene = useScene(app);

  let decisionId: string;
  let environmentId: string;
  let deploymentId: string;
  /** Another environment, which nobody protects. */
  let elsewhere: string;
  beforeEach(async () => {
    decisionId = await scene.decision(`${randomUUID()}.json`, doubling(2));
    [environmentId, elsewhere] = [await scene.environment(), await scene.environment()];
    await scene.variable(environmentId, 'V', 1);
    deploymentId = await scene.deploy(decisionId, environmentId, 1);
  });

  const environment = (rest = ''): string => `/logic/environments/${environmentId}${rest}`;
  const deployment = (id = deploymentId): string => `/logic/deployments/${id}`;
  const fields = (version: number, more: object = {}): object => ({
    ...{ decisionId, environmentId, version, name: 'D', deployedBy: 'me' },
    ...more,
  });
  const refused = (answer: Answer, instance: string): void => expectProblem(answer, 'approval_required', { instance });
  /** All that is in force, and what is kept of it. */
  const inForce = async (): Promise<unknown> => {
    const fact = { fact: { x: 1 } };
    const executed = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, fact);
    const { result, code } = executed.body as { result?: unknown; code?: string };
    const read = async (path: string): Promise<unknown> => (await scene.caller.get(path)).body;
    return [result ?? code, await read(environment('/variables')), await read(environment('/hosts'))];
  };
  const saved = async (factor: number): Promise<void> => {
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(factor) });
    const answer = await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    expect(answer.status, answer.text).to.equal(201);
  };

  it('has a protection that is read, replaced by its tag and removed', async () => {
    const path = environment('/protection');
    expectProblem(await scene.caller.get(path), 'protection_not_found', { instance: path });
    const usual = { tests: false, analysis: false, replay: null, coverage: null };
    const put = await scene.caller.put(path, { approvals: 1 });
    const first = { approvals: 1, authorMayApprove: false, requires: usual, override: false };
    expect([put.status, put.body]).to.deep.equal([200, first]);
    const whole = {
      ...{ approvals: 5, authorMayApprove: true, override: true },
      requires: { tests: true, analysis: true, replay: 'changed <= 0.5%', coverage: 0.9 },
    };
    const again = await scene.caller.put(path, whole, { 'If-Match': put.headers.etag! });
    expect([again.status, again.body]).to.deep.equal([200, whole]);
    const read = await scene.caller.get(path);
    expect([read.body, read.headers.etag]).to.deep.equal([whole, again.headers.etag]);
    const cursor = Buffer.from(environmentId.replaceAll('-', ''), 'hex').toString('base64url');
    const page = { size: 1, total: 1, after: cursor, before: cursor };
    const { body: listed } = await scene.caller.get('/logic/protections');
    expect(listed).to.deep.equal({ data: [{ environmentId, ...whole }], page });
    for (const _ of [1, 2]) expect((await scene.caller.delete(path)).status).to.equal(204);
    expect((await scene.caller.get(path)).status).to.equal(404);
    const { body: none } = await scene.caller.get('/logic/protections');
    expect(none).to.deep.equal({ data: [], page: { size: 0, total: 0, after: null, before: null } });
  });

  it('is told to nobody whose If-Match names another state: that comes first', async () => {
    await protect(scene.caller, environmentId);
    const stale = { 'If-Match': '"other"' };
    const before = await inForce();
    const { caller } = scene;
    const writes: Record<string, (path: string) => Promise<Answer>> = {
      [deployment()]: (path) => caller.delete(path, stale),
      [environment()]: (path) => caller.delete(path, stale),
      [environment('/hosts')]: (path) => caller.put(path, { hosts: ['api.example'] }, stale),
      [`/logic/decisions/${decisionId}`]: (path) => caller.patch(path, { content: doubling(9) }, stale),
    };
    for (const [instance, write] of Object.entries(writes)) {
      expectProblem(await write(instance), 'precondition_failed', { instance });
    }
    const instance = deployment();
    expectProblem(await caller.patch(instance, { version: 0 }, stale), 'precondition_failed', { instance });
    expect(await inForce()).to.deep.equal(before);
  });

  it('refuses every write that would change what is in force', async () => {
    await saved(3);
    await protect(scene.caller, environmentId);
    const before = await inForce();
    for (const version of [0, 1, 2]) {
      refused(await scene.caller.post('/logic/deployments', fields(version)), '/logic/deployments');
    }
    const moved = await scene.deploy(decisionId, elsewhere, 2);
    for (const [id, change] of [
      [deploymentId, { version: 2 }],
      [deploymentId, { version: 0 }],
      [deploymentId, { environmentId: elsewhere }],
      [moved, { environmentId }],
    ] as const) {
      refused(await scene.caller.patch(deployment(id), change), deployment(id));
    }
    refused(await scene.caller.delete(deployment()), deployment());
    refused(await scene.caller.delete(environment()), environment());
    for (const name of ['V', 'NEW']) {
      const path = environment(`/variables/${name}`);
      refused(await scene.caller.put(path, { value: 2 }), path);
      refused(await scene.caller.delete(path), path);
    }
    refused(await scene.caller.put(environment('/hosts'), { hosts: ['a.example'] }), environment('/hosts'));
    expect(await inForce()).to.deep.equal(before);
  });

  it('lets be written what routes nothing', async () => {
    await protect(scene.caller, environmentId);
    const named = { name: 'Other', message: 'm', deployedBy: 'you', version: 1, environmentId, decisionId };
    expect((await scene.caller.patch(deployment(), named)).body).to.include({ name: 'Other', deployedBy: 'you' });
    expect((await scene.caller.patch(environment(), { name: 'Production' })).body).to.include({ name: 'Production' });
  });

  it('goes back at once to what was in force there before, which is told apart', async () => {
    await saved(3);
    const second = await scene.deploy(decisionId, environmentId, 2);
    await saved(4);
    await scene.deploy(decisionId, elsewhere, 3);
    await protect(scene.caller, environmentId);
    refused(await scene.caller.post('/logic/deployments', fields(3)), '/logic/deployments');
    const back = await scene.caller.post('/logic/deployments', fields(1));
    expect(back.status, back.text).to.equal(201);
    expect(((await inForce()) as unknown[])[0]).to.deep.equal({ y: 2 });
    const { body } = await scene.caller.get('/logic/audit-entries?action=deployment.rollback&order=desc&size=1');
    const { id } = back.body as { id: string };
    expect((body as { data: object[] }).data[0]).to.deep.include({
      principal: `client:${scene.client.id}`,
      resource: { type: 'deployment', id },
      before: { deploymentId: second, version: 2 },
      after: { deploymentId: id, version: 1, decisionId, environmentId },
    });
  });

  it('goes back to no working copy, though that was in force there: it is not what it was', async () => {
    await scene.deploy(decisionId, environmentId, 0);
    await scene.deploy(decisionId, environmentId, 1);
    await protect(scene.caller, environmentId);
    const before = await inForce();
    refused(await scene.caller.post('/logic/deployments', fields(0)), '/logic/deployments');
    expect(await inForce()).to.deep.equal(before);
  });

  it('loses nothing by a removal that came while it was being protected', async () => {
    const protecting = await testDatabase().transaction();
    await protecting('environments').select('id').where('id', idToBytes(environmentId)).forUpdate();
    const requires = { tests: false, analysis: false, replay: null, coverage: null };
    const protection = { approvals: 1, authorMayApprove: false, requires, override: false };
    await writeProtection(protecting, { workspaceId: scene.workspaceId, environmentId }, protection);
    const removal = scene.caller.delete(deployment());
    await Promise.race([
      removal,
      statementsWait(testDatabase(), /from `environments` .* (lock in share mode|for share)/),
    ]);
    await protecting.commit();
    refused(await removal, deployment());
  });

  it('loses no route with a deployment or an environment that a PATCH took away before', async () => {
    const moved = await scene.deploy(decisionId, environmentId, 1);
    await scene.caller.patch(deployment(moved), { environmentId: elsewhere });
    await protect(scene.caller, environmentId);
    refused(await scene.caller.delete(deployment(moved)), deployment(moved));
    const other = `/logic/environments/${elsewhere}`;
    refused(await scene.caller.delete(other), other);
  });

  it('keeps a working copy that runs there as it is, with all that it reaches', async () => {
    const keys = { root: `${randomUUID()}.json`, sub: `${randomUUID()}.json` };
    const subId = await scene.write(keys.sub, doubling(2));
    decisionId = await scene.write(keys.root, calling(keys.sub));
    await scene.deploy(decisionId, environmentId, 0);
    await protect(scene.caller, environmentId);
    const before = await inForce();
    const sub = `/logic/decisions/${subId}`;
    refused(await scene.caller.patch(sub, { content: doubling(3) }), sub);
    const root = `/logic/decisions/${decisionId}`;
    refused(await scene.caller.patch(root, { content: doubling(3) }), root);
    const decisions = [{ key: keys.sub, content: doubling(3) }];
    refused(await scene.caller.post('/logic/imports', { decisions }), '/logic/imports');
    refused(await scene.caller.patch(sub, { key: `${randomUUID()}.json` }), sub);
    expect(await inForce()).to.deep.equal(before);
    // What changes nothing that runs there is written.
    expect((await scene.caller.post(`${root}/versions`, {})).status).to.equal(201);
    const fresh = await scene.caller.post('/logic/decisions', {
      key: `${randomUUID()}.json`,
      content: expressing({ a: '1' }),
    });
    expect(fresh.status, fresh.text).to.equal(201);
    await scene.caller.delete(environment('/protection'));
    expect((await scene.caller.patch(sub, { content: doubling(3) })).status).to.equal(200);
  });
});
