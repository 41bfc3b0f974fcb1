import { expect } from 'chai';
import { pino } from 'pino';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { FieldCounts } from '../../src/measures/fieldCounts.js';
import { Measures } from '../../src/measures/measures.js';
import { writeMeasured } from '../../src/measures/measures.store.js';
import { look } from '../../src/measures/monitors/lookAtMonitor.js';
import type { Monitor } from '../../src/measures/monitors/monitors.schema.js';
import { QuantileSketch } from '../../workers/sketch/index.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { useScratchStore } from '../support/factories.js';

const mib = 1024 * 1024;
const hourMs = 3_600_000;

describe('measures of a process', () => {
  const store = useScratchStore();
  let deployed: Deployed;
  beforeEach(async () => {
    deployed = await buildDeployed(store);
  });
  const rows = async (): Promise<{ count: number; fields: string | null }[]> =>
    store
      .database('measures')
      .where('workspace_id', idToBytes(deployed.workspaceId))
      .select<{ count: number; fields: string | null }[]>('count', 'fields');

  it('keep one row an hour of executions that come rarely, with all that was counted of them', async () => {
    const { database } = store;
    await writeMeasured(database, deployed, ['/y']);
    const log = pino({ level: 'silent' });
    const measures = new Measures({ database, budget: new ByteBudget(64 * mib), log, pollMs: 1 });
    measures.start();
    const statements = { count: 0 };
    database.on('query', () => statements.count++);
    // All in one hour, whenever the test runs.
    const createdAt = new Date();
    for (let made = 1; made <= 4; made++) {
      measures.offer(recordOf(deployed, { createdAt, result: `{"y":"text ${made}"}` }));
      await eventually(async () => (await rows()).reduce((sum, { count }) => sum + count, 0) === made);
      // Once nothing is counted any more it asks for nothing: the counter was given up.
      await eventually(async () => {
        const before = statements.count;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return statements.count === before;
      });
    }
    await measures.stop();
    const found = await rows();
    expect(found.map(({ count }) => count)).to.deep.equal([4]);
    const { '/y': kept } = JSON.parse(found[0]!.fields!) as Record<string, { values: [string, number][] }>;
    expect(kept!.values).to.have.deep.members([1, 2, 3, 4].map((made) => [`"text ${made}"`, 1]));
  });

  it('count nothing twice and lose nothing where what is measured changes, and changes back, in an hour', async () => {
    const { database } = store;
    const log = pino({ level: 'silent' });
    const measures = new Measures({ database, budget: new ByteBudget(64 * mib), log, pollMs: 1 });
    measures.start();
    const createdAt = new Date();
    let made = 0;
    for (const pointers of [['/y'], ['/x', '/y'], ['/y'], [], ['/y']]) {
      await writeMeasured(database, deployed, pointers);
      for (let each = 0; each < 40; each++) {
        measures.offer(recordOf(deployed, { createdAt, result: `{"y":"${made++ % 2}"}` }));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
    await measures.stop();
    const found = await rows();
    expect(found.reduce((sum, { count }) => sum + count, 0)).to.equal(200);
    expect(found.length).to.be.at.most(3);
  });
});

describe('a row of measures that cannot be added to', () => {
  const store = useScratchStore();

  it('is told, and holds up no other: of the same transaction, of another hour and of those that follow', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const told: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) });
    const measures = new Measures({ database, budget: new ByteBudget(64 * mib), log, pollMs: 20 });
    measures.start();
    const createdAt = new Date();
    const offer = (version: number): void => measures.offer(recordOf(deployed, { createdAt, version }));
    const counts = async (): Promise<Record<number, number>> => {
      const rows = await database('measures').select<{ version: number; count: number }[]>('version', 'count');
      return Object.fromEntries(rows.map(({ version, count }) => [version, count]));
    };
    for (const version of [1, 2, 3]) offer(version);
    await eventually(async () => Object.keys(await counts()).length === 3);
    const [row] = await database('measures').where({ version: 2 }).select<{ times: string }[]>('times');
    await database('measures').where({ version: 2 }).update({ times: 'no JSON' });
    for (const version of [1, 2, 3]) offer(version);
    await eventually(async () => (await counts())[3] === 2);
    // What is measured changes, so that the counter of the bad row is closed and another follows it.
    await writeMeasured(database, deployed, ['/y']);
    await eventually(() => measures.fieldsOf(deployed.deploymentId) === undefined);
    for (const version of [2, 3]) offer(version);
    await eventually(async () => {
      const rows = await database('measures').where({ version: 3 }).sum({ total: 'count' });
      return Number((rows[0] as { total: unknown }).total) === 3;
    });
    expect(told.join()).to.include(`${deployed.decisionId}/2/`);
    await database('measures').where({ version: 2 }).update({ times: row!.times });
    await eventually(async () => {
      const rows = await database('measures').where({ version: 2 }).sum({ total: 'count' });
      return Number((rows[0] as { total: unknown }).total) === 3;
    });
    await measures.stop();
  });
});

describe('a monitor', () => {
  const store = useScratchStore();
  let deployed: Deployed;
  beforeEach(async () => {
    deployed = await buildDeployed(store);
  });

  const monitor = (fields: Partial<Monitor>): Monitor => ({
    ...{ id: newId(), ...deployed, name: 'M', window: '1h', condition: '> 0.1' },
    ...{ measure: { pointer: '/a', equals: 'x' }, state: 'CLEAR', value: null, changedAt: null, lookedAt: null },
    ...{ createdAt: new Date().toISOString(), ...fields },
  });
  const part = (fields: Record<string, FieldCounts> | null, count: number, version = 1): object => {
    const times = new QuantileSketch();
    for (let n = 0; n < count; n++) times.record(100);
    return {
      ...{ workspace_id: idToBytes(deployed.workspaceId), decision_id: idToBytes(deployed.decisionId) },
      ...{ environment_id: idToBytes(deployed.environmentId), hour: new Date(Date.now() - (Date.now() % hourMs)) },
      ...{ version, part_id: idToBytes(newId()), additions: 1, count, failed: 0, times: JSON.stringify(times) },
      fields: fields && JSON.stringify(fields),
    };
  };
  const field = (counts: Readonly<Record<string, number>>): FieldCounts => {
    const counted = new FieldCounts();
    for (const [text, count] of Object.entries(counts))
      for (let n = 0; n < count; n++) counted.count(JSON.stringify(text));
    return counted;
  };
  const written = (parts: readonly object[]): Promise<void> => store.database.batchInsert('measures', [...parts], 200);
  const lookedAt = (of: Monitor, budgetBytes = 4 * mib): ReturnType<typeof look> => {
    const reservation = new ByteBudget(budgetBytes).reserve(of.workspaceId, 0);
    return look(store.database, of, { at: Date.now(), reservation }).finally(() => reservation.release());
  };

  it('adds up any number of rows, in few bytes at once', async () => {
    // Texts that take room, 12 KB in a row.
    const large = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n} ${'y'.repeat(190)}`, 1]));
    const rows = Array.from({ length: 1203 }, () => part({ '/a': field({ x: 1, y: 3 }), '/b': field(large) }, 64));
    await written(rows);
    expect(await lookedAt(monitor({}))).to.deep.equal({ value: 0.25, holds: true });
  });

  it('reads nothing that it may not hold', async () => {
    await written([part({ '/a': field({ x: 100, ['y'.repeat(190)]: 100 }) }, 200)]);
    const read: string[] = [];
    store.database.on('query-response', (_: unknown, { response }: { response: [unknown[]] }) => {
      read.push(JSON.stringify(response[0]));
    });
    const refused = await lookedAt(monitor({}), 100).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.have.property('code', 'overloaded');
    expect(read.join()).to.not.include('yyy');
  });

  it('holds no more of many versions than its tenant may, and all of it is given back', async () => {
    const values = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n} ${'y'.repeat(180)}`, 1]));
    await written(Array.from({ length: 400 }, (_, version) => part({ '/a': field(values) }, 40, version + 1)));
    const budget = new ByteBudget(4 * mib);
    const reservation = budget.reserve(deployed.workspaceId, 0);
    const drift = monitor({ condition: 'drift > 0.1', measure: { pointer: '/a' } });
    const refused: unknown = await look(store.database, drift, { at: Date.now(), reservation }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.have.property('code', 'overloaded');
    reservation.release();
    expect(budget.status().bytesInFlight).to.equal(0);
    expect(await lookedAt(drift, 64 * mib)).to.deep.equal({ value: 0, holds: false });
  });

  for (const [what, condition, expected] of [
    ['share', '> 0.1', { value: 0.5, holds: true }],
    ['drift', 'drift > 0.1', { value: 0, holds: false }],
  ] as const)
    it(`holds a ${what} only against executions that had counted the field`, async () => {
      const measured = { '/a': field({ x: 20, y: 20 }) };
      await written([part(measured, 40), part(null, 960), part(measured, 40, 2), part(null, 4000, 2)]);
      expect(await lookedAt(monitor({ condition }))).to.deep.equal(expected);
    });

  it('says nothing where too few have counted the field, whatever else was executed', async () => {
    await written([part({ '/a': field({ x: 10 }) }, 10), part(null, 960)]);
    expect(await lookedAt(monitor({}))).to.deep.equal({ value: null, holds: false });
  });
});
