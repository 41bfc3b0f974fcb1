import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bootApp, type TestApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { callerOf } from '../../support/http.js';
import { doubling, expressing, type Model } from '../../support/models.js';
import { ended, replayed, startReplay, type ShownReplay } from '../../support/replays.js';
import { buildScene, testDatabase, type Scene } from '../../support/scene.js';
import { idToBytes } from '../../../src/storage/ids.js';

const path = '/logic/replays';

describe('the life of a replay', function () {
  this.timeout(120_000);
  let app: TestApp;
  let scene: Scene;
  let decisionId: string;
  let environmentId: string;
  before(async () => {
    app = await bootApp();
  });
  after(() => app.stop());
  beforeEach(async () => {
    scene = await buildScene(app);
    environmentId = await scene.environment();
  });

  /** The first version, deployed. */
  const deployed = async (model: Model): Promise<void> => {
    decisionId = await scene.decision('d.json', model);
    await scene.deploy(decisionId, environmentId, 1);
  };
  const next = (model: Model): Promise<string> => scene.decision('d.json', model);
  const execute = async (fact: object, headers: Record<string, string> = {}): Promise<string> => {
    const at = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const answer = await scene.caller.post(at, { fact }, headers);
    expect(answer.status, answer.text).to.equal(201);
    return (answer.body as { id: string }).id;
  };
  const request = (more: object = {}): object => ({ decisionId, environmentId, candidate: { version: 2 }, ...more });
  const differences = async (id: string, query = ''): Promise<{ data: object[]; page: { after: string } }> =>
    (await scene.caller.get(`${path}/${id}/differences${query}`)).body as { data: object[]; page: { after: string } };

  it('list differences page by page, by place, and as lines', async () => {
    await deployed(expressing({ a: 'x', b: 'x' }));
    const ids: string[] = [];
    for (let x = 0; x < 7; x++) ids.push(await execute({ x }));
    await next(expressing({ a: 'x + 1', b: 'x > 3 ? 0 : x' }));
    const { id } = await replayed(scene.caller, request());
    const newest = ids.toReversed();
    const executions = async (query: string): Promise<string[]> =>
      ((await differences(id, query)).data as { executionId: string }[]).map(({ executionId }) => executionId);
    expect(await executions('')).to.deep.equal(newest);
    expect(await executions('?pointer=/b')).to.deep.equal(newest.slice(0, 3));
    expect(await executions('?pointer=/c')).to.deep.equal([]);
    const { data, page } = await differences(id, '?size=4&pointer=/a');
    expect(page).to.deep.include({ size: 4, total: null });
    expect(data).to.have.length(4);
    expect(await executions(`?size=4&pointer=/a&after=${page.after}`)).to.deep.equal(newest.slice(4));
    const lines = await scene.caller.get(`${path}/${id}/differences?size=4&pointer=/a`, {
      Accept: 'application/x-ndjson',
    });
    expect(lines.headers['content-type']).to.equal('application/x-ndjson');
    expect(lines.text.endsWith('\n')).to.equal(true);
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).to.deep.equal(data);
    const [, link] = /^<(.+)>; rel="next"$/.exec(lines.headers['link'] ?? '') ?? [];
    const rest = await scene.caller.get(link ?? '', { Accept: 'application/x-ndjson' });
    expect(rest.text.trimEnd().split('\n')).to.have.length(3);
    const empty = await scene.caller.get(`${path}/${id}/differences?pointer=/c`, { Accept: 'application/x-ndjson' });
    expect([empty.status, empty.text, 'link' in empty.headers]).to.deep.equal([200, '', false]);
  });

  it('are cancelled while they run, and removed with all that belongs to them once they have ended', async () => {
    await deployed(expressing({ y: 'x' }));
    for (let x = 0; x < 3; x++) await execute({ x });
    await next(expressing({ y: 'x + 1' }));
    const { id } = await replayed(scene.caller, request());
    const rows = async (): Promise<number> => {
      const tables = ['replays', 'replay_differences', 'replay_places'];
      const at = { workspace_id: idToBytes(scene.workspaceId) };
      const found = await Promise.all(tables.map((table) => testDatabase()(table).where(at)));
      return found.flat().length;
    };
    expect(await rows()).to.equal(7);
    const removal = await scene.caller.delete(`${path}/${id}`);
    expect([removal.status, removal.text]).to.deep.equal([204, '']);
    const instance = `${path}/${id}`;
    const detail = `There is no replay ${id} in this workspace.`;
    expectProblem(await scene.caller.get(instance), 'replay_not_found', { instance, detail });
    expect((await scene.caller.get(path)).body).to.have.deep.property('data', []);
    expect((await scene.caller.delete(instance)).status).to.equal(204);
    await eventually(async () => (await rows()) === 0);

    // Of another process by its lease, so that it stays as it is.
    const { id: running } = await startReplay(scene.caller, request());
    await ended(scene.caller, running);
    await testDatabase()('replays')
      .where({ id: idToBytes(running) })
      .update({ status: 'RUNNING' });
    expect((await scene.caller.delete(`${path}/${running}`)).status).to.equal(204);
    expect((await scene.caller.get(`${path}/${running}`)).body).to.include({ status: 'CANCELLED', done: 3 });
  });

  it('are two at once in a workspace at most', async () => {
    await deployed(doubling(2));
    const { id } = await replayed(scene.caller, request({ candidate: { version: 1 } }));
    const { id: other } = await replayed(scene.caller, request({ candidate: { version: 1 } }));
    await testDatabase()('replays')
      .whereIn('id', [idToBytes(id), idToBytes(other)])
      .update({ status: 'RUNNING' });
    const refused = await scene.caller.post(path, request({ candidate: { version: 1 } }));
    expectProblem(refused, 'too_many_requests', { instance: path, headers: { 'Retry-After': '10' } });
    await scene.caller.delete(`${path}/${id}`);
    await startReplay(scene.caller, request({ candidate: { version: 1 } }));
  });

  it('have a Location and an ETag, are listed, and are changed by If-Match alone', async () => {
    await deployed(doubling(2));
    const asked = request({ candidate: { version: 1 } });
    const answer = await scene.caller.post(path, asked);
    const { id } = answer.body as ShownReplay;
    expect(answer.headers).to.include({ location: `${path}/${id}`, etag: '"1"' });
    await ended(scene.caller, id);
    const one = await scene.caller.get(`${path}/${id}`);
    const same = await scene.caller.get(`${path}/${id}`, { 'If-None-Match': one.headers['etag'] ?? '' });
    expect([same.status, same.text]).to.deep.equal([304, '']);
    expect((await scene.caller.get(path)).body).to.have.deep.property('data', [one.body]);
    const instance = `${path}/${id}`;
    expectProblem(await scene.caller.delete(instance, { 'If-Match': '"1"' }), 'precondition_failed', { instance });
    const removed = await scene.caller.delete(instance, { 'If-Match': one.headers['etag'] ?? '' });
    expect(removed.status).to.equal(204);
  });

  it('fail, and say why, where what they compare with is gone', async () => {
    await deployed(doubling(2));
    await execute({ x: 1 });
    const { id } = await replayed(scene.caller, request({ candidate: { version: 1 } }));
    const gone = { ...request({ candidate: { version: 9 } }) };
    await testDatabase()('replays')
      .where({ id: idToBytes(id) })
      .update({ status: 'RUNNING', request: JSON.stringify(gone), position: null, done: 0, due_at: new Date(0) });
    const failed = await ended(scene.caller, id);
    expect(failed).to.include({ status: 'FAILED', error: `Decision ${decisionId} has no version 9.` });
  });

  it('refuse what is not in the workspace', async () => {
    await deployed(doubling(2));
    const other = randomUUID();
    const detail = 'The replay refers to something that is not in this workspace.';
    for (const [more, pointer, message] of [
      [{ decisionId: other }, '/decisionId', 'names no decision of this workspace'],
      [{ environmentId: other }, '/environmentId', 'names no environment of this workspace'],
      [{ candidate: { version: 9 } }, '/candidate/version', 'names no saved version of this decision'],
    ] as const) {
      const answer = await scene.caller.post(path, request({ candidate: { version: 1 }, ...more }));
      const errors = [{ in: 'body' as const, pointer, message }];
      expectProblem(answer, 'reference_not_found', { instance: path, detail, errors });
    }
  });

  for (const [fault, more] of Object.entries({
    '/limit': { limit: 0 },
    '/candidate/version': { candidate: { version: -1 } },
    '/candidate': { candidate: undefined },
    '/from': { from: 'now' },
    '/filter/status': { filter: { status: 'DONE' } },
    '/ignore/0': { ignore: ['a'] },
    '/tolerance': { tolerance: -1 },
    '/measures/0/aggregate': { measures: [{ name: 'a', expression: '1', aggregate: 'median' }] },
    '/measures/1/expression': {
      measures: [
        { name: 'a', expression: '1', aggregate: 'sum' },
        { name: 'b', expression: '1 +', aggregate: 'sum' },
      ],
    },
    '/percentage': { percentage: 1 },
  })) {
    it(`are refused with a fault at ${fault}`, async () => {
      await deployed(doubling(2));
      const answer = await scene.caller.post(path, request({ candidate: { version: 1 }, ...more }));
      expect(answer.status).to.equal(400);
      expect(answer.body).to.have.nested.property('errors[0].pointer', fault);
    });
  }

  it('are found in no other workspace', async () => {
    await deployed(expressing({ y: 'x' }));
    await execute({ x: 1 });
    await next(doubling(2));
    const { id } = await replayed(scene.caller, request());
    const stranger = await buildScene(app);
    const foreign = callerOf(app.baseUrl, stranger.token, stranger.workspaceId);
    for (const instance of [`${path}/${id}`, `${path}/${id}/differences`]) {
      expectProblem(await foreign.get(instance), 'replay_not_found', { instance });
    }
    expect((await foreign.delete(`${path}/${id}`)).status).to.equal(204);
    expect((await scene.caller.get(`${path}/${id}`)).body).to.include({ status: 'COMPLETED' });
    expect((await foreign.get(path)).body).to.have.deep.property('data', []);
  });
});
