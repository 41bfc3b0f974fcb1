import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { between, expressing } from '../../support/models.js';
import { ReplayStage } from '../../support/replays.js';
import { bodyOf } from '../../support/asserts.js';
import { useApp } from '../../support/app.js';
import { done } from '../../support/cli.js';
import { approval, dmn } from '../../support/dmn.js';
import { intoThePast } from '../../support/measures.js';
import { useScene } from '../../support/scene.js';

interface Shown {
  readonly measured: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly data: readonly {
    readonly at: string;
    readonly version: number;
    readonly count: number;
    readonly failed: number;
    readonly engine: { p50: number | null; p99: number | null };
    readonly field?: object | null;
  }[];
}

const hourMs = 3_600_000;

describe('measures', () => {
  const stage = new ReplayStage();
  const setMeasured = (pointers: readonly unknown[]) =>
    stage.scene.caller.put(`/logic/decisions/${stage.decisionId}/measured`, { pointers });
  const read = async (query = ''): Promise<Shown> =>
    bodyOf(await stage.scene.caller.get(`/logic/measures?decisionId=${stage.decisionId}${query}`)) as Shown;
  /** Once so many executions are counted; of all hours together, since one may end meanwhile. */
  const counted = async (count: number, query = ''): Promise<Shown> => {
    let shown: Shown | undefined;
    await eventually(async () => {
      shown = await read(query);
      return shown.data.reduce((sum, one) => sum + one.count, 0) === count;
    });
    return shown!;
  };
  const model = expressing({ decision: "x > 2 ? 'granted' : 'refused'", rate: 'x * 1.5', ok: 'x > 2', 'a b': '[x]' });

  it('count executions by version, with the values of the fields that are measured', async () => {
    await stage.deployed(model);
    const set = await setMeasured(['/decision', '/rate', '/nothing', '/a b/0']);
    expect([set.status, set.body]).to.deep.equal([200, { pointers: ['/decision', '/rate', '/nothing', '/a b/0'] }]);
    for (const x of [1, 2, 3, 4, 'a']) await stage.execute({ x });
    await stage.next(expressing({ decision: "'granted'" }));
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 2);
    const path = `/logic/${stage.environmentId}/decisions/${stage.decisionId}/batches`;
    await stage.scene.caller.post(path, { items: [{ fact: {} }, { fact: {} }] });
    const shown = await counted(7, '&step=day&pointer=/decision');
    const { data, ...head } = shown;
    expect(head).to.have.all.keys('decisionId', 'measured', 'step', 'from', 'to');
    expect(head).to.deep.include({ measured: ['/decision', '/rate', '/nothing', '/a b/0'], step: 'day' });
    const day = data.map(({ engine, at, ...one }) => {
      expect(engine.p99).to.be.at.least(engine.p50!).and.at.least(0.001);
      expect(new Date(at).getTime() % (24 * hourMs)).to.equal(0);
      return one;
    });
    const granted = (count: number): object => ({ value: 'granted', count });
    expect(day).to.deep.equal([
      {
        ...{ version: 1, count: 5, failed: 1, warnings: 0 },
        field: { values: [granted(2), { value: 'refused', count: 2 }], others: 0, absent: 0, numbers: null },
      },
      {
        ...{ version: 2, count: 2, failed: 0, warnings: 0 },
        field: { values: [granted(2)], others: 0, absent: 0, numbers: null },
      },
    ]);
    const numbers = { count: 4, p1: 1.5, p5: 1.5, p25: 1.5, p50: 3, p75: 4.5, p95: 6, p99: 6 };
    const [rate] = (await read('&step=day&pointer=/rate')).data;
    const { numbers: found, ...rest } = rate!.field as { numbers: Record<string, number> };
    expect(rest).to.deep.equal({ values: [], others: 0, absent: 0 });
    for (const [name, value] of Object.entries(numbers)) expect(found[name], name).to.be.closeTo(value, value * 0.01);
    const absent = (await read('&step=day&pointer=/nothing')).data.map(({ field }) => field);
    expect(absent[0]).to.deep.equal({ values: [], others: 0, absent: 4, numbers: null });
    expect((await read('&pointer=/ok')).data.every(({ field }) => field === null)).to.equal(true);
    expect((await read()).data.every((one) => !('field' in one))).to.equal(true);
    expect((await read(`&environmentId=${await stage.scene.environment()}`)).data).to.deep.equal([]);
    expect((await read(`&environmentId=${stage.environmentId}`)).data.length).to.be.at.least(2);
    expect((await read('&from=2020-01-01&to=2020-01-02')).data).to.deep.equal([]);
  });

  it('follow what is measured from then on, and begin with nothing but counts', async () => {
    await stage.deployed(model);
    await stage.execute({ x: 1 });
    expect((await counted(1, '&pointer=/ok')).data[0]?.field).to.equal(null);
    await setMeasured(['/ok']);
    await eventually(async () => {
      await stage.execute({ x: 3 });
      return (await read('&pointer=/ok')).data.some(({ field }) => field !== null);
    });
    await setMeasured([]);
    expect((await read()).measured).to.deep.equal([]);
  });

  it('refuse what they cannot tell', async () => {
    await stage.deployed(model);
    const code = async (query: string): Promise<unknown> =>
      ((await stage.scene.caller.get(`/logic/measures${query}`)).body as { code: string }).code;
    const of = `?decisionId=${stage.decisionId}`;
    expect(await code(`${of}&from=2026-01-02&to=2026-01-01`)).to.equal('validation_failed');
    expect(await code(`${of}&from=2026-01-01&to=2026-03-01`)).to.equal('validation_failed');
    expect(await code(`${of}&step=day&from=2020-01-01&to=2026-03-01`)).to.equal('validation_failed');
    expect(await code(`?decisionId=${stage.environmentId}`)).to.equal('decision_not_found');
    const refused = await Promise.all(
      [['x'], [''], ['/a', '/a'], ['/1', '/2', '/3', '/4', '/5', '/6'], [1]].map(setMeasured),
    );
    expect(refused.map(({ status }) => status)).to.deep.equal([400, 400, 400, 400, 400]);
  });
});

interface Counts {
  readonly count: number;
  readonly warnings: number;
}

describe('nulls of DMN models that executions tell', () => {
  const scene = useScene(useApp());

  it('are counted in measures as the records tell them, and a recount finds the same', async () => {
    const environmentId = await scene.environment();
    const dmnId = await scene.decision('approval.dmn', dmn(approval));
    // A node that is called as what tells warnings of DMN in a trace, in a record that keeps one since it failed.
    const content = { expressions: [{ id: 'e', key: 'fee', value: 'x / "a"' }] };
    const failing = between({ id: 'warnings', type: 'expressionNode', name: 'Fee', content });
    const jdmId = await scene.decision('failing.json', failing);
    for (const id of [dmnId, jdmId]) await scene.deploy(id, environmentId, 1);
    const path = (id: string): string => `/logic/${environmentId}/decisions/${id}`;
    const told: unknown[] = [];
    for (const age of [20, 'young', null]) {
      const { body } = await scene.caller.post(`${path(dmnId)}/executions`, {
        fact: { 'Applicant Age': age, Amount: 1 },
      });
      const { id } = body as { id: string };
      const read = await scene.caller.get(`/logic/executions/${id}`);
      told.push(...((read.body as { warnings?: unknown[] }).warnings ?? []));
    }
    expect(told.length, 'a text for a number is null, and no rule takes null').to.be.greaterThan(1);
    const items = [{ fact: { 'Applicant Age': 'young', Amount: 1 } }, { fact: { 'Applicant Age': 20, Amount: 1 } }];
    expect((await scene.caller.post(`${path(dmnId)}/batches`, { items })).status).to.equal(200);
    await scene.caller.post(`${path(jdmId)}/executions`, { fact: { x: 1 } });

    const from = new Date(Date.now() - 4 * 3_600_000).toISOString();
    const counted = async (id: string): Promise<Counts> => {
      const { body, text } = await scene.caller.get(`/logic/measures?decisionId=${id}&from=${from}`);
      const { data } = body as { data?: readonly Counts[] };
      if (data === undefined) throw new Error(text);
      const sum = (of: keyof Counts): number => data.reduce((total, one) => total + one[of], 0);
      return { count: sum('count'), warnings: sum('warnings') };
    };
    await eventually(async () => (await counted(dmnId)).count === 5 && (await counted(jdmId)).count === 1);
    const { warnings } = await counted(dmnId);
    expect(warnings).to.be.greaterThan(told.length);
    expect(await counted(jdmId)).to.deep.equal({ count: 1, warnings: 0 });

    await intoThePast(scene.workspaceId);
    await done('measures', 'recount', '--workspace', scene.workspaceId, '--from', from);
    expect(await counted(dmnId)).to.deep.equal({ count: 5, warnings });
    expect(await counted(jdmId)).to.deep.equal({ count: 1, warnings: 0 });
  });
});
