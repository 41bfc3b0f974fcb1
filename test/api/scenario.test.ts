import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { expressing } from '../support/models.js';
import { recordedRows } from '../support/records.js';
import { testDatabase, useScene } from '../support/scene.js';
import { idToBytes } from '../../src/storage/ids.js';

const secret = 'swordfish-42';

/** `{amount}` to the fee of a version, and proof that the variables arrived. */
const fee = (version: number): ReturnType<typeof expressing> =>
  expressing({ fee: `amount * ${version} + $env.BASE`, keyLength: 'len($env.API_KEY)' });

describe('the main job, from token to record', () => {
  const app = useApp({ LOG_LEVEL: 'trace' });
  const scene = useScene(app);
  let decisionId: string;
  before(async () => {
    decisionId = await scene.decision('fee.json', fee(1));
    await scene.decision('fee.json', fee(2));
  });

  it('deploys, executes, rolls back by deleting, and keeps what has history', async () => {
    const environmentId = await scene.environment();
    await scene.variable(environmentId, 'BASE', 0.5);
    await scene.variable(environmentId, 'API_KEY', secret, true);
    const executions = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const run = async (): Promise<{ id: string; result: unknown }> => {
      const answer = await scene.caller.post(executions, { fact: { amount: 10 } });
      expect(answer.status, answer.text).to.equal(201);
      const body = answer.body as Record<string, unknown> & { id: string };
      expect(body).to.have.all.keys('id', 'decisionId', 'status', 'result', 'performance', 'createdAt', 'updatedAt');
      expect(body).to.include({ decisionId, status: 'COMPLETED', updatedAt: body.createdAt });
      expect(body.performance).to.match(/^\d+(\.\d{1,3})?ms$/);
      return { id: body.id, result: body.result };
    };

    // nothing is deployed yet
    expectProblem(await scene.caller.post(executions, { fact: {} }), 'routing_not_found', { instance: executions });

    // version 1, executed
    const one = await scene.deploy(decisionId, environmentId, 1);
    const first = await run();
    expect(first.result).to.deep.equal({ fee: 10.5, keyLength: secret.length });

    // version 2, deleted unused: version 1 is in force again
    const unused = await scene.deploy(decisionId, environmentId, 2);
    expect((await scene.caller.delete(`/logic/deployments/${unused}`)).status).to.equal(204);
    expect((await run()).result).to.deep.equal({ fee: 10.5, keyLength: secret.length });

    // version 2 for good
    const two = await scene.deploy(decisionId, environmentId, 2);
    expect((await run()).result).to.deep.equal({ fee: 20.5, keyLength: secret.length });

    // PATCH changes the record alone
    expect((await scene.caller.patch(`/logic/deployments/${two}`, { version: 1 })).status).to.equal(200);
    expect((await run()).result).to.deep.equal({ fee: 20.5, keyLength: secret.length });

    // what has history stays
    for (const path of [
      `/logic/deployments/${one}`,
      `/logic/deployments/${two}`,
      `/logic/environments/${environmentId}`,
    ]) {
      expectProblem(await scene.caller.delete(path), 'execution_history_exists', { instance: path });
    }

    // the record
    const rows = (await recordedRows(testDatabase())
      .where({ workspace_id: idToBytes(scene.workspaceId) })
      .orderBy('id')) as Record<string, unknown>[];
    expect(rows.map(({ version, status }) => [version, status])).to.deep.equal(
      [1, 1, 2, 2].map((version) => [version, 'COMPLETED']),
    );
    const [row] = rows;
    expect(row).to.deep.include({
      id: idToBytes(first.id),
      environment_id: idToBytes(environmentId),
      deployment_id: idToBytes(one),
      decision_id: idToBytes(decisionId),
      fact: '{"amount":10}',
      result: `{"fee":10.5,"keyLength":${secret.length}}`,
      error: null,
      trace: null,
      principal: `client:${scene.client.id}`,
    });
  });

  it('shows a secret in no trace, no error, no record and no log line', async () => {
    const leaky = expressing({ copy: '$env.API_KEY', broken: 'len(x) + number($env.API_KEY)' });
    const leakyId = await scene.decision('leaky.json', leaky);
    const environmentId = await scene.environment();
    await scene.variable(environmentId, 'API_KEY', secret, true);
    await scene.deploy(leakyId, environmentId, 1);
    const path = `/logic/${environmentId}/decisions/${leakyId}/executions`;
    const answer = await scene.caller.post(path, { fact: { x: 7, mine: secret } });
    expect(answer.status, answer.text).to.equal(201);
    const body = answer.body as { status: string; trace: unknown; result: { error: string } };
    expect(body.status).to.equal('FAILED');
    expect(body.result.error).to.be.a('string').and.not.include('\n');
    expect(body.trace).to.be.an('object');
    expect(answer.text).to.include('[REDACTED]');

    const encoded = [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
    const rows = (await testDatabase()('executions').where({ workspace_id: idToBytes(scene.workspaceId) })) as object[];
    const variables = (await testDatabase()('variables').where({
      workspace_id: idToBytes(scene.workspaceId),
    })) as object[];
    for (const text of encoded) {
      expect(answer.text).to.not.include(text);
      expect(JSON.stringify(rows)).to.not.include(text);
      expect(app.log()).to.not.include(text);
      for (const row of [...rows, ...variables]) {
        for (const value of Object.values(row)) {
          expect(Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).to.not.include(text);
        }
      }
    }
    expect(app.log()).to.include(path);
    expect(app.log()).to.not.include(scene.token);
  });
});
