import { expect } from 'chai';
import type { Knex } from 'knex';
import { noMeasure, type PieceTallies } from '../../workers/models/index.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { insertErasure } from '../../src/erasures/erasures.store.js';
import { look } from '../../src/measures/monitors/lookAtMonitor.js';
import { newReplay, replays, uncounted } from '../../src/replays/replays.store.js';
import { shadows } from '../../src/replays/shadows.store.js';
import { Tallies } from '../../src/replays/tallies.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { askErasure, erasureLoop, erasuresDone } from '../support/erasures.js';
import { idAgo } from '../support/evidence.js';
import { buildWorkspace, testActor, useScratchStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';

const minuteMs = 60_000;
/** How long an erasure may keep all others from the main thread. */
const longestMs = 100;

/** The longest time, in milliseconds, that the main thread worked without a pause; what the machine gave to others is not counted. */
function longestBlock(): () => number {
  let longest = 0;
  let [at, used] = [performance.now(), process.cpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min(performance.now() - at, (user + system) / 1000));
    [at, used] = [performance.now(), process.cpuUsage()];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

describe('erasures of a process', () => {
  const store = useScratchStore();
  let erasures: PollLoop;
  beforeEach(() => {
    erasures = erasureLoop(store);
  });
  afterEach(() => erasures.stop());

  const ask = (workspaceId: string, executionIds: readonly string[]): Promise<void> =>
    askErasure(store.database, workspaceId, { executionIds });
  const executed = async (deployed: Deployed, fields: { fact?: string; result?: string } = {}): Promise<string> => {
    const id = idAgo(10 * minuteMs);
    await writeRecords(store.database, [
      recordOf(deployed, { id, createdAt: new Date(Date.now() - 10 * minuteMs), ...fields }),
    ]);
    return id;
  };

  it('never work for a tenth of a second without a pause: 1 MiB of values, reports of 1,000 rows', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const { workspaceId, environmentId, decisionId } = deployed;
    const numbers = Array.from({ length: 145_000 }, (_, n) => n + 100_000);
    const result = JSON.stringify({ numbers, name: 'Anna' });
    const id = await executed(deployed, { fact: JSON.stringify({ numbers }), result });
    const transitions = numbers
      .slice(0, 999)
      .map((n, at) => [`{"pointer":"/numbers/${at}","before":${n},"after":${n + 1}}`, 5] as const);
    const tallies = new Tallies();
    const outcomes = { identical: 0, changed: 5, newlyFailed: 0, newlyCompleted: 0, skipped: {}, fields: [] };
    const piece: PieceTallies = {
      ...{ ...outcomes, measures: [{ before: noMeasure, after: noMeasure }], outcomes: [], reached: [] },
      ...{ beforeUs: [], afterUs: [], transitions: [...transitions, ['{"pointer":"/name","before":"Anna"}', 5]] },
    };
    tallies.add(piece);
    const request = JSON.stringify({ environmentId, decisionId });
    const report = tallies.report({ measures: [], outcomes: [], stated: null });
    for (let made = 0; made < 10; made++) {
      await replays.insert(database, workspaceId, { ...newReplay, request, report }, uncounted);
      const times = { expiresAt: new Date('2100-01-01'), endedAt: null };
      await shadows.insert(database, workspaceId, { ...times, request, report }, { tallies: '' });
    }
    await database('shadows').update({ tallies: JSON.stringify(tallies) });
    await database('replays').update({ status: 'COMPLETED' });
    await ask(workspaceId, [id]);
    const longest = longestBlock();
    erasures.start();
    await erasuresDone(store.database, workspaceId);
    expect(longest()).to.be.below(longestMs);
    const [row] = await database('executions').where('id', idToBytes(id)).select<object[]>('fact', 'result');
    expect(row).to.deep.equal({ fact: null, result: 'null' });
    for (const table of ['replays', 'shadows']) {
      const rows = await database(table).select<{ report: string; tallies: string }[]>('report', 'tallies');
      for (const kept of rows) {
        expect(kept.report + kept.tallies)
          .to.not.include('Anna')
          .and.to.not.include('"before":1000');
        expect(kept.report).to.include('"count":5,"erased":1');
      }
    }
  });

  it('reach a replay that was made in the millisecond of an execution, and has a lower id', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const { workspaceId, environmentId, decisionId } = deployed;
    const id = await executed(deployed, { result: '{"name":"Anna"}' });
    const replayId = `${id.slice(0, 15)}000-8000-000000000000`;
    const report =
      '{"replayed":5,"transitions":[{"pointer":"/name","before":"Anna","after":"Bob","count":5}],"measures":[]}';
    const request = JSON.stringify({ environmentId, decisionId });
    await replays.insert(database, workspaceId, { ...newReplay, id: replayId, request, report }, uncounted);
    await database('replays').where('id', idToBytes(replayId)).update({ status: 'COMPLETED' });
    await ask(workspaceId, [id]);
    erasures.start();
    await erasuresDone(store.database, workspaceId);
    const kept = database('replays').where('id', idToBytes(replayId));
    expect((await kept.pluck('report'))[0]).to.not.include('Anna');
  });

  it('reach each execution with a reference that has the millisecond of the erasure, on either side of its id', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const { workspaceId } = deployed;
    const at = idAgo(0).slice(0, 15);
    const [lower, id, higher] = ['000', '800', 'fff'].map((some) => `${at}${some}-8000-000000000000`);
    const ids = [lower!, higher!];
    await writeRecords(
      database,
      ids.map((each) => recordOf(deployed, { id: each, reference: 'anna', result: '{"name":"Anna"}' })),
    );
    await database.transaction((transaction) =>
      insertErasure(transaction, { workspaceId, id: id! }, { actor: testActor, reference: 'anna', executionIds: [] }),
    );
    erasures.start();
    await erasuresDone(database, workspaceId);
    const kept = database('executions').whereIn('id', ids.map(idToBytes));
    expect(await kept.pluck('result')).to.deep.equal(['null', 'null']);
  });

  it('drop what nothing is kept of at once: a thousand ids take as many statements as one', async () => {
    const workspaceId = await buildWorkspace(store);
    const statementsFor = async (count: number): Promise<number> => {
      await ask(
        workspaceId,
        Array.from({ length: count }, () => idAgo(10 * minuteMs)),
      );
      const statements: string[] = [];
      const note = ({ sql }: Knex.Sql): void => {
        if (/erasure_executions|executions|evidence|replay|shadow|measures|outcomes/.test(sql)) statements.push(sql);
      };
      store.database.on('query', note);
      erasures.wake();
      await erasuresDone(store.database, workspaceId);
      store.database.removeListener('query', note);
      return statements.length;
    };
    erasures.start();
    expect(await statementsFor(1000)).to.equal(await statementsFor(1));
  });

  it('delete outcomes in pieces: of an execution, of one without a record, of a reference', async () => {
    const { database } = store;
    const deployed = await buildDeployed(store);
    const { workspaceId } = deployed;
    const [known, unknown] = [await executed(deployed), idAgo(10 * minuteMs)];
    const told = 7000;
    for (const subject of [`e${known}`, `e${unknown}`, 'rA-1'])
      await database.batchInsert(
        'outcomes',
        Array.from({ length: told }, (_, at) => ({
          ...{
            workspace_id: idToBytes(workspaceId),
            subject,
            name: 'paid',
            at: new Date(at),
            digest: Buffer.alloc(16),
          },
          ...{ value: 'true', created_at: new Date() },
        })),
      );
    const deleted: number[] = [];
    const note = (rows: unknown, { sql }: Knex.Sql): void => {
      if (sql.startsWith('delete from `outcomes`')) deleted.push(Number(rows));
    };
    database.on('query-response', note);
    await ask(workspaceId, [known, unknown]);
    await askErasure(database, workspaceId, { reference: 'A-1' });
    erasures.start();
    await erasuresDone(database, workspaceId);
    database.removeListener('query-response', note);
    expect(deleted.reduce((sum, rows) => sum + rows, 0)).to.equal(3 * told);
    expect(Math.max(...deleted)).to.be.below(3000);
  });
});

describe('a look at a drift', () => {
  const store = useScratchStore();

  it('takes a few statements where nothing was counted for 30 days', async () => {
    const ids = { id: newId(), workspaceId: newId(), environmentId: newId(), decisionId: newId() };
    const asked = { name: 'M', window: '24h', condition: 'drift > 0.2', measure: { pointer: '/a' } } as const;
    const state = { state: 'CLEAR', value: null, changedAt: null, lookedAt: null, createdAt: '' } as const;
    const statements: string[] = [];
    store.database.on('query', ({ sql }: Knex.Sql) => statements.push(sql));
    const reservation = new ByteBudget(1024 * 1024).reserve(ids.workspaceId, 0);
    const found = await look(store.database, { ...ids, ...asked, ...state }, { at: Date.now(), reservation });
    expect(found).to.deep.equal({ value: null, holds: false });
    expect(statements.length).to.be.below(5);
  });
});
