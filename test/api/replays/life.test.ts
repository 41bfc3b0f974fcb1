import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { doubling, expressing } from '../../support/models.js';
import { ended, replayed, ReplayStage, startReplay, type ShownReplay } from '../../support/replays.js';
import { testDatabase } from '../../support/scene.js';
import { queueJobs } from '../../../src/jobs/jobs.store.js';
import { idToBytes } from '../../../src/storage/ids.js';

const path = '/logic/replays';

describe('the life of a replay', function () {
  const stage = new ReplayStage();
  const execute = async (fact: object, headers?: Record<string, string>): Promise<string> =>
    (await stage.execute(fact, headers)).id;

  it('list differences page by page, by place, and as lines', async () => {
    await stage.deployed(expressing({ a: 'x', b: 'x' }));
    const ids: string[] = [];
    for (let x = 0; x < 7; x++) ids.push(await execute({ x }));
    await stage.next(expressing({ a: 'x + 1', b: 'x > 3 ? 0 : x' }));
    const { id } = await replayed(stage.scene.caller, stage.request());
    const newest = ids.toReversed();
    const executions = async (query: string): Promise<string[]> =>
      ((await stage.differences(id, query)).data as { executionId: string }[]).map(({ executionId }) => executionId);
    expect(await executions('')).to.deep.equal(newest);
    expect(await executions('?pointer=/b')).to.deep.equal(newest.slice(0, 3));
    expect(await executions('?pointer=/c')).to.deep.equal([]);
    const { data, page } = await stage.differences(id, '?size=4&pointer=/a');
    expect(page).to.deep.include({ size: 4, total: null });
    expect(data).to.have.length(4);
    expect(await executions(`?size=4&pointer=/a&after=${page.after}`)).to.deep.equal(newest.slice(4));
    const lines = await stage.scene.caller.get(`${path}/${id}/differences?size=4&pointer=/a`, {
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
    const rest = await stage.scene.caller.get(link ?? '', { Accept: 'application/x-ndjson' });
    expect(rest.text.trimEnd().split('\n')).to.have.length(3);
    const empty = await stage.scene.caller.get(`${path}/${id}/differences?pointer=/c`, {
      Accept: 'application/x-ndjson',
    });
    expect([empty.status, empty.text, 'link' in empty.headers]).to.deep.equal([200, '', false]);
  });

  it('are cancelled while they run, and removed with all that belongs to them once they have ended', async () => {
    await stage.deployed(expressing({ y: 'x' }));
    for (let x = 0; x < 3; x++) await execute({ x });
    await stage.next(expressing({ y: 'x + 1' }));
    const { id } = await replayed(stage.scene.caller, stage.request());
    const rows = async (): Promise<number> => {
      const tables = ['replays', 'replay_differences', 'replay_places'];
      const at = { workspace_id: idToBytes(stage.scene.workspaceId) };
      const found = await Promise.all(tables.map((table) => testDatabase()(table).where(at)));
      return found.flat().length;
    };
    expect(await rows()).to.equal(7);
    const removal = await stage.scene.caller.delete(`${path}/${id}`);
    expect([removal.status, removal.text]).to.deep.equal([204, '']);
    const instance = `${path}/${id}`;
    const detail = `There is no replay ${id} in this workspace.`;
    expectProblem(await stage.scene.caller.get(instance), 'replay_not_found', { instance, detail });
    expect((await stage.scene.caller.get(path)).body).to.have.deep.property('data', []);
    expect((await stage.scene.caller.delete(instance)).status).to.equal(204);
    await eventually(async () => (await rows()) === 0);

    // Of another process by its lease, so that it stays as it is.
    const { id: running } = await startReplay(stage.scene.caller, stage.request());
    await ended(stage.scene.caller, running);
    await testDatabase()('replays')
      .where({ id: idToBytes(running) })
      .update({ status: 'RUNNING' });
    expect((await stage.scene.caller.delete(`${path}/${running}`)).status).to.equal(204);
    expect((await stage.scene.caller.get(`${path}/${running}`)).body).to.include({ status: 'CANCELLED', done: 3 });
  });

  it('are two at once in a workspace at most', async () => {
    await stage.deployed(doubling(2));
    const { id } = await replayed(stage.scene.caller, stage.request({ candidate: { version: 1 } }));
    const { id: other } = await replayed(stage.scene.caller, stage.request({ candidate: { version: 1 } }));
    await testDatabase()('replays')
      .whereIn('id', [idToBytes(id), idToBytes(other)])
      .update({ status: 'RUNNING' });
    const refused = await stage.scene.caller.post(path, stage.request({ candidate: { version: 1 } }));
    expectProblem(refused, 'too_many_requests', { instance: path, headers: { 'Retry-After': '10' } });
    await stage.scene.caller.delete(`${path}/${id}`);
    await startReplay(stage.scene.caller, stage.request({ candidate: { version: 1 } }));
  });

  it('have a Location and an ETag, are listed, and are changed by If-Match alone', async () => {
    await stage.deployed(doubling(2));
    const asked = stage.request({ candidate: { version: 1 } });
    const answer = await stage.scene.caller.post(path, asked);
    const { id } = answer.body as ShownReplay;
    expect(answer.headers).to.include({ location: `${path}/${id}`, etag: '"1"' });
    await ended(stage.scene.caller, id);
    const one = await stage.scene.caller.get(`${path}/${id}`);
    expect((await stage.scene.caller.get(path)).body).to.have.deep.property('data', [one.body]);
    const instance = `${path}/${id}`;
    const removed = await stage.scene.caller.delete(instance, { 'If-Match': one.headers['etag'] ?? '' });
    expect(removed.status).to.equal(204);
  });

  it('fail, and say why, where what they compare with is gone', async () => {
    await stage.deployed(doubling(2));
    await execute({ x: 1 });
    const { id } = await replayed(stage.scene.caller, stage.request({ candidate: { version: 1 } }));
    const gone = { ...stage.request({ candidate: { version: 9 } }) };
    await testDatabase()('replays')
      .where({ id: idToBytes(id) })
      .update({ status: 'RUNNING', request: JSON.stringify(gone), position: null, done: 0 });
    await queueJobs(testDatabase(), [{ kind: 'replay', workspaceId: stage.scene.workspaceId, id }]);
    const failed = await ended(stage.scene.caller, id);
    expect(failed).to.include({ status: 'FAILED', error: `Decision ${stage.decisionId} has no version 9.` });
  });

  it('refuse what is not in the workspace', async () => {
    await stage.deployed(doubling(2));
    const other = randomUUID();
    const detail = 'The replay refers to something that is not in this workspace.';
    for (const [more, pointer, message] of [
      [{ decisionId: other }, '/decisionId', 'names no decision of this workspace'],
      [{ environmentId: other }, '/environmentId', 'names no environment of this workspace'],
      [{ candidate: { version: 9 } }, '/candidate/version', 'names no saved version of this decision'],
    ] as const) {
      const answer = await stage.scene.caller.post(path, stage.request({ candidate: { version: 1 }, ...more }));
      const errors = [{ in: 'body' as const, pointer, message }];
      expectProblem(answer, 'reference_not_found', { instance: path, detail, errors });
    }
  });

  it('refuse a measure that cannot be compiled', async () => {
    await stage.deployed(doubling(2));
    const measures = ['1', '1 +'].map((expression, at) => ({ name: `m${at}`, expression, aggregate: 'sum' }));
    const { status, body } = await stage.scene.caller.post(
      path,
      stage.request({ candidate: { version: 1 }, measures }),
    );
    expect(status).to.equal(400);
    expect(body).to.have.nested.property('errors[0].pointer', '/measures/1/expression');
  });
});
