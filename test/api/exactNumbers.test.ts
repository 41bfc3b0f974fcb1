import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { apply, protect, requestsPath } from '../support/changes.js';
import { bodyOf } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import type { Answer } from '../support/http.js';
import { expressing } from '../support/models.js';
import { startReplay } from '../support/replays.js';
import { useScene } from '../support/scene.js';
import { asCsv, asXlsx, cellsOf, plainFile } from '../support/sheets.js';

describe('numbers that no double holds', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  let decisionId: string;
  before(async () => {
    const keys = { account: 'account', shown: '`${account} ${price}`', above: 'rate > 100', sum: 'account + 1' };
    ({ decisionId, environmentId } = await scene.deployed('exact.json', expressing(keys)));
  });

  const send = (path: string, body: string): Promise<Answer> =>
    scene.caller.post(path, body, { 'Content-Type': 'application/json' });
  const fact = '{"account":12345678901234567890,"price":1.50,"rate":100.0000000000000000000000001}';
  const result =
    '{"account":12345678901234567890,"shown":"12345678901234567890 1.50","above":true,"sum":12345678901234567891}';

  it('come back digit by digit: from executions, their records and explanations, evaluations, traces and batches', async () => {
    const path = `/logic/${environmentId}/decisions/${decisionId}`;
    const executed = await send(`${path}/executions`, `{"fact":${fact}}`);
    expect(executed.status, executed.text).to.equal(201);
    expect(executed.text).to.include(`"result":${result}`);
    const { id } = executed.body as { id: string };
    const record = await scene.caller.get(`/logic/executions/${id}`);
    expect(record.text).to.include(`"fact":${fact}`).and.to.include(`"result":${result}`);
    const explained = await scene.caller.get(`/logic/executions/${id}/explanation`);
    expect(explained.text).to.include('"exact":true').and.to.include(`"result":${result}`);
    expect(explained.text).to.include('"input":{"account":12345678901234567890,"price":1.5,');
    const told = await scene.caller.get(`/logic/executions/${id}/explanation?steps=true`);
    expect(told.text).to.include('made sum 12345678901234567891, by account + 1');
    const evaluated = await send(`/logic/decisions/${decisionId}/evaluations`, `{"version":1,"fact":${fact}}`);
    expect(evaluated.text)
      .to.include(`"result":${result}`)
      .and.to.include('"account":12345678901234567890,"price":1.5,');
    const batch = await send(`${path}/batches`, `{"items":[{"fact":${fact}},{"fact":${fact}}]}`);
    expect(batch.text.split(`"result":${result}`)).to.have.length(3);
  });

  it('come back digit by digit from change requests, in every answer that shows the variable', async () => {
    const guarded = await scene.environment();
    await protect(scene.caller, guarded, { authorMayApprove: true });
    const value = '[12345678901234567890.1234,1.50]';
    const made = await send(
      requestsPath,
      `{"title":"t","environmentId":"${guarded}","changes":[{"type":"variable","name":"V","value":${value}}]}`,
    );
    const { id, digest } = bodyOf(made, 201) as { id: string; digest: string };
    const path = `${requestsPath}/${id}`;
    const approved = await scene.caller.post(`${path}/reviews`, { verdict: 'approve', digest });
    const listed = await scene.caller.get(requestsPath);
    const applied = await apply(scene.caller, { id });
    expect([approved.status, applied.status], approved.text + applied.text).to.deep.equal([201, 200]);
    for (const { text } of [made, approved, listed, applied, await scene.caller.get(path)]) {
      expect(text).to.include(`"value":${value}`);
    }
    const list = await scene.caller.get(`/logic/environments/${guarded}/variables`);
    expect(list.text).to.include(`"value":${value}`);
  });

  it('come back digit by digit from batches of lines and of spreadsheets', async () => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const lines = await scene.caller.post(path, `{"fact":${fact}}\n{"fact":${fact}}\n`, {
      'Content-Type': 'application/x-ndjson',
    });
    expect(lines.text.split(`"result":${result}`), lines.text).to.have.length(3);
    const cells = ['12345678901234567890', '1.50', '100.0000000000000000000000001'];
    const csv = await scene.caller.post(path, `account,price,rate\n${cells.join()}\n`, asCsv);
    const [head = '', row = ''] = csv.text.split('\n');
    const written = new Map(head.split(',').map((name, at) => [name, row.split(',')[at]]));
    expect(written.get('account')).to.equal('12345678901234567890');
    expect(written.get('result.sum')).to.equal('12345678901234567891');
    expect(written.get('result.above')).to.equal('true');
    const xlsx = await scene.caller.post(path, plainFile([['account', 'price', 'rate'], cells]), asXlsx);
    expect(xlsx.status, xlsx.text).to.equal(200);
    const [names = [], values = []] = cellsOf(xlsx.bytes ?? Buffer.alloc(0)).sheet;
    expect(values[names.indexOf('result.sum')]).to.equal('12345678901234567891');
    expect(values[names.indexOf('result.above')]).to.equal('true');
  });

  it('are compared and told digit by digit by replays and shadows', async () => {
    const other = await scene.decision('replayed.json', expressing({ account: 'account' }));
    await scene.decision(
      'replayed.json',
      expressing({ account: 'account == 12345678901234567890 ? account + 1 : account' }),
    );
    await scene.deploy(other, environmentId, 1);
    const shadow = await scene.caller.post('/logic/shadows', {
      ...{ decisionId: other, environmentId, version: 2, sample: 1 },
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(shadow.status, shadow.text).to.equal(201);
    // Five of one, since values of fewer are hashes.
    const five = Array<string>(5).fill('12345678901234567890');
    for (const account of [...five, '12345678901234567891'])
      await send(`/logic/${environmentId}/decisions/${other}/executions`, `{"fact":{"account":${account}}}`);
    const told = '"pointer":"/account","before":12345678901234567890,"after":12345678901234567891,"count":5';
    const transition = (text: string): boolean => text.includes(told) && text.includes('"identical":1');
    const request = { decisionId: other, environmentId, candidate: { version: 2 } };
    const { id } = await startReplay(scene.caller, request);
    for (const path of [`/logic/replays/${id}`, `/logic/shadows/${(shadow.body as { id: string }).id}`])
      await eventually(async () => transition((await scene.caller.get(path)).text));
  });

  it('are an error that names the place, where they have more digits than a number can have', async () => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const { status, body } = await send(path, '{"fact":{"orders":[{"amount":1e30}]}}');
    expect(status).to.equal(201);
    expect(body).to.deep.include({
      status: 'FAILED',
      result: { error: 'The number at `/orders/0/amount` does not fit 28 digits: 1e30.' },
    });
  });

  it('take no more than others: a fact of a megabyte of them is executed', async () => {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const list = Array.from({ length: 43_000 }, (_, index) => `1234567890123456${index % 10}.${10000 + index}`);
    const large = `{"account":1,"price":1.50,"rate":1,"list":[${list.join(',')}]}`;
    expect(large.length).to.be.greaterThan(1_000_000);
    const executed = await send(path, `{"fact":${large}}`);
    expect(executed.status, executed.text.slice(0, 300)).to.equal(201);
    expect(executed.body).to.deep.include({
      status: 'COMPLETED',
      result: { account: 1, shown: '1 1.50', above: false, sum: 2 },
    });
  });
});
