import { expect } from 'chai';
import type { Knex } from 'knex';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { erasedOf, holdErasures } from '../../src/erasures/erasures.store.js';
import { FieldCounts } from '../../src/measures/fieldCounts.js';
import { writeMeasured } from '../../src/measures/measures.store.js';
import { recount } from '../../src/measures/recount.js';
import { idTime, idToBytes, newId } from '../../src/storage/ids.js';
import { QuantileSketch } from '../../workers/sketch/index.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { askErasure, erasureLoop, erasuresDone } from '../support/erasures.js';
import { eventually } from '../support/eventually.js';
import { idAgo } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { makeDue } from '../support/jobs.js';
import { writeRecord } from '../support/records.js';

const hourMs = 3_600_000;

describe('what is erased', () => {
  const store = useScratchStore();
  let deployed: Deployed;
  let erasures: PollLoop;
  const begin = (options: Parameters<typeof erasureLoop>[1] = {}): void => {
    erasures = erasureLoop(store, options);
    erasures.start();
  };
  beforeEach(async () => {
    deployed = await buildDeployed(store);
    await writeMeasured(store.database, deployed, ['/name']);
  });
  afterEach(() => erasures.stop());

  /** Records an execution of so long ago. */
  async function executed(agoMs: number, reference: string | null = null): Promise<string> {
    const id = idAgo(agoMs);
    await writeRecord(
      store.database,
      recordOf(deployed, { id, reference, createdAt: idTime(id), result: '{"name":"Anna"}' }),
    );
    return id;
  }
  /** What a process counted of an execution, as it writes it. */
  async function counted(id: string): Promise<void> {
    const [times, name] = [new QuantileSketch(), new FieldCounts()];
    times.record(120);
    name.count('"Anna"');
    const at = idTime(id).getTime();
    await store.database('measures').insert({
      ...{ workspace_id: idToBytes(deployed.workspaceId), decision_id: idToBytes(deployed.decisionId) },
      ...{ environment_id: idToBytes(deployed.environmentId), hour: new Date(at - (at % hourMs)), version: 1 },
      ...{ part_id: idToBytes(newId()), additions: 1, count: 1, failed: 0 },
      ...{ times: JSON.stringify(times), fields: JSON.stringify({ '/name': name }) },
    });
  }
  async function erased(executionIds: readonly string[]): Promise<void> {
    await askErasure(store.database, deployed.workspaceId, { executionIds });
    await done();
  }
  const done = (): Promise<void> => erasuresDone(store.database, deployed.workspaceId);
  /** It was looked at, and is due again later. */
  const waitsOn = async (): Promise<boolean> =>
    (await store.database('jobs').where({ kind: 'erasure', claimed: false, fence: 2 }).select('id')).length > 0;
  /** Has it looked at again as though all that it waits for were over. */
  const timeIsOver = async (): Promise<void> => {
    await erasures.stop();
    await makeDue(store.database, 'erasure');
    begin();
  };
  const factOf = async (id: string): Promise<unknown> =>
    (await store.database('executions').where('id', idToBytes(id)).select<{ fact: unknown }[]>('fact'))[0]?.fact;
  const measured = async (): Promise<string> => {
    const rows = await store.database('measures').select<{ count: number; fields: string }[]>('count', 'fields');
    return rows.map(({ count, fields }) => `${count} ${fields}`).join();
  };
  const counting = (id: string, database: Knex = store.database) => {
    const request = { workspaceId: deployed.workspaceId, from: idTime(id), to: new Date() };
    return recount({ database, actor: testActor }, request, { erasedOf, holdErasures, onHour: () => undefined });
  };

  it('while it is counted anew is not counted again', async () => {
    begin();
    const id = await executed(3 * hourMs);
    let times = 0;
    /** The execution is erased after it was read, and before what was counted is written. */
    const erasing = new Proxy(store.database, {
      get: (target, name) =>
        name === 'transaction'
          ? async (work: (transaction: Knex.Transaction) => Promise<unknown>) => {
              if (times++ === 0) await erased([id]);
              return target.transaction(work);
            }
          : (Reflect.get(target, name) as unknown),
    });
    const { executions } = await counting(id, erasing);
    expect(executions).to.be.at.least(1);
    expect(await measured())
      .to.include('1 ')
      .and.to.not.include('Anna');
  });

  it('again and again ends the count of its hour, which stays as it was', async () => {
    begin();
    const id = await executed(3 * hourMs);
    await counted(id);
    const before = await measured();
    let times = 0;
    const request = { workspaceId: deployed.workspaceId, from: idTime(id), to: new Date() };
    const endless = (): Promise<number> =>
      times > 100 ? Promise.reject(new Error('it has no end')) : Promise.resolve(times++);
    const error = await recount({ database: store.database, actor: testActor }, request, {
      ...{ erasedOf: endless, holdErasures },
      onHour: () => undefined,
    }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'overloaded' });
    expect((error as Error).message).to.include('was counted 5 times and left as it was');
    expect(await measured()).to.equal(before);
  });

  it('while what was counted anew is written is erased there too', async () => {
    begin();
    const id = await executed(3 * hourMs);
    await counted(id);
    // Holds up the recount at the first row that it would remove, which is of another decision and so not the erasure's.
    const other = { ...deployed, decisionId: '00000000-0000-7000-8000-000000000000' };
    const { content_hash } = await store.database('decisions').first<{ content_hash: Buffer }>('content_hash');
    await store.database('decisions').insert({
      ...{ id: idToBytes(other.decisionId), workspace_id: idToBytes(other.workspaceId), decision_key: 'other.json' },
      ...{ content_hash, created_at: new Date(), updated_at: new Date() },
    });
    const [mine, decisionId] = [deployed, idToBytes(other.decisionId)];
    deployed = other;
    await counted(id);
    deployed = mine;
    const holding = await store.database.transaction();
    await holding('measures').where('decision_id', decisionId).forUpdate();
    const recounting = counting(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const erasing = erased([id]);
    await Promise.race([erasing, new Promise((resolve) => setTimeout(resolve, 1000))]);
    await holding.rollback();
    await Promise.all([recounting, erasing]);
    expect(await factOf(id)).to.equal(null);
    await store.database('measures').where('decision_id', decisionId).delete();
    expect(await measured()).to.not.include('Anna');
  });

  it('where no tree of evidence is begun is taken back from what was counted, is told and is counted', async () => {
    begin();
    // Of a workspace that has records of the day before yesterday and no tree nothing is signed.
    const id = await executed(50 * hourMs);
    await counted(id);
    await erased([id, id.toUpperCase()]);
    await erased([id]);
    expect(await store.database('evidence_leaves').select('position')).to.deep.equal([]);
    expect(await factOf(id)).to.equal(null);
    expect(await measured()).to.not.include('Anna');
    const entries = await store.database('audit_entries').where('action', 'execution.erase').select('resource_id');
    expect(entries).to.deep.equal([{ resource_id: id }]);
    const receipts = await store.database('erasures').orderBy('id').pluck('erased');
    expect(receipts).to.deep.equal([1, 0]);
  });

  it('is erased beside a record whose result somebody has spoilt', async () => {
    begin();
    const [spoilt, id] = [await executed(3 * hourMs), await executed(2 * hourMs)];
    await store.database('executions').where('id', idToBytes(spoilt)).update({ result: 'no JSON' });
    await counted(id);
    await erased([spoilt, id]);
    expect([await factOf(spoilt), await factOf(id)]).to.deep.equal([null, null]);
    expect(await measured()).to.not.include('Anna');
  });

  it('by its reference is erased though its server had a clock that is ahead', async () => {
    begin();
    const id = await executed(-3000, 'order-1');
    await askErasure(store.database, deployed.workspaceId, { reference: 'order-1' });
    await done();
    expect(await factOf(id)).to.equal(null);
    expect(await store.database('erasure_executions').select('execution_id')).to.deep.equal([]);
  });

  it('by its reference is erased though it ran when that was asked for and was recorded late', async () => {
    begin({ lateMs: hourMs });
    const asked = Date.now();
    await askErasure(store.database, deployed.workspaceId, { reference: 'order-1' });
    await eventually(waitsOn);
    const id = await executed(Date.now() - asked + 400, 'order-1');
    await timeIsOver();
    await done();
    expect(await factOf(id)).to.equal(null);
  });

  it('of an execution that was recorded late is erased once what was counted of it is written', async () => {
    begin({ settledMs: hourMs });
    const id = await executed(5000);
    await askErasure(store.database, deployed.workspaceId, { executionIds: [id] });
    await eventually(waitsOn);
    await counted(id);
    await timeIsOver();
    await done();
    expect(await measured()).to.not.include('Anna');
  });
});
