import { expect } from 'chai';
import type { Knex } from 'knex';
import { deployments } from '../../src/deployments/deployments.store.js';
import { changeRoutesOfDeployment, changeRoutesOfEnvironment } from '../../src/deployments/routing.js';
import { environments } from '../../src/environments/environments.store.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import type { Answer } from '../support/http.js';
import { statementsWait } from '../support/locks.js';
import { doubling, scripting } from '../support/models.js';
import { testDatabase, useScene } from '../support/scene.js';
import { recordedRows } from '../support/records.js';

describe('an execution whose deployment another process removes meanwhile', () => {
  const app = useApp();
  const scene = useScene(app);
  let decisionId: string;
  let environmentId: string;
  before(async () => {
    decisionId = await scene.decision('removed.json', doubling(1));
    await scene.decision('removed.json', doubling(2));
  });
  beforeEach(async () => {
    environmentId = await scene.environment();
  });
  const path = (): string => `/logic/${environmentId}/decisions/${decisionId}/executions`;

  /** Executes while the removal is under way, which is committed once the record waits for it. */
  async function executeDuring(
    remove: (transaction: Knex.Transaction) => Promise<unknown>,
    headers: Record<string, string> = {},
    executions = path(),
  ): Promise<Answer> {
    const transaction = await testDatabase().transaction();
    await remove(transaction);
    const answer = scene.caller.post(executions, { fact: { x: 1 } }, headers);
    await statementsWait(testDatabase(), /^insert into `?execution/i);
    await transaction.commit();
    return answer;
  }
  const removing = (id: string) => async (transaction: Knex.Transaction) => {
    await changeRoutesOfDeployment(transaction, scene.workspaceId, id);
    await deployments.delete(transaction, { workspaceId: scene.workspaceId, id });
  };

  for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
    it(`runs the older deployment that is in force (${JSON.stringify(headers)})`, async () => {
      const older = await scene.deploy(decisionId, environmentId, 1);
      const newer = await scene.deploy(decisionId, environmentId, 2);
      const answer = await executeDuring(removing(newer), headers);
      expect(answer.status, answer.text).to.equal(201);
      const { id, result } = answer.body as { id: string; result: unknown };
      expect(result).to.deep.equal({ y: 1 });
      const records = recordedRows(testDatabase()).where({ environment_id: idToBytes(environmentId) });
      const rows = (await records) as object[];
      expect(rows).to.have.length(1);
      expect(rows[0]).to.deep.include({ id: idToBytes(id), deployment_id: idToBytes(older), version: 1 });
    });
  }

  it('calls no host a second time: it is 404 where what is then in force would call one', async () => {
    const call = `try { await http.get('http://127.0.0.1:9/x'); } catch {} return { y: 1 }`;
    const calling = await scene.decision('calling.json', scripting(call, "import http from 'http';"));
    await scene.decision('calling.json', doubling(2));
    await scene.deploy(calling, environmentId, 1);
    const newer = await scene.deploy(calling, environmentId, 2);
    const executions = `/logic/${environmentId}/decisions/${calling}/executions`;
    const answer = await executeDuring(removing(newer), {}, executions);
    expectProblem(answer, 'routing_not_found', {
      instance: executions,
      detail: 'The deployment was removed while the decision ran.',
    });
    expect(await recordedRows(testDatabase()).where({ environment_id: idToBytes(environmentId) })).to.deep.equal([]);
    // The next one is an execution as any other.
    expect((await scene.caller.post(executions, { fact: { x: 1 } })).body).to.have.deep.property('result', { y: 1 });
  });

  it('is 404 where nothing else is deployed', async () => {
    const only = await scene.deploy(decisionId, environmentId, 1);
    expectProblem(await executeDuring(removing(only)), 'routing_not_found', { instance: path() });
  });

  it('is told that the environment is gone where it is, not that nothing is deployed', async () => {
    await scene.deploy(decisionId, environmentId, 1);
    const answer = await executeDuring(async (transaction) => {
      await changeRoutesOfEnvironment(transaction, scene.workspaceId, environmentId);
      await environments.delete(transaction, { workspaceId: scene.workspaceId, id: environmentId });
    });
    expectProblem(answer, 'environment_not_found', { instance: path() });
  });
});
