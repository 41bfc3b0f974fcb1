import { expect } from 'chai';
import { createJobLoop, JobFailed } from '../../src/jobs/jobLoop.js';
import { recordProgress } from '../../src/replays/progress.store.js';
import { RecordReader } from '../../src/replays/recordReader.js';
import { replayJobs } from '../../src/replays/replayJobs.js';
import { workOnReplay } from '../../src/replays/slice.js';
import { idToBytes, lowestIdAt } from '../../src/storage/ids.js';
import { Comparing } from '../support/comparing.js';
import type { Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { useStore } from '../support/factories.js';
import { makeDue } from '../support/jobs.js';

const leaseMs = 60_000;
const measures = [{ name: 'sum', expression: 'result.y', aggregate: 'sum' as const }];

describe('slices of a replay', () => {
  const store = useStore();
  let comparing: Comparing;
  beforeEach(() => {
    comparing = new Comparing(store);
  });
  afterEach(() => comparing.close());

  /** One slice: until the replay ends, or its time is over after one piece, or at once, because the server stops. */
  async function slice(id: string, end?: 'one piece' | 'stopped'): Promise<void> {
    const job = await comparing.claimed(id);
    const gone = end === 'stopped' ? AbortSignal.abort() : new AbortController().signal;
    await workOnReplay(comparing.parts, job, { until: end === 'one piece' ? 0 : Infinity, gone });
  }

  /** How many slices of one piece each it takes to end it. */
  async function slicesOf(deployed: Deployed, id: string): Promise<number> {
    for (let slices = 1; slices <= 30; slices++) {
      await slice(id, 'one piece');
      if ((await comparing.shown(deployed, id)).status !== 'RUNNING') return slices;
    }
    throw new Error('it never ends');
  }

  const facts = (count: number, odd: object = {}): object[] =>
    Array.from({ length: count }, (_, index) => (index === 1 ? { x: index, ...odd } : { x: index }));

  it('end, where each has time for one piece and a thread dies of one case', async () => {
    const deployed = await comparing.recorded(facts(6, { dies: true }));
    const id = await comparing.replay(deployed);
    // One for each execution, and one to see that there are no more.
    expect(await slicesOf(deployed, id)).to.equal(7);
    const { status, done, report } = await comparing.shown(deployed, id);
    expect({ status, done }).to.deep.equal({ status: 'COMPLETED', done: 6 });
    expect(report).to.deep.include({ replayed: 6, identical: 5, newlyFailed: 1, skipped: {} });
    expect(comparing.budget.status()).to.include({ bytesInFlight: 0, bytesRefused: 0 });
  });

  it('end at their limit, in the midst of a later page too', async () => {
    const deployed = await comparing.recorded(facts(50));
    const id = await comparing.replay(deployed, { limit: 40 });
    await slice(id);
    const { status, done, report } = await comparing.shown(deployed, id);
    expect({ status, done }).to.deep.equal({ status: 'COMPLETED', done: 40 });
    expect(report).to.deep.include({ replayed: 40 });
  });

  it('risk half as much at once after each lost thread, in later slices too', async () => {
    const deployed = await comparing.recorded(facts(40));
    const id = await comparing.replay(deployed);
    await comparing.change(id, { tallies: JSON.stringify({ losses: 4 }) });
    await slice(id);
    expect(comparing.pool.pieces[0]).to.equal(1);
    expect(Math.max(...comparing.pool.pieces)).to.be.within(2, 4);
    expect((await comparing.shown(deployed, id)).status).to.equal('COMPLETED');
  });

  it('count what a thread died of as failed only where the candidate alone ends one, too', async () => {
    for (const completed of [true, false]) {
      const deployed = await comparing.recorded(facts(3, { diesOfMeasures: true }), completed);
      const id = await comparing.replay(deployed, { measures });
      await slicesOf(deployed, id);
      const { report, done } = await comparing.shown(deployed, id);
      const others = completed ? { identical: 2 } : { newlyCompleted: 2 };
      expect(done).to.equal(3);
      expect(report).to.deep.include({ replayed: 2, newlyFailed: 0, skipped: { limit: 1 }, ...others });
      expect(report.measures).to.deep.equal([{ name: 'sum', before: completed ? 4 : 0, after: 4 }]);
    }
  });

  it('count the bytes of all differences that are kept, those of earlier slices too, and keep none beyond the most', async () => {
    const most = 64 * 1024 * 1024;
    for (const [before, kept] of [
      [0, 12],
      [most, 0],
    ] as const) {
      const deployed = await comparing.recorded(facts(12));
      const rows = { workspace_id: idToBytes(deployed.workspaceId) };
      await store.database('executions').where(rows).update({ result: '{"y":-1}' });
      const id = await comparing.replay(deployed);
      // Pieces are small after threads were lost.
      await comparing.change(id, { difference_bytes: before, tallies: JSON.stringify({ losses: 4 }) });
      expect(await slicesOf(deployed, id)).to.be.above(3);
      const changes = (await store.database('replay_differences').where(rows).pluck('changes')) as string[];
      const bytes = changes.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const [counted] = (await store.database('replays').where(rows).pluck('difference_bytes')) as number[];
      expect({ kept: changes.length, counted }).to.deep.equal({ kept, counted: before + bytes });
      expect((await comparing.shown(deployed, id)).report).to.deep.include({ replayed: 12, changed: 12 });
    }
  });

  it('end as FAILED, and say so, where the cases cost more threads than there is patience for', async () => {
    const deployed = await comparing.recorded(facts(4, { dies: true }));
    const id = await comparing.replay(deployed);
    await comparing.change(id, { tallies: JSON.stringify({ losses: 18 }) });
    const failed = await slice(id).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(JobFailed);
    expect(String(failed)).to.match(/ended 20 threads/);
    expect(await comparing.shown(deployed, id)).to.deep.include({ status: 'RUNNING', done: 3 });
  });

  it('count attempts until an execution is done', async () => {
    const deployed = await comparing.recorded(facts(2));
    const id = await comparing.replay(deployed);
    await slice(id, 'stopped');
    for (const attempts of [1, 2, 3]) {
      const job = await comparing.claimed(id);
      expect(job.attempts).to.equal(attempts);
      await recordProgress(store.database, job, {
        progress: job.progress,
        report: '{}',
        differences: [],
        isOver: false,
      });
    }
    await slice(id, 'one piece');
    expect(await comparing.claimed(id)).to.include({ attempts: 1 });
  });

  it('of one workspace do not wait for those of another', async () => {
    const [slow, other] = [await comparing.recorded(facts(3)), await comparing.recorded(facts(3))];
    const letGo = comparing.pool.hold(slow.workspaceId);
    const held = [await comparing.replay(slow), await comparing.replay(slow)];
    const runner = createJobLoop({ ...comparing.parts, pollMs: 20, leaseMs }, [replayJobs(comparing.parts)]);
    runner.start();
    await eventually(() => comparing.pool.pieces.length >= 2);
    const id = await comparing.replay(other);
    runner.wake();
    await eventually(async () => (await comparing.shown(other, id)).status === 'COMPLETED');
    for (const each of held) expect(await comparing.shown(slow, each)).to.include({ status: 'RUNNING', done: 0 });
    expect(comparing.budget.status().bytesInFlight).to.be.above(0);
    letGo();
    for (const each of held) await eventually(async () => (await comparing.shown(slow, each)).status === 'COMPLETED');
    await runner.stop();
    expect(comparing.budget.status()).to.include({ bytesInFlight: 0 });
  });

  it('that come no further end as FAILED, with a reason for the owner', async () => {
    const deployed = await comparing.recorded(facts(3));
    await comparing.pool.drain(0);
    const id = await comparing.replay(deployed);
    const runner = createJobLoop({ ...comparing.parts, pollMs: 20, leaseMs }, [replayJobs(comparing.parts)]);
    runner.start();
    let shown = await comparing.shown(deployed, id);
    for (let attempts = 0; shown.status === 'RUNNING' && attempts < 100; attempts++) {
      // In place of waiting for the next attempt.
      await makeDue(store.database, 'replay', [id]);
      runner.wake();
      await eventually(async () => {
        const { revision } = shown;
        shown = await comparing.shown(deployed, id);
        return revision !== shown.revision || comparing.warnings.length > attempts;
      });
    }
    await runner.stop();
    expect(shown.status).to.equal('FAILED');
    expect(shown.error).to.match(/^It came no further in 6 attempts: .*Nothing was run\.$/);
  });

  it('read pages of few bytes, an execution that is larger alone, all charged to the workspace', async () => {
    const mebibyte = ' '.repeat(1024 * 1024);
    const filled = [{ x: 1 }, { x: 2, a: mebibyte + mebibyte }, { x: 3, a: mebibyte }, ...facts(40)];
    const deployed = await comparing.recorded(filled);
    const scope = { ...deployed, status: undefined, version: undefined, from: undefined };
    const reservation = comparing.budget.reserve(deployed.workspaceId, 1);
    const before = lowestIdAt(new Date(Date.now() + 1000));
    const reader = new RecordReader(store.database, scope, { before, reservation });
    const pages: number[] = [];
    for (;;) {
      const page = await reader.next();
      await reader.close();
      pages.push(page.length);
      expect(reservation.bytes).to.be.below(12 * 1024 * 1024);
      if (page.length === 0) break;
    }
    expect(pages).to.deep.equal([32, 9, 1, 1, 0]);
    expect(reservation.bytes).to.equal(1);
    reservation.release();
  });
});
