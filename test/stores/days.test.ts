import { expect } from 'chai';
import { environments } from '../../src/environments/environments.store.js';
import { dayMs, holdingDays, makeDays, missingDays, readDays, startOfDay, type Day } from '../../src/runs/days/days.js';
import { createDayKeeper, keepDays } from '../../src/runs/days/keepDays.js';
import type { PruneTrails } from '../../src/runs/days/removeDays.js';
import { pruneHistory } from '../../src/runs/prune.js';
import { writeRetention } from '../../src/runs/retention/retention.store.js';
import { mysqlErrno, mysqlErrors } from '../../src/storage/mysqlErrors.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../../src/storage/ids.js';
import { buildDeployed, deployOnce, recordOf, type Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { openScratchStore, type Store } from '../support/factories.js';
import { makePastDays } from '../support/pastDays.js';
import { writeRecords } from '../support/records.js';

const past = 12;
const today = startOfDay(Date.now());

/** An entry of the audit trail. */
interface Entry {
  readonly action: string;
  readonly workspace_id: Buffer;
  readonly after_state: string;
}

/** One database for each test, as partitions are the whole table's. */
describe('days of executions', () => {
  let store: Store;
  let one: Deployed;
  beforeEach(async () => {
    store = await openScratchStore();
    one = await buildDeployed(store);
    await makePastDays(store.database, past);
  });
  afterEach(() => store.close());

  /** Records of so many days ago, one at noon of each; their ids. */
  const executed = async (of: Deployed, daysAgo: readonly number[]): Promise<string[]> => {
    const records = daysAgo.map((ago) => {
      const bytes = lowestIdAt(new Date(today - ago * dayMs + dayMs / 2));
      bytes.write(crypto.randomUUID().replaceAll('-', ''), 6, 'hex');
      bytes[6] = 0x70;
      const id = idFromBytes(bytes);
      return recordOf(of, { id, createdAt: idTime(id) });
    });
    await writeRecords(store.database, records);
    return records.map(({ id }) => id);
  };
  const recorded = async (): Promise<string[]> =>
    ((await store.database('executions').select('id').orderBy('id')) as { id: Buffer }[]).map(({ id }) =>
      idFromBytes(id),
    );
  const pastDays = async (): Promise<number[]> =>
    (await readDays(store.database))
      .map(({ until }: Day) => (today - until.getTime()) / dayMs)
      .filter((ago) => ago > 0)
      .map((ago) => ago + 1);
  const keeps = (of: Deployed, days: number | null): Promise<void> =>
    store.database.transaction((transaction) => writeRetention(transaction, of, { days }));
  const prunes = async (): Promise<[string, string][]> => {
    const entries = store.database('audit_entries').where('action', 'execution.prune').orderBy('id');
    const rows: { workspace_id: Buffer; after_state: string }[] = await entries.select('workspace_id', 'after_state');
    return rows.map((row) => [
      idFromBytes(row.workspace_id),
      (JSON.parse(row.after_state) as { before: string }).before,
    ]);
  };
  const endOf = (daysAgo: number): string => new Date(today - (daysAgo - 1) * dayMs).toISOString();

  it('are made a week ahead, once, with what had come too early in its place', async () => {
    const [later = ''] = await executed(one, [-20]);
    const days = await readDays(store.database);
    for (const { name } of days.slice(-3)) await store.database.raw(`ALTER TABLE executions DROP PARTITION ${name}`);
    for (let times = 0; times < 2; times++) {
      await makeDays(store.database);
      const ends = (await readDays(store.database)).map(({ until }) => until.getTime());
      expect(ends.at(-1)).to.equal(today + 7 * dayMs);
      expect(ends.slice(1).map((end, at) => end - ends[at]!)).to.deep.equal(ends.slice(1).map(() => dayMs));
    }
    expect(await recorded()).to.deep.equal([later]);
  });

  it('are weeks and months where there are many, so that there are never too many of them', () => {
    const daysOf = (count: number): number[] => {
      const ends = missingDays(new Date(today), count, today).map((end) => end.getTime());
      return ends.map((end, at) => (end - (ends[at - 1] ?? today)) / dayMs);
    };
    expect(daysOf(20)).to.deep.equal(Array(7).fill(1));
    expect(daysOf(100)).to.deep.equal([7]);
    expect(daysOf(150)).to.deep.equal([30]);
  });

  it('go as a whole once no environment keeps any record of them, and the audit trail says so', async () => {
    const other = await buildDeployed(store);
    const own = await environments.insert(store.database, one.workspaceId, {
      ...{ name: 'Kept', description: null, color: '#123456' },
    });
    const elsewhere = { ...one, environmentId: own.id };
    const kept = { ...elsewhere, deploymentId: await deployOnce(store, elsewhere) };
    await executed(one, [9]);
    await executed(other, [9, 8]);
    const [older = '', newer = ''] = await executed(one, [7, 4]);
    const [forever = ''] = await executed(kept, [7]);
    await keeps(one, 5);
    await keeps(other, 6);
    expect(await keepDays(store.database)).to.equal(true);
    // The seventh is kept for the sake of one environment, the sixth and fifth have nothing, the rest is too young.
    expect(await pastDays()).to.deep.equal([7, 4]);
    expect(await recorded()).to.deep.equal([older, forever, newer].sort());
    const entries = [
      [one.workspaceId, endOf(9)],
      [other.workspaceId, endOf(9)],
      [other.workspaceId, endOf(8)],
    ];
    expect((await prunes()).map(String).sort()).to.deep.equal(entries.map(String).sort());
    expect(await keepDays(store.database)).to.equal(true);
    expect(await prunes()).to.have.length(3);
  });

  it('are kept where an environment says nothing, and by one process at a time', async () => {
    const ids = await executed(one, [9, 3]);
    const held = await holdingDays(store.database, async () => {
      expect(await keepDays(store.database)).to.equal(false);
    });
    expect(held).to.equal(true);
    expect(await keepDays(store.database)).to.equal(true);
    expect(await recorded()).to.deep.equal(ids);
  });

  it('that cannot be dropped while somebody reads them go later, with one entry in the audit trail', async () => {
    // On the first day, as those before it would fail first.
    const ids = await executed(one, [past]);
    await keeps(one, 5);
    await makeDays(store.database);
    const reader = await store.database.transaction();
    await reader('executions').select('id');
    const failures: unknown[] = [];
    const log = { warn: ({ err }: { readonly err: unknown }) => void failures.push(mysqlErrno(err)) };
    const keeper = createDayKeeper(store.database, log, 50);
    keeper.start();
    try {
      await eventually(() => failures.length > 1);
      expect(new Set(failures)).to.deep.equal(new Set([mysqlErrors.lockWaitTimeout]));
      expect(await recorded()).to.deep.equal(ids);
      await reader.rollback();
      await eventually(async () => (await recorded()).length === 0);
    } finally {
      await keeper.stop();
    }
    expect(await prunes()).to.deep.equal([[one.workspaceId, endOf(past)]]);
  });

  it('stay where their environment is told to keep them while a drop waits for readers: what is answered is never dropped afterwards', async () => {
    const ids = await executed(one, [past]);
    await keeps(one, 5);
    await makeDays(store.database);
    const reader = await store.database.transaction();
    await reader('executions').select('id');
    const dropping = keepDays(store.database).catch((error: unknown) => {
      expect(mysqlErrno(error)).to.equal(mysqlErrors.lockWaitTimeout);
    });
    const isWaiting = async (): Promise<boolean> => {
      const [rows] = (await store.database.raw(
        "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'ALTER TABLE%DROP PARTITION%'",
      )) as [unknown[]];
      return rows.length > 0;
    };
    try {
      await eventually(isWaiting);
      await keeps(one, null);
    } finally {
      await reader.rollback();
    }
    await dropping;
    expect(await recorded()).to.deep.equal(ids);
  });

  it('have their entry in the audit trail taken back where they are kept after a drop was given up', async () => {
    const trails: PruneTrails = new Map();
    await executed(one, [past]);
    await keeps(one, 5);
    await makeDays(store.database);
    const reader = await store.database.transaction();
    await reader('executions').select('id');
    const isRefused = await keepDays(store.database, trails).then(
      () => false,
      (error: unknown) => mysqlErrno(error) === mysqlErrors.lockWaitTimeout,
    );
    expect(isRefused).to.equal(true);
    await reader.rollback();
    await keeps(one, null);
    for (let times = 0; times < 2; times++) await keepDays(store.database, trails);
    const entries = store.database('audit_entries').whereIn('action', ['execution.prune', 'execution.keep']);
    const rows = await entries.orderBy('id').select<Entry[]>('action', 'workspace_id', 'after_state');
    expect(rows.map(({ action }) => action)).to.deep.equal(['execution.prune', 'execution.keep']);
    expect(rows[1]).to.deep.equal({ ...rows[0], action: 'execution.keep' });
    expect(rows[0]?.after_state).to.include(endOf(past));
  });

  it('go with a prune of all workspaces, which deletes the rest of a day in pieces', async () => {
    const other = await buildDeployed(store);
    await executed(one, [9, 8, 7]);
    await executed(other, [7, 6]);
    const [young = ''] = await executed(one, [5]);
    // In the middle of the sixth day: after its noon, before its end.
    const before = new Date(today - 6 * dayMs + 0.75 * dayMs);
    let told = 0;
    const deleted = await pruneHistory({ ...store, actor: store.actor }, { before, workspaceId: undefined }, (rows) => {
      told += rows;
    });
    expect([deleted, told]).to.deep.equal([{ executions: 5, evaluations: 0 }, 5]);
    expect(await recorded()).to.deep.equal([young]);
    expect((await pastDays()).every((ago) => ago <= 6)).to.equal(true);
    const at = (id: string): Buffer => idToBytes(id);
    expect(await store.database('executions').where('id', at(young))).to.have.length(1);
  });
});
