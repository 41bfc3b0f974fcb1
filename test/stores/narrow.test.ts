import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrationConfig } from '../../db/knexfile.js';
import type { Pair } from '../../src/deployments/routing.js';
import { findWholeExecution, pageOfExecutions, type HistoryFilter } from '../../src/runs/history.store.js';
import { dayMs, readDays } from '../../src/runs/days/days.js';
import { divide, resumeDividing } from '../../src/runs/days/divide.js';
import { createRecordLayout } from '../../src/runs/layout.js';
import { countWithoutRoute, narrow } from '../../src/runs/narrow.js';
import { createRecorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { contextToBytes } from '../../src/runs/recorder/runContext.js';
import { Problem } from '../../src/errors.js';
import { environments } from '../../src/environments/environments.store.js';
import { removeUnlessExecuted } from '../../src/deployments/executed.store.js';
import { inTransaction, mysqlErrno, openDatabase } from '../../src/storage/database.js';
import { idTime, idToBytes, newId } from '../../src/storage/ids.js';
import { engineNumber } from '../../workers/engine/index.js';
import { atOnce } from '../support/atOnce.js';
import { buildDeployed, deployOnce, recordOf, removeDeployed, type Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { openScratchStore, type Store } from '../support/factories.js';

const migration = '0080_narrow_records';
const migrations = [migration, '0090_execution_days'];

describe('records become narrow, step by step', () => {
  let store: Store & { readonly url: string };
  let deployed: Deployed;
  let other: Deployed;
  const records: ExecutionRecord[] = [];
  before(async () => {
    store = await openScratchStore();
    for (const name of [...migrations].reverse()) await store.database.migrate.down({ ...migrationConfig, name });
    deployed = await buildDeployed(store);
    other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
  });
  after(() => store.close());

  const made = (of: Deployed, fields: Partial<ExecutionRecord> = {}): ExecutionRecord => {
    const id = newId();
    const record = recordOf(of, { id, createdAt: idTime(id), ...fields });
    records.push(record);
    return record;
  };

  /** As a process of the version before does. */
  const writeFormer = (record: ExecutionRecord): Promise<unknown> =>
    store
      .database('executions')
      .insert({
        id: idToBytes(record.id),
        workspace_id: idToBytes(record.workspaceId),
        environment_id: idToBytes(record.environmentId),
        deployment_id: idToBytes(record.deploymentId),
        decision_id: idToBytes(record.decisionId),
        version: record.version,
        status: record.status,
        fact: record.fact,
        result: record.result,
        error: record.error,
        trace: record.trace,
        engine_us: record.engineUs,
        request_id: idToBytes(record.requestId),
        principal: record.principal,
        created_at: record.createdAt,
        updated_at: record.createdAt,
        reference: record.reference,
        circumstances: contextToBytes(record.context),
      })
      .then(undefined, mysqlErrno);

  const layout = { isNarrow: false };
  const recorder = () =>
    createRecorder({
      ...{ database: store.database, records: store.database },
      ...{ layout, recordFacts: true, scheduler: atOnce },
    });

  const remove = (one: Deployed): Promise<string> => removeDeployed(store.database, one);

  const removeEnvironment = (): Promise<unknown> =>
    inTransaction(store.database, (transaction) => {
      const { workspaceId, environmentId } = deployed;
      return removeUnlessExecuted(transaction, 'environment', { workspaceId, environmentId, deploymentIds: [] }, () =>
        environments.delete(transaction, { workspaceId, id: environmentId }),
      );
    }).then(
      () => 'removed',
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );

  const isOf =
    (filter: HistoryFilter) =>
    (record: ExecutionRecord): boolean =>
      Object.entries(filter).every(([name, value]) => record[name as keyof Pair] === value);

  /** By every filter, all of it and page by page, and one by one. */
  async function expectWhole(): Promise<void> {
    const { workspaceId } = deployed;
    const filters: HistoryFilter[] = [
      {},
      { environmentId: deployed.environmentId },
      { decisionId: deployed.decisionId },
      { deploymentId: deployed.deploymentId },
      { deploymentId: other.deploymentId, status: 'FAILED' },
      { status: 'COMPLETED' },
      { version: 1 },
      { version: 2 },
      { reference: 'mine' },
      { reference: 'mine', deploymentId: other.deploymentId },
      { requestId: records[0]!.requestId, status: 'COMPLETED' },
    ];
    for (const filter of filters) {
      const wanted = records
        .filter(isOf(filter))
        .map(({ id }) => id)
        .sort();
      for (const order of ['asc', 'desc'] as const) {
        const found: string[] = [];
        for (let after: Buffer | null = null; ;) {
          const request = { size: 7, after, before: null, order };
          const { data } = await pageOfExecutions(store.database, workspaceId, filter, request);
          found.push(...data.map(({ id }) => id));
          const last = data.at(-1);
          if (last === undefined) break;
          after = idToBytes(last.id);
        }
        expect(found, JSON.stringify(filter)).to.deep.equal(order === 'asc' ? wanted : wanted.toReversed());
      }
    }
    for (const record of records) {
      const found = await findWholeExecution(store.database, workspaceId, record.id);
      const createdAt = record.createdAt.toISOString();
      expect(found).to.deep.equal({ ...record, createdAt, context: { ...record.context, engine: engineNumber } });
    }
  }

  it('a full table gets its routes, and goes on where it was interrupted', async () => {
    for (let index = 0; index < 30; index++) {
      const of = index % 3 === 0 ? other : deployed;
      const status = index % 5 === 0 ? 'FAILED' : 'COMPLETED';
      const reference = index % 4 === 0 ? 'mine' : null;
      expect(await writeFormer(made(of, { status, reference, version: 1 + (index % 2) }))).to.not.equal(1452);
    }
    for (const name of migrations) await store.database.migrate.up({ ...migrationConfig, name });
    expect(await countWithoutRoute(store.database)).to.equal(0);
    await expectWhole();
    // As if it had ended in the middle.
    await store.database('executions').update({ route: null }).limit(10);
    await store.database('knex_migrations').where('name', migration).delete();
    await store.database.migrate.up({ ...migrationConfig, name: migration });
    expect(await countWithoutRoute(store.database)).to.equal(0);
    await expectWhole();
  });

  it('processes of both versions write side by side: each sees all', async () => {
    const both = recorder();
    for (let index = 0; index < 5; index++) {
      await writeFormer(made(other, { status: 'FAILED' }));
      await both.recordExecution(made(deployed, { reference: 'mine' }));
      await both.recordExecution(made(other, { principal: 'user:somebody' }));
    }
    expect(await countWithoutRoute(store.database)).to.equal(5);
    await expectWhole();
    const former = store.database('executions').whereNull('environment_id').orWhereNull('circumstances');
    expect(await former).to.deep.equal([]);
    for (const one of [deployed, other]) expect(await remove(one)).to.equal('execution_history_exists');
  });

  it('records of the version before get their routes soon, while there may be some', async () => {
    const warnings: unknown[] = [];
    const following = createRecordLayout(store.database, { warn: (fields: unknown) => void warnings.push(fields) });
    following.start();
    await eventually(async () => (await countWithoutRoute(store.database)) === 0);
    await writeFormer(made(other, { status: 'FAILED' }));
    await eventually(async () => (await countWithoutRoute(store.database)) === 0);
    expect(following.isNarrow).to.equal(false);
    await following.stop();
    expect(warnings).to.deep.equal([]);
    await expectWhole();
  });

  it('the last step drops what only the version before needs, beside writers, and can be repeated', async () => {
    await writeFormer(made(other));
    const following = createRecordLayout(store.database, { warn: () => undefined });
    following.start();
    const writing = createRecorder({
      ...{ database: store.database, records: store.database },
      ...{ layout: following, recordFacts: true, scheduler: atOnce },
    });
    const state = { isOver: false };
    const operating = openDatabase(store.url, { poolSize: 5, acquireTimeoutMs: 60_000 });
    const narrowed = narrow(operating, () => undefined).finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      await writing.recordExecution(made(deployed));
      await sleep(100);
    }
    await narrowed;
    await operating.destroy();
    expect(following.isNarrow).to.equal(true);
    await following.stop();
    await writing.recordExecution(made(deployed, { reference: 'mine' }));
    const [last] = (await store.database('executions').where('id', idToBytes(records.at(-1)!.id))) as object[];
    expect(last).to.include({ environment_id: null, circumstances: null, principal: null });
    const [[table]] = (await store.database.raw('SHOW CREATE TABLE executions')) as [[Record<string, string>]];
    const names = ['environment', 'deployment', 'decision', 'version', 'status'].join('|');
    expect(table['Create Table']).to.not.match(new RegExp(`KEY \`executions_(${names})\``));
    expect(await narrow(store.database, () => undefined)).to.equal('divided');
    await expectWhole();
    const days = await readDays(store.database);
    expect(days[0]!.until.getTime()).to.be.within(Date.now() + dayMs, Date.now() + 3 * dayMs);
    expect(days.at(-1)!.until.getTime()).to.be.greaterThan(Date.now() + 6 * dayMs);
  }).timeout(60_000);

  it('dividing that was interrupted is resumed, wherever it was', async () => {
    const { database } = store;
    const run = (sql: string): PromiseLike<unknown> => database.raw(sql);
    const apart = async (): Promise<string> => {
      const [first] = await readDays(database);
      await run('CREATE TABLE executions_undivided LIKE executions');
      await run('ALTER TABLE executions_undivided REMOVE PARTITIONING');
      return first!.name;
    };
    // All is done except for the former table, which is empty.
    await apart();
    await resumeDividing(database);
    await expectWhole();
    // The records have not come to the table that took their place, which has others meanwhile.
    const name = await apart();
    await run(`ALTER TABLE executions EXCHANGE PARTITION ${name} WITH TABLE executions_undivided`);
    await recorder().recordExecution(made(deployed));
    await resumeDividing(database);
    await expectWhole();
    // Neither has the name, before and after the records have come.
    for (const isExchanged of [true, false]) {
      await apart();
      await run('CREATE TABLE executions_a_gate (id INT PRIMARY KEY)');
      if (!isExchanged) await run(`ALTER TABLE executions EXCHANGE PARTITION ${name} WITH TABLE executions_undivided`);
      await run('RENAME TABLE executions TO executions_divided');
      await resumeDividing(database);
      await expectWhole();
    }
    expect(await readDays(database)).to.deep.equal([]);
    const operating = openDatabase(store.url, { poolSize: 5, acquireTimeoutMs: 60_000 });
    expect(await divide(operating, false)).to.equal('divided');
    await operating.destroy();
    await expectWhole();
    const [tables] = (await run("SHOW TABLES LIKE 'executions\\_%'")) as [unknown[]];
    expect(tables).to.deep.equal([]);
  });

  it('a deployment and its environment are kept by the records, whichever way they were written', async () => {
    for (const one of [deployed, other]) expect(await remove(one)).to.equal('execution_history_exists');
    expect(await removeEnvironment()).to.equal('execution_history_exists');
    await store
      .database('executions')
      .whereIn(
        'id',
        records.filter(({ deploymentId }) => deploymentId === other.deploymentId).map(({ id }) => idToBytes(id)),
      )
      .delete();
    expect(await remove(other)).to.equal('removed');
    expect(await removeEnvironment()).to.equal('execution_history_exists');
    await store.database('executions').delete();
    expect(await removeEnvironment()).to.equal('removed');
    expect(await store.database('execution_routes')).to.deep.equal([]);
  });

  it('and back', async () => {
    const again = await buildDeployed(store);
    records.length = 0;
    layout.isNarrow = true;
    for (const principal of ['client:one', 'user:two']) await recorder().recordExecution(made(again, { principal }));
    for (const name of [...migrations].reverse()) await store.database.migrate.down({ ...migrationConfig, name });
    const rows = (await store.database('executions').orderBy('id')) as Record<string, unknown>[];
    expect(rows.map(({ principal }) => principal)).to.deep.equal(['client:one', 'user:two']);
    for (const [at, record] of records.entries()) {
      expect(rows[at]).to.deep.include({
        environment_id: idToBytes(again.environmentId),
        deployment_id: idToBytes(again.deploymentId),
        circumstances: contextToBytes(record.context),
        created_at: record.createdAt,
      });
    }
  });
});
