import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { idAgo } from '../support/evidence.js';
import { eventually } from '../support/eventually.js';
import { doubling } from '../support/models.js';
import { testDatabase, useFreshScene } from '../support/scene.js';

const dayMs = 86_400_000;

describe('the retention of an environment', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const database = testDatabase();
  let environmentId: string;
  let path: string;
  beforeEach(async () => {
    environmentId = await scene.environment();
    path = `/logic/environments/${environmentId}/retention`;
  });

  /** Executes a decision in an environment, and gives the record copies that are so many days old. */
  const executedDaysAgo = async (place: string, days: readonly number[]): Promise<string[]> => {
    const { decisionId } = await scene.deployed(`${place}.json`, doubling(2), place);
    const answer = await scene.caller.post(`/logic/${place}/decisions/${decisionId}/executions`, { fact: { x: 2 } });
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body as { id: string };
    const [row] = (await database('executions').where({ id: idToBytes(id) })) as Record<string, unknown>[];
    const older = days.map((ago) => ({ ago: ago * dayMs, copy: idAgo(ago * dayMs) }));
    for (const { ago, copy } of older)
      await database('executions').insert({ ...row, id: idToBytes(copy), created_at: new Date(Date.now() - ago) });
    return [...older.map(({ copy }) => copy), id];
  };
  const recorded = async (place: string): Promise<string[]> => {
    const { body } = await scene.caller.get(`/logic/executions?environmentId=${place}`);
    return (body as { data: { id: string }[] }).data.map(({ id }) => id);
  };

  it('is none at first; what is written is answered with its ETag, and read again', async () => {
    const first = await scene.caller.get(path);
    expect([first.status, first.body]).to.deep.equal([200, { days: null }]);
    const written = await scene.caller.put(path, { days: 30 });
    expect([written.status, written.body]).to.deep.equal([200, { days: 30 }]);
    const read = await scene.caller.get(path);
    expect([read.status, read.body, read.headers['etag']]).to.deep.equal([200, { days: 30 }, written.headers['etag']]);
    expectProblem(
      await scene.caller.put(path, { days: 1 }, { 'If-Match': String(first.headers['etag']) }),
      'precondition_failed',
      {
        instance: path,
      },
    );
    expect((await scene.caller.put(path, { days: null })).body).to.deep.equal({ days: null });
    expect((await scene.caller.get(path)).body).to.deep.equal({ days: null });
  });

  it('removes what is older, at once and nowhere else, and the audit trail says so', async () => {
    const other = await scene.environment();
    const [ancient = '', old = '', young = '', fresh = ''] = await executedDaysAgo(environmentId, [400, 31, 29]);
    const elsewhere = await executedDaysAgo(other, [400]);
    await scene.caller.put(path, { days: 30 });
    await eventually(async () => (await recorded(environmentId)).length === 2);
    expect(await recorded(environmentId)).to.deep.equal([young, fresh]);
    for (const id of [ancient, old]) {
      const answer = await scene.caller.get(`/logic/executions/${id}`);
      expect((answer.body as { code: string }).code).to.equal('execution_not_found');
    }
    expect(await recorded(other)).to.deep.equal(elsewhere);
    const { body } = await scene.caller.get('/logic/audit-entries?order=desc&size=2');
    const [pruned, set] = (body as { data: Record<string, unknown>[] }).data;
    expect([set?.['action'], set?.['before'], set?.['after']]).to.deep.equal([
      'retention.update',
      { days: null },
      { days: 30 },
    ]);
    expect([pruned?.['action'], pruned?.['principal']]).to.deep.equal(['execution.prune', 'system:retention']);
  });

  it('is each environment’s own, to the end: of three each keeps what it is to keep, and a longer one begins anew', async () => {
    const [month, year, forever] = [environmentId, await scene.environment(), await scene.environment()];
    const ages = [500, 364, 200, 32, 28, 2];
    const ids = new Map<string, string[]>();
    for (const place of [month, year, forever]) ids.set(place, await executedDaysAgo(place, ages));
    const days = { [month]: 30, [year]: 365 };
    for (const [place, kept] of Object.entries(days))
      await scene.caller.put(`/logic/environments/${place}/retention`, { days: kept });
    const wanted = (place: string): string[] =>
      (ids.get(place) ?? []).filter((_id, at) => (ages[at] ?? 0) < (days[place] ?? Infinity));
    await eventually(async () => {
      for (const place of [month, year]) if ((await recorded(place)).length > wanted(place).length) return false;
      return true;
    });
    for (const place of [month, year, forever]) expect(await recorded(place)).to.deep.equal(wanted(place));
    await scene.caller.put(path, { days: null });
    const late = await executedDaysAgo(month, [200, 400]);
    await scene.caller.put(path, { days: 365 });
    await eventually(async () => !(await recorded(month)).includes(late[1] ?? ''));
    expect(await recorded(month)).to.have.members([...wanted(month), late[0], late[2]]);
  });

  it('removes ten thousand in pieces, and goes with its environment', async () => {
    const [first = ''] = await executedDaysAgo(environmentId, [40]);
    const [row] = (await database('executions').where({ id: idToBytes(first) })) as Record<string, unknown>[];
    for (let batch = 0; batch < 10; batch++) {
      const rows = Array.from({ length: 1000 }, () => ({ ...row, id: idToBytes(idAgo(40 * dayMs)) }));
      await database('executions').insert(rows);
    }
    await scene.caller.put(path, { days: 30 });
    await eventually(async () => (await recorded(environmentId)).length === 1);
    const empty = await scene.environment();
    await scene.caller.put(`/logic/environments/${empty}/retention`, { days: 30 });
    expect((await scene.caller.delete(`/logic/environments/${empty}`)).status).to.equal(204);
    expect(await database('retentions').where({ environment_id: idToBytes(empty) })).to.deep.equal([]);
  });
});
