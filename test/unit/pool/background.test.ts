import { expect } from 'chai';
import { bootPool, closePools, someThread } from '../../support/pools.js';
import { chain, expressions, taskOf } from '../../support/tasks.js';
import { eventually } from '../../support/eventually.js';
import { inBackground, isBackground, WorkspaceAccounts } from '../../../src/pool/workspaceAccounts.js';
import type { QueuedRun } from '../../../src/pool/turn.js';
import { Scheduler } from '../../../src/pool/scheduler.js';
import { PoolCounts } from '../../../src/admin/metrics/poolCounts.js';
import type { Pool } from '../../../src/pool/pool.js';

const worker = new URL('../../../workers/thread/run.js', import.meta.url);
const { bundle = '', timeoutMs: _, ...request } = taskOf(chain(expressions({ a: '1' })));
const live = (pool: Pool): Promise<unknown> => pool.run('w', request, { provide: () => Promise.resolve({ bundle }) });
const model = JSON.stringify(chain(expressions({ a: '1' })));

describe('Pool: work in the background', () => {
  afterEach(closePools);

  for (const poolMaxThreads of [1, 2]) {
    it(`has a thread of its own beside ${poolMaxThreads}, and is not counted as a run`, async () => {
      const pool = await bootPool({ worker, poolMaxThreads, spareMs: 300 });
      for (let piece = 0; piece < 3; piece++) {
        expect(await pool.background<'schema'>({ kind: 'schema', text: model })).to.have.property('schemas');
      }
      const during = pool.status();
      expect(during.served).to.equal(0);
      expect(during.threads).to.be.at.least(2);
      await live(pool);
      expect(pool.status()).to.include({ served: 1, rejected: 0 });
      await eventually(() => pool.status().threads <= poolMaxThreads);
    });
  }

  it('is refused once the pool drains', async () => {
    const pool = await bootPool({ worker });
    void pool.drain(0);
    const refused = await pool.background({ kind: 'schema', text: model }).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'overloaded' });
  });
});

describe('Scheduler: work in the background', () => {
  const thread = someThread();
  after(() => thread.end());
  const usual = { idle: 0, idleLow: 0, size: 2, serving: 2, maxThreads: 2 };
  const setup = (changes: Partial<typeof usual> = {}) => {
    let now = 0;
    const accounts = new WorkspaceAccounts();
    const { maxThreads, ...threads } = { ...usual, ...changes };
    const scheduler = new Scheduler({
      config: { poolMaxQueuePerWorkspace: 100, poolMaxWaitMs: 1000 },
      settings: { maxThreads, maxQueue: 100 },
      observer: new PoolCounts(),
      accounts,
      threads,
      now: () => now,
      spareMs: 100,
    });
    const run = (background: boolean): QueuedRun => {
      const caller = background ? inBackground : accounts.callerOf('w', 'p');
      const task = {
        programId: 'p',
        workspaceId: 'w',
        configurationId: '',
        body: '{}',
        traced: false,
        clock: 0,
        seed: 0,
      };
      const answered = { gone: () => false, trace: undefined, resolve: () => undefined, reject: () => undefined };
      return { ...caller, request: task, ...answered, since: 0, hadTurn: false, queuedAt: 0, expectedMs: 0 };
    };
    const wait = (background: boolean): void => scheduler.wait(run(background));
    const next = (low = false): boolean[] => scheduler.next({ low }).map(isBackground);
    const hold = (background: boolean) => {
      const one = run(background);
      return scheduler.hold(thread, one.account, [one], 1000);
    };
    const later = (ms: number): void => void (now += ms);
    return { scheduler, wait, next, hold, later, clock: () => now };
  };

  it('begins when no run waits, one piece at a time, while another thread serves', () => {
    const { scheduler, wait, next, hold } = setup();
    wait(true);
    wait(true);
    wait(false);
    expect(next()).to.deep.equal([false]);
    expect(next()).to.deep.equal([true]);
    const holding = hold(true);
    expect(next(), 'the last that serves').to.deep.equal([]);
    scheduler.release(holding, 1000, 0);
    expect(next(true), 'a thread that gives way').to.deep.equal([true]);
    expect(next(true)).to.deep.equal([]);
  });

  it('takes no thread that serves while one that gives way is idle, nor the only one', () => {
    for (const threads of [{ idleLow: 1 }, { serving: 1 }]) {
      const { wait, next } = setup(threads);
      wait(true);
      expect(next()).to.deep.equal([]);
      expect(next(true)).to.deep.equal([true]);
    }
  });

  it('rests after a piece beside live runs, twenty times as long as that took', () => {
    const { scheduler, wait, next, hold, later, clock: now } = setup({ serving: 3, maxThreads: 3 });
    const piece = (ms: number): void => {
      const holding = hold(true);
      later(ms);
      scheduler.release(holding, ms, now());
    };
    for (let count = 0; count < 3; count++) wait(true);
    expect(next()).to.deep.equal([true]);
    piece(3);
    expect(next(), 'with nobody beside it').to.deep.equal([true]);
    hold(false);
    piece(3);
    later(59);
    expect(next()).to.deep.equal([]);
    later(2);
    expect(next()).to.deep.equal([true]);
  });

  it('has another thread started for as long as there is some, keeps nobody out and owes nothing', () => {
    const { scheduler, wait, hold, later } = setup();
    expect([scheduler.spare(0), scheduler.background.lately(0)]).to.deep.equal([0, false]);
    wait(true);
    expect([scheduler.waiting, scheduler.background.waiting]).to.deep.equal([0, 1]);
    expect([scheduler.spare(0), scheduler.background.lately(0)]).to.deep.equal([1, true]);
    scheduler.next({ low: true });
    const holding = hold(true);
    scheduler.look(holding, 10_000, 10_000);
    scheduler.release(holding, 10_000, 0);
    expect(inBackground.account).to.include({ slow: true, paidAt: 0 });
    later(1000);
    expect([scheduler.background.lately(1000), scheduler.spare(1000)]).to.deep.equal([false, 0]);
  });
});
