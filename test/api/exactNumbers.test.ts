import { expect } from 'chai';
import { useApp } from '../support/app.js';
import type { Answer } from '../support/http.js';
import { expressing } from '../support/models.js';
import { useScene } from '../support/scene.js';

describe('numbers that no double holds', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  let decisionId: string;
  before(async () => {
    environmentId = await scene.environment();
    const keys = { account: 'account', shown: '`${account} ${price}`', above: 'rate > 100', sum: 'account + 1' };
    decisionId = await scene.decision('exact.json', expressing(keys));
    await scene.deploy(decisionId, environmentId, 1);
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
    const evaluated = await send(`/logic/decisions/${decisionId}/evaluations`, `{"version":1,"fact":${fact}}`);
    expect(evaluated.text)
      .to.include(`"result":${result}`)
      .and.to.include('"account":12345678901234567890,"price":1.5,');
    const batch = await send(`${path}/batches`, `{"items":[{"fact":${fact}},{"fact":${fact}}]}`);
    expect(batch.text.split(`"result":${result}`)).to.have.length(3);
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
