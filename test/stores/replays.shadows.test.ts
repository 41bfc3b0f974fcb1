import { expect } from 'chai';
import { Shadows } from '../../src/replays/shadows.js';
import { shadows as rows } from '../../src/replays/shadows.store.js';
import { Comparing } from '../support/comparing.js';
import type { Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { useStore } from '../support/factories.js';
import type { ShownReport } from '../support/replays.js';

const mebibyte = 1024 * 1024;

describe('shadows of several workspaces', () => {
  const store = useStore();
  let comparing: Comparing;
  let shadows: Shadows;
  beforeEach(async () => {
    await store.database('shadows').delete();
    comparing = new Comparing(store);
    shadows = new Shadows({ ...comparing.parts, pollMs: 20, restMs: 2000 });
  });
  afterEach(async () => {
    await shadows.stop();
    await comparing.close();
    expect(comparing.budget.status()).to.include({ bytesRefused: 0 });
  });

  const reportOf = async ({ workspaceId }: Deployed, id: string): Promise<ShownReport> => {
    const found = await rows.find(store.database, { workspaceId, id });
    return JSON.parse(found!.report) as ShownReport;
  };
  const started = async (deployed: Deployed): Promise<string> => {
    const id = await comparing.shadow(deployed);
    await shadows.refresh();
    return id;
  };
  const end = ({ workspaceId }: Deployed, id: string): Promise<void> =>
    store.database.transaction((transaction) => rows.update(transaction, { workspaceId, id }, { endedAt: new Date() }));

  it('run beside one another: a slow one keeps no other waiting', async () => {
    const [slow, other] = [await comparing.recorded([]), await comparing.recorded([])];
    const letGo = comparing.pool.hold(slow.workspaceId);
    const [held, id] = [await started(slow), await started(other)];
    shadows.start();
    shadows.offer(comparing.live(slow));
    await eventually(() => comparing.pool.pieces.length === 1);
    shadows.offer(comparing.live(other));
    await eventually(async () => (await reportOf(other, id)).replayed === 1);
    expect(await reportOf(slow, held)).to.include({ replayed: 0 });
    letGo();
    await eventually(async () => (await reportOf(slow, held)).replayed === 1);
  });

  it('hold as many bytes as are free at most, so that there is room for one more', async () => {
    const [greedy, other] = [await comparing.recorded([]), await comparing.recorded([])];
    const letGo = [greedy, other].map(({ workspaceId }) => comparing.pool.hold(workspaceId));
    const many: string[] = [];
    for (let count = 0; count < 10; count++) many.push(await started(greedy));
    const id = await started(other);
    for (let count = 0; count < 4; count++) shadows.offer(comparing.live(greedy, mebibyte / 2));
    // Two bytes for each character: 16 MiB are held, of 32.
    expect(comparing.budget.status().bytesInFlight).to.be.within(15 * mebibyte, 17 * mebibyte);
    for (let count = 0; count < 4; count++) shadows.offer(comparing.live(other, mebibyte));
    expect(comparing.budget.status().bytesInFlight).to.be.within(23 * mebibyte, 25 * mebibyte);
    letGo.forEach((each) => each());
    shadows.start();
    await eventually(async () => (await reportOf(other, id)).replayed === 4);
    const reports = await eventually(async () => {
      const found = await Promise.all(many.map((each) => reportOf(greedy, each)));
      const seen = found.reduce((sum, { replayed, skipped }) => sum + replayed + (skipped['dropped'] ?? 0), 0);
      return seen === 40 && found;
    });
    expect(reports.reduce((sum, { replayed }) => sum + replayed, 0)).to.be.within(15, 16);
  });

  it('free what waits for one that ends, and take nothing more for it before its counts are written', async () => {
    const deployed = await comparing.recorded([]);
    const id = await started(deployed);
    const letGo = comparing.pool.hold(deployed.workspaceId);
    shadows.offer(comparing.live(deployed));
    await eventually(() => comparing.pool.pieces.length === 1);
    // Two bytes for each character: 14 MiB wait of the 16 that one workspace may hold.
    const large = comparing.live(deployed, 7 * mebibyte);
    shadows.offer(large);
    expect(comparing.budget.status().bytesInFlight).to.be.above(14 * mebibyte);
    await end(deployed, id);
    await shadows.refresh();
    // The loop that writes counts has not begun.
    shadows.offer(large);
    expect(comparing.budget.status().bytesInFlight).to.be.below(mebibyte);
    letGo();
    const next = await started(deployed);
    shadows.offer(large);
    shadows.start();
    const report = await eventually(async () => {
      const found = await reportOf(deployed, next);
      return found.replayed + Object.keys(found.skipped).length > 0 && found;
    });
    expect(report).to.deep.include({ replayed: 1, skipped: {} });
  });

  it('are looked for once at a time, by their ids alone', async () => {
    const deployed = await comparing.recorded([]);
    for (let count = 0; count < 3; count++) await comparing.shadow(deployed);
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }): void => {
      if (/from `shadows`/.test(sql)) statements.push(sql);
    };
    store.database.on('query', note);
    for (let round = 0; round < 2; round++) await Promise.all(Array.from({ length: 10 }, () => shadows.refresh()));
    store.database.removeListener('query', note);
    const [polls, others] = [/order by `expires_at`/, /^(?!.*order by)/].map((form) =>
      statements.filter((sql) => form.test(sql)),
    );
    expect(polls).to.have.length(2);
    expect(new Set(polls)).to.have.property('size', 1);
    expect(polls![0]).to.match(/^select `id` from/);
    // What they were asked for, once.
    expect(others).to.have.length(1);
    expect(statements.join()).to.not.match(/report|tallies/);
  });

  it('rest where they cost too many threads, which drops what comes, and then go on', async () => {
    const deployed = await comparing.recorded([]);
    const id = await started(deployed);
    shadows.start();
    for (let count = 0; count < 15; count++) {
      shadows.offer({ ...comparing.live(deployed), fact: '{"x":1,"dies":true}' });
    }
    const report = await eventually(async () => {
      const found = await reportOf(deployed, id);
      return found.replayed + (found.skipped['dropped'] ?? 0) === 15 && found;
    });
    expect(report).to.deep.include({ replayed: 10, newlyFailed: 10, skipped: { dropped: 5 } });
    await eventually(async () => {
      shadows.offer(comparing.live(deployed));
      return (await reportOf(deployed, id)).replayed > 10;
    });
  });
});
