import { expect } from 'chai';
import { deployments, holdDeploymentsOf, tellRemovals } from '../../src/deployments/deployments.store.js';
import { requireUnexecuted } from '../../src/deployments/executed.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { Problem } from '../../src/errors.js';
import { createRecorder, type Recorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { inTransaction } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { atOnce } from '../support/atOnce.js';
import { buildDeployed, deployOnce, recordOf, removeDeployed, type Deployed } from '../support/deployed.js';
import { testActor, useStore } from '../support/factories.js';
import { statementsWait } from '../support/locks.js';
import { recordedRows } from '../support/records.js';
import { testPace } from '../support/settings.js';

describe('removals of deployments beside records', () => {
  const store = useStore();
  let recorder: Recorder;
  let deployed: Deployed;
  before(async () => {
    const { database } = store;
    recorder = createRecorder({
      database,
      records: database,
      recordFacts: true,
      scheduler: atOnce,
      giveUpAfterMs: testPace.recorderGiveUp,
    });
    deployed = await buildDeployed(store);
  });

  type Rows = Promise<Record<string, unknown>[]>;
  const stored = (deploymentId: string): Rows =>
    recordedRows(store.database).where({ deployment_id: idToBytes(deploymentId) }) as Rows;
  const outcomeOf = (record: ExecutionRecord): Promise<unknown> =>
    recorder.recordExecution(record).then(
      () => 'recorded',
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );

  it('of a removal and a record at once one is refused, and no record is left without its deployment', async () => {
    const kept: string[] = [];
    for (let round = 0; round < 20; round++) {
      const other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
      const first = recordOf(other);
      await recorder.recordExecution(first);
      await store
        .database('executions')
        .where({ id: idToBytes(first.id) })
        .delete();
      // The route is known and nothing names it: in a group of its own, and beside rows of others.
      const others = Array.from({ length: round % 3 }, () => recorder.recordExecution(recordOf(deployed)));
      const [removed, recording] = await Promise.all([
        removeDeployed(store.database, other),
        outcomeOf(recordOf(other)),
        ...others,
      ]);
      const isKept = removed === 'execution_history_exists';
      expect([removed, recording]).to.deep.equal(
        isKept ? ['execution_history_exists', 'recorded'] : ['removed', 'routing_not_found'],
      );
      expect(await stored(other.deploymentId)).to.have.length(isKept ? 1 : 0);
      kept.push(removed);
    }
    const orphans = store.database('executions as e').leftJoin('execution_routes as r', 'r.code', 'e.route');
    expect(await orphans.whereNull('r.code').select('e.id')).to.deep.equal([]);
  });

  // The number of its route is asked for while the removal holds the deployment, after it has looked for records.
  for (const removed of ['deployment', 'environment'] as const) {
    it(`the first record of a deployment waits while its ${removed} is being removed, and is refused afterwards`, async () => {
      const { database } = store;
      const other =
        removed === 'environment'
          ? await buildDeployed(store)
          : { ...deployed, deploymentId: await deployOnce(store, deployed) };
      const { workspaceId, environmentId, deploymentId } = other;
      const table = removed === 'deployment' ? deployments : environments;
      const ref = { workspaceId, id: removed === 'deployment' ? deploymentId : environmentId };
      const recording = await inTransaction(database, async (transaction) => {
        await table.find(transaction, ref, true);
        const deploymentIds = [deploymentId];
        if (removed === 'environment') await holdDeploymentsOf(transaction, workspaceId, environmentId);
        await requireUnexecuted(transaction, removed, {
          workspaceId,
          deploymentIds,
          ...(removed === 'environment' && { environmentId }),
        });
        const outcome = outcomeOf(recordOf(other));
        await Promise.race([outcome, statementsWait(database, /INSERT INTO execution_routes/)]);
        await table.delete(transaction, ref);
        return { outcome };
      });
      expect(await recording.outcome).to.equal('routing_not_found');
      const orphans = database('executions as e').leftJoin('execution_routes as r', 'r.code', 'e.route');
      expect(await orphans.whereNull('r.code').select('e.id')).to.deep.equal([]);
    });
  }

  it('all deployments of an environment are held and told of, and few of their messages are read at once', async () => {
    const { database } = store;
    const { workspaceId, environmentId, deploymentId } = await buildDeployed(store);
    const { id: _, ...fields } = await deployments.require(database, { workspaceId, id: deploymentId });
    const ids = [deploymentId];
    for (let made = 0; made < 249; made++) {
      ids.push((await deployments.insert(database, workspaceId, { ...fields, message: 'm'.repeat(4000) })).id);
    }
    const messages: number[] = [];
    const note = (answer: unknown): void => {
      const rows = Array.isArray(answer) ? (answer as readonly unknown[]) : [];
      messages.push(rows.filter((row) => typeof row === 'object' && row !== null && 'message' in row).length);
    };
    database.on('query-response', note);
    await inTransaction(database, async (transaction) => {
      expect(await holdDeploymentsOf(transaction, workspaceId, environmentId)).to.deep.equal(ids);
      await tellRemovals(transaction, testActor, { workspaceId, ids });
    });
    database.removeListener('query-response', note);
    expect(messages.filter((count) => count > 0)).to.deep.equal([100, 100, 50]);
    const told = database('audit_entries').where({ workspace_id: idToBytes(workspaceId), action: 'deployment.delete' });
    expect(await told.orderBy('id').pluck('resource_id')).to.deep.equal(ids);
  });

  it('rows of many routes are written together, and of those whose route is gone each is refused alone', async () => {
    const many: Deployed[] = [];
    for (let count = 0; count < 12; count++)
      many.push({ ...deployed, deploymentId: await deployOnce(store, deployed) });
    const gone = many[5]!;
    for (const of of many) {
      const record = recordOf(of);
      await recorder.recordExecution(record);
      if (of === gone)
        await store
          .database('executions')
          .where({ id: idToBytes(record.id) })
          .delete();
    }
    expect(await removeDeployed(store.database, gone)).to.equal('removed');
    const records = [...many, ...many].map((of) => recordOf(of));
    const errors = await recorder.recordExecutions(records, { repeated: false });
    for (const [at, error] of errors.entries()) {
      if (records[at]!.deploymentId === gone.deploymentId) expect(error).to.include({ code: 'routing_not_found' });
      else expect(error).to.equal(undefined);
    }
    for (const of of many) expect(await stored(of.deploymentId)).to.have.length(of === gone ? 0 : 3);
  });
});
