import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { expressing } from '../../support/models.js';
import { ReplayStage } from '../../support/replays.js';
import { bodyOf } from '../../support/asserts.js';

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
