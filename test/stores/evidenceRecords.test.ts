import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { setVariable } from '../../src/environments/variables.store.js';
import { createRecords, noAccount } from '../../src/evidence/records.js';
import { findWholeExecution } from '../../src/runs/history.store.js';
import { buildDeployed, recordOf, testContext } from '../support/deployed.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';

describe('the text of a record', () => {
  const store = useScratchStore();

  /** An execution that saw two variables, one of them secret. */
  async function executed() {
    const deployed = await buildDeployed(store);
    const write = (name: string, value: unknown, secret: boolean) =>
      setVariable({ ...store, actor: testActor }, deployed, { name, value, secret });
    await write('RATE', [1.5, 'ж'], false);
    const { revision } = await write('KEY', 'hidden', true);
    const context = { ...testContext, configurationRevision: revision };
    const record = recordOf(deployed, { context, fact: '{"x":1.00}' });
    await writeRecords(store.database, [record]);
    const execution = (await findWholeExecution(store.database, deployed.workspaceId, record.id))!;
    return { deployed, record, revision, execution };
  }

  it('is for ever what it was when its leaf was made', async () => {
    const { deployed, record, revision, execution } = await executed();
    const { workspaceId, environmentId, deploymentId, decisionId } = deployed;
    const told = `"revision":${revision},"variables":{"RATE":[1.5,"ж"]},"secrets":["KEY"]}`;
    const digest = createHash('sha256').update(`{${told}`).digest('hex');
    expect(await createRecords(store).ofExecution(execution, noAccount)).to.equal(
      `{"record":1,"execution":{"id":"${record.id}","workspaceId":"${workspaceId}","environmentId":"${environmentId}",` +
        `"deploymentId":"${deploymentId}","decisionId":"${decisionId}","version":1,"status":"COMPLETED","reference":null,` +
        `"fact":{"x":1.00},"result":{"y":2},"error":null,"trace":null,"performance":"0.12ms","requestId":"${record.requestId}",` +
        `"principal":"client:test","createdAt":"${record.createdAt.toISOString()}"},` +
        `"context":${JSON.stringify(execution.context)},"program":null,"configuration":{"digest":"${digest}",${told}}`,
    );
  });

  it('is soon another where what it is made of was changed, also in a process that has made it before', async () => {
    const { execution } = await executed();
    const records = createRecords(store);
    const before = await records.ofExecution(execution, noAccount);
    await store.database('variables').where('name', 'RATE').delete();
    const now = performance.now.bind(performance);
    performance.now = () => now() + 11 * 60_000;
    try {
      const text = await records.ofExecution(execution, noAccount);
      expect(before).to.include('"variables":{"RATE":[1.5,"ж"]}');
      expect(text).to.include('"variables":{}');
    } finally {
      performance.now = now;
    }
  });
});
