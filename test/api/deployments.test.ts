import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Deployment } from '../../src/deployments/deployments.schema.js';
import { useApp } from '../support/app.js';
import { bodyOf, expectProblem, timestamp, uuidV7 } from '../support/asserts.js';
import type { Answer } from '../support/http.js';
import { doubling } from '../support/models.js';
import { buildScene, useFreshScene } from '../support/scene.js';

const path = '/logic/deployments';

describe('deployments', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let decisionId: string;
  let environmentId: string;
  beforeEach(async () => {
    decisionId = await scene.decision('double.json', doubling(2));
    environmentId = await scene.environment();
  });

  const wanted = (more: object = {}): Record<string, unknown> => ({
    decisionId,
    environmentId,
    name: 'D',
    deployedBy: 'me',
    ...more,
  });
  const deploy = async (more: object = {}): Promise<Deployment> =>
    bodyOf(await scene.caller.post(path, wanted(more)), 201) as Deployment;
  const execute = (fact: object = { x: 1 }): Promise<Answer> =>
    scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact });
  const executed = async (): Promise<unknown> => (bodyOf(await execute(), 201) as { result: unknown }).result;

  it('POST answers 201 with the whole resource and a strong ETag', async () => {
    const answer = await scene.caller.post(
      path,
      wanted({ version: 1, name: ' First ', message: 'Hello', deployedBy: 'Ann ' }),
    );
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.headers.etag).to.equal('"1"');
    const body = answer.body as Deployment;
    expect(body).to.deep.equal({
      id: body.id,
      workspaceId: scene.workspaceId,
      decisionId,
      version: 1,
      environmentId,
      name: 'First',
      message: 'Hello',
      deployedBy: 'Ann',
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    });
    expect(body.id).to.match(uuidV7);
    expect(body.createdAt).to.match(timestamp);
    expect((await scene.caller.get(`${path}/${body.id}`)).body).to.deep.equal(body);
  });

  it('version omitted, null or 0 is the working copy, and reads 0', async () => {
    for (const more of [{}, { version: null }, { version: 0 }]) expect(await deploy(more)).to.include({ version: 0 });
  });

  it('POST names each reference that is not in the workspace', async () => {
    const other = await buildScene(app);
    const foreign = {
      decisionId: await other.decision('theirs.json', doubling(1)),
      environmentId: await other.environment(),
    };
    for (const absent of [foreign, { decisionId: randomUUID(), environmentId: randomUUID() }]) {
      expectProblem(await scene.caller.post(path, wanted(absent)), 'reference_not_found', {
        instance: path,
        errors: [
          { in: 'body', pointer: '/decisionId', message: 'names no decision of this workspace' },
          { in: 'body', pointer: '/environmentId', message: 'names no environment of this workspace' },
        ],
      });
    }
    // Any whole number is a version; those above 2^32 were validation_failed.
    for (const version of [2, 2 ** 32, Number.MAX_SAFE_INTEGER, 1e300]) {
      expectProblem(await scene.caller.post(path, wanted({ version })), 'reference_not_found', {
        instance: path,
        errors: [{ in: 'body', pointer: '/version', message: 'names no saved version of this decision' }],
      });
    }
    expect((await scene.caller.get(path)).body).to.have.nested.property('page.total', 0);
  });

  it('PATCH changes the record alone, normalises null to 0, and checks references', async () => {
    const created = await deploy({ version: 1, message: 'm' });
    const instance = `${path}/${created.id}`;
    const answer = await scene.caller.patch(instance, { version: null, message: '', name: ' New ' });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers.etag).to.equal('"2"');
    const body = answer.body as Deployment;
    expect(body).to.deep.equal({ ...created, version: 0, message: null, name: 'New', updatedAt: body.updatedAt });
    expectProblem(
      await scene.caller.patch(instance, { environmentId: randomUUID(), version: 9 }),
      'reference_not_found',
      {
        instance,
        errors: [
          { in: 'body', pointer: '/version', message: 'names no saved version of this decision' },
          { in: 'body', pointer: '/environmentId', message: 'names no environment of this workspace' },
        ],
      },
    );
    expectProblem(await scene.caller.patch(instance, {}), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '', message: 'must have at least one supported field' }],
    });
    expect((await scene.caller.get(instance)).body).to.deep.equal(body);
  });

  it('the newest deployment of a pair is in force; DELETE brings the older one back; PATCH moves nothing', async () => {
    await scene.decision('double.json', doubling(3));
    const first = await deploy({ version: 1 });
    const second = await deploy({ version: 2 });
    await scene.caller.patch(`${path}/${second.id}`, { version: 1 });
    expect((await scene.caller.delete(`${path}/${second.id}`)).status).to.equal(204);
    const third = await deploy({ version: 2 });
    expect((await scene.caller.patch(`${path}/${third.id}`, { version: 1 })).status).to.equal(200);
    expect(await executed()).to.deep.equal({ y: 3 });
    expect((await scene.caller.delete(`${path}/${first.id}`)).status).to.equal(204);
  });

  it('without a deployment left the execution is 404', async () => {
    const instance = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const { id } = await deploy();
    await scene.caller.delete(`${path}/${id}`);
    expectProblem(await execute(), 'routing_not_found', { instance });
  });

  it('a routing row that names version 0 follows the working copy', async () => {
    await deploy();
    expect(await executed()).to.deep.equal({ y: 2 });
    await scene.write('double.json', doubling(7));
    await scene.settled();
    expect(await executed()).to.deep.equal({ y: 7 });
  });

  it('DELETE is 409 once an execution names it, and stays so for its environment; nothing is removed', async () => {
    const { id } = await deploy();
    await executed();
    expectProblem(await scene.caller.delete(`${path}/${id}`), 'execution_history_exists', {
      instance: `${path}/${id}`,
    });
    const environment = `/logic/environments/${environmentId}`;
    expectProblem(await scene.caller.delete(environment), 'execution_history_exists', { instance: environment });
    expect((await scene.caller.get(`${path}/${id}`)).status).to.equal(200);
    expect(await executed()).to.deep.equal({ y: 2 });
  });

  it('DELETE of an environment takes its deployments and routings along', async () => {
    const { id } = await deploy();
    expect((await scene.caller.delete(`/logic/environments/${environmentId}`)).status).to.equal(204);
    expectProblem(await scene.caller.get(`${path}/${id}`), 'deployment_not_found', { instance: `${path}/${id}` });
    const instance = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    expectProblem(await execute(), 'environment_not_found', { instance });
  });

  it('DELETE races executions: 409, or gone with 404 for the execution; never both, never a dangling record', async () => {
    for (let round = 0; round < 15; round++) {
      const { id } = await deploy();
      const [deleted, ...runs] = await Promise.all([
        scene.caller.delete(`${path}/${id}`),
        ...Array.from({ length: 4 }, () => execute()),
      ]);
      const outcomes = [deleted.status, ...new Set(runs.map(({ status }) => status))].join();
      expect(['204,404', '409,201', '409,201,404', '409,404,201']).to.include(outcomes);
      if (deleted.status === 409) environmentId = await scene.environment();
    }
  });

  it('routings say what deployments route, whatever PATCH makes of their records, and which are in force', async () => {
    const other = await scene.environment();
    const first = await deploy({ version: 1 });
    const second = await deploy();
    const elsewhere = await deploy({ environmentId: other, version: 1 });
    for (const { id } of [first, second]) {
      expect((await scene.caller.patch(`${path}/${id}`, { environmentId: other, version: 1 })).status).to.equal(200);
    }
    const routings = async (query = ''): Promise<unknown[]> =>
      (bodyOf(await scene.caller.get(`/logic/routings${query}`)) as { data: unknown[] }).data;
    const routed = ({ id, createdAt }: Deployment, version: number, inForce: boolean, environment = environmentId) => ({
      ...{ deploymentId: id, decisionId, environmentId: environment, version, inForce, createdAt },
    });
    const all = [routed(first, 1, false), routed(second, 0, true), routed(elsewhere, 1, true, other)];
    const found = await routings();
    expect(found.map((each) => ({ ...(each as object), createdAt: undefined }))).to.deep.equal(
      all.map((each) => ({ ...each, createdAt: undefined })),
    );
    expect(await routings('?size=1')).to.deep.equal(found.slice(0, 1));
    expect((await scene.caller.delete(`${path}/${second.id}`)).status).to.equal(204);
    expect(await routings(), 'an older one is in force again').to.deep.include({
      ...(found[0] as object),
      inForce: true,
    });
  });
});
