import { expect } from 'chai';
import { bootApp, type TestApp } from '../support/app.js';
import { done } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { intoThePast } from '../support/measures.js';
import { callerOf } from '../support/http.js';
import { expressing } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { idToBytes } from '../../src/storage/ids.js';
import { isLong } from '../support/environment.js';

interface Row {
  readonly version: number;
  readonly count: number;
  readonly failed: number;
  readonly field: { values: object[]; others: number; absent: number; numbers: { count: number } | null };
}

describe('measures of two servers, of which one is killed', () => {
  const batches = isLong ? 100 : 4;
  const perBatch = isLong ? 1000 : 300;
  /** Of each batch. */
  const failing = perBatch / 100;
  let one: TestApp;
  let two: ServerProcess;
  let scene: Scene;
  before(async () => {
    [one, two] = await Promise.all([bootApp(), startServer(longTimeouts)]);
    scene = await buildScene(one);
  });
  after(() => one.stop());

  it('are what the records say once they are counted anew', async () => {
    const model = expressing({
      decision: "x % 3 == 0 ? 'refused' : 'granted'",
      rate: 'x / 7',
      text: 'string(x % 150)',
    });
    const { decisionId, environmentId } = await scene.deployed('d.json', model);
    await scene.caller.put(`/logic/decisions/${decisionId}/measured`, { pointers: ['/decision', '/rate', '/text'] });
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const callers = [one, two].map(({ baseUrl }) => callerOf(baseUrl, scene.token, scene.workspaceId));
    const send = async (server: number, batch: number): Promise<void> => {
      const items = Array.from({ length: perBatch }, (_, n) => ({
        fact: { x: n % 100 === 7 ? 'a' : batch * perBatch + n },
      }));
      const answer = await callers[server]!.post(path, { items });
      expect(answer.status, answer.text).to.equal(200);
    };
    const half = batches / 2;
    await Promise.all(
      [0, 1].map(async (server) => {
        for (let batch = server * half; batch < (server + 1) * half; batch++) await send(server, batch);
      }),
    );
    await two.kill();
    await one.stop();
    one = await bootApp();
    await intoThePast(scene.workspaceId);
    const from = new Date(Date.now() - 4 * 3_600_000).toISOString();
    const counted = async (pointer: string): Promise<readonly Row[]> => {
      const caller = callerOf(one.baseUrl, scene.token, scene.workspaceId);
      const { body } = await caller.get(
        `/logic/measures?decisionId=${decisionId}&step=day&from=${from}&pointer=${pointer}`,
      );
      return (body as { data: Row[] }).data;
    };
    const total = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + row.count, 0);
    expect(total(await counted('/rate'))).to.be.at.most(batches * perBatch);
    await eventually(async () => (await stored()) === batches * perBatch);
    const recounted = await done<{ executions: number }>(
      ...['measures', 'recount', '--workspace', scene.workspaceId, '--from', from],
    );
    expect(recounted.executions).to.equal(batches * perBatch);
    const rates = await counted('/rate');
    expect(total(rates)).to.equal(batches * perBatch);
    expect(rates.reduce((sum, { failed }) => sum + failed, 0)).to.equal(batches * failing);
    expect(rates.reduce((sum, { field }) => sum + (field.numbers?.count ?? 0), 0)).to.equal(
      batches * (perBatch - failing),
    );
    const values = (await counted('/decision')).flatMap(
      ({ field }) => field.values as { value: string; count: number }[],
    );
    const refused = Array.from({ length: batches * perBatch }, (_, x) => x).filter((x) => x % 3 === 0 && x % 100 !== 7);
    const sumOf = (wanted: string): number =>
      values.filter(({ value }) => value === wanted).reduce((sum, { count }) => sum + count, 0);
    expect(sumOf('refused')).to.equal(refused.length);
    expect(sumOf('granted')).to.equal(batches * (perBatch - failing) - refused.length);
    const again = await done<{ executions: number }>(
      ...['measures', 'recount', '--workspace', scene.workspaceId, '--from', from],
    );
    expect(again).to.deep.equal(recounted);
    expect(await counted('/rate')).to.deep.equal(rates);
    expect((await counted('/text'))[0]?.field.values).to.have.length(20);
  });

  const stored = async (): Promise<number> => {
    const [row] = await testDatabase()('executions')
      .where({ workspace_id: idToBytes(scene.workspaceId) })
      .count<{ total: number | string }[]>({ total: '*' });
    return Number(row?.total);
  };
});
