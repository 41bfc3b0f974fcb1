import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Owner } from '../../src/admission/owners.js';
import { GroupWriter, type Row } from '../../src/runs/recorder/groupWriter.js';
import { createInsert, type Insert } from '../../src/runs/recorder/insert.js';
import { openDatabase } from '../../src/storage/database.js';
import { testEnvironment } from '../support/settings.js';
import { eventually } from '../support/eventually.js';

const lost = (): Error => Object.assign(new Error('gone'), { code: 'ECONNRESET', fatal: true });

/** The real statement on a real table, with a hand on when it runs and what becomes of its answer. */
describe('group writer', () => {
  const table = `group_writer_${process.pid}`;
  let database: Knex;
  let insert: Insert;
  let statements: { readonly values: number[]; readonly repeated: boolean }[];
  let before: () => Promise<void>;
  let after: () => Promise<void>;
  let losses: number;

  beforeEach(async () => {
    database = openDatabase(testEnvironment().DATABASE_URL!, { poolSize: 3, acquireTimeoutMs: 60_000 });
    await database.raw(`CREATE TABLE ${table} (id INT PRIMARY KEY) ENGINE=InnoDB`);
    const real = createInsert(database, table, ['id']);
    statements = [];
    losses = 0;
    before = after = () => Promise.resolve();
    insert = async (rows, repeated) => {
      statements.push({ values: rows.map(([id]) => id as number), repeated });
      await before();
      await real(rows, repeated);
      await after();
    };
  });
  afterEach(async () => {
    await database.raw(`DROP TABLE ${table}`);
    await database.destroy();
  });

  const ownerOf = (name: string): Owner => ({ tenantId: name, workspaceId: name });
  const row = (id: number, bytes: number, owner = 'one'): Row => ({
    ...{ values: [id], bytes, owner: ownerOf(owner), group: 'a' },
  });
  const writer = (giveUpAfterMs = 60_000, gatherMs = 0): GroupWriter => {
    const nothing = (): void => undefined;
    const events = { committed: nothing, bisected: nothing, lost: () => (losses += 1), contended: nothing };
    return new GroupWriter({
      insert,
      flushers: 2,
      giveUpAfterMs,
      events,
      gatherMs,
    });
  };
  const ids = async (): Promise<number[]> =>
    ((await database(table).select('id').orderBy('id')) as { id: number }[]).map(({ id }) => id);

  it('does not keep a lone row waiting', async () => {
    const rows = writer();
    void rows.write(row(1, 10));
    // What waited for a timer, or for the database, could not be there after one turn of the event loop.
    await new Promise(setImmediate);
    expect(statements).to.have.length(1);
    await rows.drain();
  });

  it('gathers for as long as it is told when nobody waits for the rows', async () => {
    const rows = writer(60_000, 30);
    void rows.write(row(1, 10));
    await new Promise(setImmediate);
    expect(statements).to.deep.equal([]);
    void rows.write(row(2, 10));
    await rows.write(row(3, 10));
    expect(statements.map(({ values }) => values)).to.deep.equal([[1, 2, 3]]);
  });

  it('gathers what arrives while statements are under way, in order', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    before = () => gate;
    const rows = writer();
    void rows.write(row(0, 10));
    await eventually(() => statements.length === 1);
    void rows.write(row(1, 10));
    await eventually(() => statements.length === 2);
    for (let id = 2; id < 30; id++) void rows.write(row(id, 10));
    await sleep(10);
    expect(statements.map(({ values }) => values)).to.deep.equal([[0], [1]]);
    open();
    await rows.drain();
    // As many as a statement is prepared for, and then the others.
    const upTo = (first: number, last: number): number[] =>
      Array.from({ length: last - first + 1 }, (_, index) => index + first);
    expect(statements.slice(2).map(({ values }) => values)).to.deep.equal([upTo(2, 25), upTo(26, 29)]);
    expect(await ids()).to.have.length(30);
  });

  it('bounds a statement in rows and in bytes', async () => {
    const rows = writer();
    for (let id = 0; id < 150; id++) void rows.write(row(id, 10));
    for (let id = 150; id < 155; id++) void rows.write(row(id, 100_000));
    void rows.write(row(155, 900_000));
    await rows.drain();
    const sizes = statements.map(({ values }) => values.length);
    expect(Math.max(...sizes)).to.equal(64);
    expect(statements.find(({ values }) => values.includes(154))!.values).to.have.length.lessThan(3);
    expect(statements.find(({ values }) => values.includes(155))!.values).to.deep.equal([155]);
  });

  it('repeats a statement whose outcome is not known, and writes nothing twice', async () => {
    let calls = 0;
    after = () => (++calls === 1 ? Promise.reject(lost()) : Promise.resolve());
    const rows = writer();
    await Promise.all([rows.write(row(1, 10)), rows.write(row(2, 10))]);
    expect(statements.map(({ repeated }) => repeated)).to.deep.equal([false, true]);
    expect(await ids()).to.deep.equal([1, 2]);
    expect(losses).to.equal(1);
  });

  it('repeats likewise when the statement had not arrived', async () => {
    let calls = 0;
    before = () => (++calls < 4 ? Promise.reject(lost()) : Promise.resolve());
    const rows = writer();
    await rows.write(row(1, 10));
    expect(await ids()).to.deep.equal([1]);
  });

  it('gives up after its patience, those that wait behind too, and recovers by itself', async () => {
    before = () => sleep(20).then(() => Promise.reject(lost()));
    const rows = writer(200);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, (_, id) => rows.write(row(id, 10))));
    expect(new Set(outcomes.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
    expect(rows.reachable).to.equal(false);
    before = () => Promise.resolve();
    await rows.write(row(1000, 10));
    expect(rows.reachable).to.equal(true);
    expect(await ids()).to.deep.equal([1000]);
  });

  it('takes rows of each owner in turn: many or large ones of one keep those of another waiting for one statement', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    before = () => gate;
    const rows = writer();
    void rows.write(row(0, 10));
    await eventually(() => statements.length === 1);
    void rows.write(row(1, 10));
    await eventually(() => statements.length === 2);
    for (let id = 100; id < 200; id++) void rows.write(row(id, 10, 'many'));
    for (let id = 200; id < 210; id++) void rows.write(row(id, 200_000, 'large'));
    void rows.write(row(300, 10, 'late'));
    expect(rows.waitingOf(ownerOf('many'))).to.equal(100);
    open();
    await rows.drain();
    expect(statements[2]!.values.slice(0, 3)).to.deep.equal([100, 200, 300]);
    const large = statements.map(({ values }) => values.filter((id) => id >= 200 && id < 210));
    // A second one only fills a statement up to a number of rows that is prepared.
    expect(Math.max(...large.map(({ length }) => length))).to.be.at.most(2);
    expect(rows.waitingOf(ownerOf('many'))).to.equal(0);
    expect(await ids()).to.have.length(113);
  });
});
