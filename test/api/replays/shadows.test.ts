import { expect } from 'chai';
import { expectProblem } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { doubling, expressing, scripting, type Model } from '../../support/models.js';
import { masked, ReplayStage, type ShownReport } from '../../support/replays.js';
import { testDatabase } from '../../support/scene.js';
import { idToBytes } from '../../../src/storage/ids.js';

const path = '/logic/shadows';
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

interface ShownShadow {
  readonly id: string;
  readonly status: string;
  readonly report: ShownReport;
}

describe('shadows', function () {
  const stage = new ReplayStage();

  const versions = async (first: Model, second: Model): Promise<void> => {
    await stage.deployed(first);
    await stage.next(second);
  };
  const request = (more: object = {}): object => {
    const { decisionId, environmentId } = stage;
    return { decisionId, environmentId, version: 2, sample: 1, expiresAt: inHours(1), ...more };
  };
  const start = async (more: object = {}): Promise<string> => {
    const answer = await stage.scene.caller.post(path, request(more));
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body as ShownShadow;
    expect(answer.headers).to.include({ location: `${path}/${id}`, etag: '"1"' });
    return id;
  };
  const get = async (id: string): Promise<ShownShadow> =>
    (await stage.scene.caller.get(`${path}/${id}`)).body as ShownShadow;
  const execute = async (fact: object): Promise<unknown> => (await stage.execute(fact)).result;
  /** The report, once all of so many executions are in it. */
  const reportOf = async (id: string, executions: number): Promise<ShownReport> =>
    eventually(async () => {
      const { report } = await get(id);
      const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
      return report.replayed + skipped === executions && report;
    });

  it('run live executions on another version too, and report what would have changed', async () => {
    await versions(doubling(2), expressing({ y: 'x > 1 ? x * 3 : x * 2' }));
    const measures = [{ name: 'sum of y', expression: 'result.y', aggregate: 'sum' }];
    const id = await start({ measures, tolerance: 0 });
    const results = [];
    for (const x of [1, 2, 'a']) results.push(await execute({ x }));
    expect(results.slice(0, 2)).to.deep.equal([{ y: 2 }, { y: 4 }]);
    const { engine, ...report } = masked(await reportOf(id, 3));
    expect(report).to.deep.equal({
      replayed: 3,
      identical: 2,
      changed: 1,
      newlyFailed: 0,
      newlyCompleted: 0,
      skipped: {},
      fields: [{ pointer: '/y', count: 1 }],
      transitions: [{ pointer: '/y', hash: '#', count: 1 }],
      measures: [{ name: 'sum of y', before: 6, after: 8 }],
    });
    expect(engine.before.p50).to.be.a('number');
    const { status, ...shown } = await get(id);
    expect(status).to.equal('RUNNING');
    const { decisionId, environmentId } = stage;
    expect(shown).to.deep.include({ decisionId, environmentId, version: 2, sample: 1, measures, tolerance: 0 });
    const listed = (await stage.scene.caller.get(path)).body as { data: ShownShadow[] };
    expect(listed.data.map((shadow) => shadow.id)).to.deep.equal([id]);
    expect(stage.app.log()).to.not.include('a shadow could not be run');
  });

  it('take a sample, of their own environment and decision alone', async () => {
    await versions(doubling(2), doubling(3));
    const [some, all] = [await start({ sample: 0.5 }), await start()];
    for (let x = 0; x < 60; x++) await execute({ x });
    const place = stage.environmentId;
    stage.environmentId = await stage.scene.environment();
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 1);
    await execute({ x: 1 });
    stage.environmentId = place;
    expect(await reportOf(all, 60)).to.include({ replayed: 60 });
    await stage.scene.settled();
    await stage.scene.settled();
    expect((await get(some)).report.replayed).to.be.within(5, 55);
  });

  it('skip what would call another host or held a secret, and fail as no live run does', async () => {
    await stage.scene.variable(stage.environmentId, 'SECRET', 'very-secret', true);
    const call = "if (input.x === 1) await http.get('http://127.0.0.1:9/x');";
    await versions(
      expressing({ y: '$env.SECRET', z: 'x' }),
      scripting(`${call} if (input.x === 2) throw new Error('no'); return { z: input.x };`, "import http from 'http';"),
    );
    const id = await start({ ignore: ['/y'] });
    for (const x of [1, 2, 3, 'very-secret']) await execute({ x });
    const report = await reportOf(id, 4);
    expect(report).to.deep.include({ identical: 1, newlyFailed: 1, skipped: { http: 1, fact_redacted: 1 } });
    expect(stage.app.log()).to.not.include('very-secret');
  });

  it('end by DELETE, which keeps the report, and are removed by another', async () => {
    await versions(doubling(2), doubling(3));
    const id = await start();
    await execute({ x: 1 });
    await reportOf(id, 1);
    const instance = `${path}/${id}`;
    expect((await stage.scene.caller.delete(instance)).status).to.equal(204);
    await execute({ x: 2 });
    await stage.scene.settled();
    const { status, report } = await get(id);
    expect([status, report.replayed]).to.deep.equal(['CANCELLED', 1]);
    expect((await stage.scene.caller.delete(instance)).status).to.equal(204);
    expectProblem(await stage.scene.caller.get(instance), 'shadow_not_found', { instance });
    expect((await stage.scene.caller.delete(instance)).status).to.equal(204);
  });

  it('end by themselves', async () => {
    await versions(doubling(2), doubling(3));
    const id = await start();
    await testDatabase()('shadows')
      .where({ id: idToBytes(id) })
      .update({ expires_at: new Date(Date.now() - 1000) });
    await stage.scene.settled();
    await stage.scene.settled();
    await execute({ x: 1 });
    await stage.scene.settled();
    expect(await get(id)).to.deep.nested.include({ status: 'COMPLETED', 'report.replayed': 0 });
  });

  it('are ten at once in a workspace at most', async () => {
    await versions(doubling(2), doubling(3));
    for (let count = 0; count < 10; count++) await start();
    const answer = await stage.scene.caller.post(path, request());
    expectProblem(answer, 'too_many_requests', { instance: path, headers: { 'Retry-After': '60' } });
  });

  it('refuse a version that is not saved, an end in the past, and what is no expression', async () => {
    await versions(doubling(2), doubling(3));
    const refused = await stage.scene.caller.post(path, request({ version: 9 }));
    const errors = [{ in: 'body' as const, pointer: '/version', message: 'names no saved version of this decision' }];
    expectProblem(refused, 'reference_not_found', { instance: path, errors });
    for (const [fault, more] of Object.entries({
      '/expiresAt': { expiresAt: inHours(-1) },
      '/measures/0/expression': { measures: [{ name: 'a', expression: '(', aggregate: 'sum' }] },
    })) {
      const { body } = await stage.scene.caller.post(path, request(more));
      expect(body).to.have.nested.property('errors[0].pointer', fault);
    }
  });
});
