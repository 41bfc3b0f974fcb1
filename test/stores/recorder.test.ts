import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { Problem } from '../../src/errors.js';
import { createRecorder, type Recorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { findWholeExecution } from '../../src/runs/history.store.js';
import { engineNumber } from '../../workers/engine/index.js';
import { recordedRows } from '../support/records.js';
import { openDatabase } from '../../src/storage/database.js';
import { idTime, idToBytes, newId } from '../../src/storage/ids.js';
import { buildDeployed, deployOnce, recordOf, removeDeployed, type Deployed } from '../support/deployed.js';
import { useStore } from '../support/factories.js';
import { testEnvironment, testPace } from '../support/settings.js';
import { ownTime } from '../support/ownTime.js';
import { eventually } from '../support/eventually.js';
import { atOnce } from '../support/atOnce.js';
import { allowedMs } from '../support/environment.js';

const always = { recordFacts: true, scheduler: atOnce, giveUpAfterMs: testPace.recorderGiveUp };

describe('recorder', () => {
  const store = useStore();
  let records: Knex;
  let recorder: Recorder;
  let deployed: Deployed;
  let flushed: number[];
  before(async () => {
    records = openDatabase(testEnvironment().DATABASE_URL!, { poolSize: 3, acquireTimeoutMs: 60_000, lockWaitS: 1 });
    deployed = await buildDeployed(store);
  });
  beforeEach(() => {
    flushed = [];
    const observer = { flushed: (rows: number) => void flushed.push(rows) };
    recorder = createRecorder({ ...{ database: store.database, records }, ...always, observer });
  });
  after(() => records.destroy());

  type Rows = Promise<Record<string, unknown>[]>;
  const stored = (deploymentId: string): Rows =>
    recordedRows(store.database).where({ deployment_id: idToBytes(deploymentId) }) as Rows;
  const recorded = (id: string): Rows => store.database('executions').where({ id: idToBytes(id) }) as Rows;
  const outcomeOf = (record: Parameters<Recorder['recordExecution']>[0]): Promise<unknown> =>
    recorder.recordExecution(record).then(
      () => 'recorded',
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );

  /** A DELETE under way: nobody can name the deployment until it is decided. */
  const holding = async (deploymentId: string): Promise<Knex.Transaction> => {
    const transaction = await store.database.transaction();
    await transaction('deployments')
      .where({ id: idToBytes(deploymentId) })
      .delete();
    return transaction;
  };

  const full = (): ExecutionRecord =>
    recordOf(deployed, {
      status: 'FAILED',
      fact: '{"name":"Zoë 🎈","quote":"it\'s \\"here\\" \\\\ ?"}',
      error: '{"code":"x"}',
      trace: '{"in":{}}',
      selection: '["Approval"]',
      engineUs: 4_294_967_296,
      principal: `user:${'p'.repeat(300)}`,
      createdAt: new Date('2026-01-31T09:30:00.123Z'),
    });
  const shown = (record: ExecutionRecord): object => {
    const { createdAt, engineUs: _, ...told } = record;
    return {
      ...told,
      engineUs: 4_294_967_295,
      principal: record.principal.slice(0, 255),
      createdAt: createdAt.toISOString(),
      context: { ...record.context, engine: engineNumber },
    };
  };

  it('keeps every field as it was given, and the time of its id where that is another', async () => {
    const record = full();
    await recorder.recordExecution(record);
    expect(await findWholeExecution(store.database, record.workspaceId, record.id)).to.deep.equal(shown(record));
    const client = { ...record, id: newId(), principal: 'client:one' };
    const same = { ...client, createdAt: idTime(client.id) };
    await recorder.recordExecution(same);
    expect(await findWholeExecution(store.database, record.workspaceId, same.id)).to.deep.equal(shown(same));
    const [row] = await recorded(same.id);
    expect(row).to.include({ principal: null, created_at: null });
  });

  it('keeps no fact when told so, neither by itself nor in the trace of a failed run', async () => {
    const discreet = createRecorder({ ...{ database: store.database, records }, ...always, recordFacts: false });
    const record = recordOf(deployed);
    await discreet.recordExecution(record);
    const [row] = await recorded(record.id);
    expect(row).to.include({ fact: null, result: record.result });
    const fact = '{"name":"Anna Example"}';
    const trace = `{"in":{"id":"in","name":"Request","input":null,"output":${fact},"order":0,"traceData":null}}`;
    const failed = recordOf(deployed, { status: 'FAILED', fact, trace, error: '{"code":"type_error","message":"m"}' });
    await discreet.recordExecution(failed);
    const [failedRow] = await recorded(failed.id);
    expect(failedRow).to.include({ status: 'FAILED', error: failed.error });
    expect(JSON.stringify(failedRow)).to.not.include('Anna');
  });

  it('tells of each execution once it is there for everybody, however it was written, and of no other', async () => {
    const told: string[] = [];
    const observers = [{ offer: ({ id }: { readonly id: string }) => void told.push(id) }];
    const telling = createRecorder({ ...{ database: store.database, records }, ...always, observers });
    const written = Array.from({ length: 6 }, () => recordOf(deployed));
    const [alone, claimed, large, ...rest] = written as [ExecutionRecord, ExecutionRecord, ExecutionRecord];
    const gone = recordOf(deployed, { deploymentId: newId() });
    const nothing = (): Promise<void> => Promise.resolve();
    await telling.recordExecution(alone);
    await telling.recordExecution({ ...large, fact: JSON.stringify('x'.repeat(100_000)) });
    await telling.recordClaimed(claimed, { settle: nothing }, { status: 201, body: '{}' });
    await telling.recordExecutions([...rest.slice(0, 2), gone], { repeated: false });
    await telling.writeExecutions(rest.slice(2), nothing);
    await telling.recordExecution(gone).catch(() => undefined);
    await telling.writeExecutions([recordOf(deployed)], () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(told.sort()).to.deep.equal(written.map(({ id }) => id).sort());
  });

  it('answers only once the row is there for everybody', async () => {
    const record = recordOf(deployed);
    await recorder.recordExecution(record);
    expect(await recorded(record.id)).to.have.length(1);
  });

  it('writes many in few statements', async () => {
    const other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    await Promise.all(Array.from({ length: 300 }, () => recorder.recordExecution(recordOf(other))));
    expect(await stored(other.deploymentId)).to.have.length(300);
    expect(flushed.length).to.be.lessThan(20);
    expect(Math.max(...flushed)).to.be.lessThanOrEqual(64);
    expect(flushed.reduce((sum, rows) => sum + rows)).to.equal(300);
  });

  it('lets a bad row fail alone, with an error of its own', async () => {
    const other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    const good = Array.from({ length: 40 }, () => recordOf(other));
    const removed = recordOf({ ...deployed, deploymentId: newId() });
    const oversized = recordOf(other, { error: 'e'.repeat(70_000) });
    const again = recordOf(other);
    await recorder.recordExecution(again);
    const outcomes = await Promise.all(
      [...good.slice(0, 7), removed, ...good.slice(7, 21), oversized, again, ...good.slice(21)].map(outcomeOf),
    );
    expect(outcomes[7]).to.equal('routing_not_found');
    expect(outcomes[23]).to.have.property('errno', 1062);
    expect(outcomes[22]).to.be.instanceOf(Error).and.not.instanceOf(Problem);
    expect(outcomes.filter((outcome) => outcome === 'recorded')).to.have.length(40);
    expect(await stored(other.deploymentId)).to.have.length(41);
    expect(recorder.counts.bisections).to.be.greaterThan(2);
  });

  it('does not let a row that is there already pass for a new one', async () => {
    const record = recordOf(deployed);
    await recorder.recordExecution(record);
    expect(await outcomeOf(record)).to.have.property('errno', 1062);
  });

  it('a held deployment delays its own rows, not those of others in the same group', async () => {
    const held = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    const free = await buildDeployed(store);
    // Its route is known, and nothing keeps it any more.
    const first = recordOf(held);
    await Promise.all([first, recordOf(free)].map((record) => recorder.recordExecution(record)));
    await store
      .database('executions')
      .where({ id: idToBytes(first.id) })
      .delete();
    const transaction = await holding(held.deploymentId);
    let settled = false;
    const waiting = recorder.recordExecution(recordOf(held)).finally(() => (settled = true));
    await Promise.all(Array.from({ length: 10 }, () => recorder.recordExecution(recordOf(free))));
    // It is given up after three locks: had the others waited for its end, that would have come before theirs.
    expect(settled).to.equal(false);
    expect(recorder.counts.contentions).to.be.greaterThan(0);
    await transaction.rollback();
    await waiting;
    expect(await stored(held.deploymentId)).to.have.length(1);
  });

  it('a deployment is removed once nothing names it any more, and what comes then has no route', async () => {
    const other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    const record = recordOf(other);
    await recorder.recordExecution(record);
    const remove = (): Promise<unknown> => removeDeployed(store.database, other);
    expect(await remove()).to.equal('execution_history_exists');
    await store
      .database('executions')
      .where({ id: idToBytes(record.id) })
      .delete();
    expect(await remove()).to.equal('removed');
    expect(await outcomeOf(recordOf(other))).to.equal('routing_not_found');
    // Neither what it knew, nor what it asks MySQL for.
    expect(await outcomeOf(recordOf(other))).to.equal('routing_not_found');
  });

  it('a deployment that stays held is an error that invites to repeat', async () => {
    const held = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    const transaction = await holding(held.deploymentId);
    try {
      const outcomes = await Promise.all([outcomeOf(recordOf(held)), outcomeOf(recordOf(held))]);
      expect(outcomes).to.deep.equal(['dependency_unavailable', 'dependency_unavailable']);
    } finally {
      await transaction.rollback();
    }
    expect(await stored(held.deploymentId)).to.deep.equal([]);
  });

  it('writes the row and the answer of its key, or neither', async () => {
    const name = randomUUID();
    const renamed = { id: idToBytes(deployed.workspaceId) };
    const record = recordOf(deployed);
    const answer = { status: 201, body: '{}' };
    const settle = async (transaction: Knex.Transaction, given: object): Promise<void> => {
      expect(given).to.equal(answer);
      await transaction('workspaces').where(renamed).update({ name });
    };
    await recorder.recordClaimed(record, { settle }, answer);
    expect(await store.database('workspaces').where({ ...renamed, name })).to.have.length(1);

    const lost = recordOf(deployed);
    const refused = { settle: () => Promise.reject(new Error('no')) };
    const refusal: unknown = await recorder.recordClaimed(lost, refused, answer).catch((error: unknown) => error);
    expect(String(refusal)).to.equal('Error: no');
    expect(await recorded(lost.id)).to.deep.equal([]);
  });

  it('writes evaluations without anybody waiting, and drops what exceeds its buffer', async () => {
    const count = 700;
    const evaluations = Array.from({ length: count }, () => recordOf(deployed));
    for (const record of evaluations) void recorder.recordEvaluation(record);
    await recorder.drain();
    const rows: unknown[] = await store
      .database('evaluations')
      .whereIn(
        'id',
        evaluations.map(({ id }) => idToBytes(id)),
      )
      .select('id');
    expect(recorder.counts.droppedEvaluations).to.be.greaterThan(0);
    expect(rows.length + recorder.counts.droppedEvaluations).to.equal(count);
  });

  it('has nothing left once drained', async () => {
    const other = { ...deployed, deploymentId: await deployOnce(store, deployed) };
    const writes = Array.from({ length: 200 }, () => recorder.recordExecution(recordOf(other)));
    await recorder.drain();
    expect(await stored(other.deploymentId)).to.have.length(200);
    await Promise.all(writes);
    await recorder.drain();
  });

  it('refuses before the run when MySQL is away, and takes work again when it is back', async () => {
    const nowhere = openDatabase('mysql://nobody:x@127.0.0.1:1/none', { poolSize: 3, acquireTimeoutMs: 300 });
    const away = createRecorder({ ...{ database: store.database, records: nowhere }, ...always });
    away.admit();
    const refusal = (): unknown => {
      try {
        away.admit();
        return undefined;
      } catch (error) {
        return error;
      }
    };
    const took = ownTime();
    const outcome = away.recordExecution(recordOf(deployed)).catch((error: unknown) => error);
    let refused: unknown;
    await eventually(() => (refused = refusal()) !== undefined);
    expect(refused).to.be.instanceOf(Problem).with.property('code', 'dependency_unavailable');
    expect(await outcome)
      .to.be.instanceOf(Problem)
      .with.property('code', 'dependency_unavailable');
    expect(took()).to.be.lessThan(allowedMs(5000));
    // After a moment nothing is known any more, so the next one may try.
    await eventually(() => refusal() === undefined);
    await nowhere.destroy();
  });
});
