import { expect } from 'chai';
import { bootPool, closePools, someThread } from '../../../support/pools.js';
import { buildRunQueue } from '../../../support/runQueues.js';
import { chain, expressions, taskOf } from '../../../support/tasks.js';
import { eventually } from '../../../support/eventually.js';
import type { Lease } from '../../../../src/admission/pool/leases.js';
import { runOnThread } from '../../../../src/runs/runOnThread.js';
import type { Pool } from '../../../../src/admission/pool/pool.js';

const worker = new URL('../../../../workers/thread/run.js', import.meta.url);
const { bundle = '', timeoutMs: _, ...request } = taskOf(chain(expressions({ a: '1' })));
const live = (pool: Pool): Promise<unknown> => runOnThread(pool, request, () => Promise.resolve({ bundle }));

describe('Pool: work in the background', () => {
  afterEach(closePools);

  for (const poolMaxThreads of [1, 2]) {
    it(`has a thread of its own beside ${poolMaxThreads}, and is not counted as a run`, async () => {
      const pool = await bootPool({ worker, poolMaxThreads, overflowMs: 300 });
      for (let piece = 0; piece < 3; piece++) {
        expect(await pool.background<'schema'>({ kind: 'schema', workspaceId: 'w', bundle })).to.have.property(
          'schemas',
        );
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
    const refused = await pool
      .background({ kind: 'schema', workspaceId: 'w', bundle })
      .catch((error: unknown) => error);
    expect(refused).to.include({ code: 'overloaded' });
  });
});

describe('RunQueue: work in the background', () => {
  const thread = someThread();
  after(() => thread.end());
  const setup = (changes: Parameters<typeof buildRunQueue>[1] = {}) => {
    const { accounts, queue, clock, runOf, pieceOf, begin } = buildRunQueue(thread, { overflowMs: 100, ...changes });
    /** A run where the workspace is `live`, and a piece in the background of all others. */
    const work = (workspaceId: string) => (workspaceId === 'live' ? runOf('live') : pieceOf(workspaceId));
    const wait = (workspaceId: string, count = 1): void => {
      for (let piece = 0; piece < count; piece++) queue.push(work(workspaceId));
    };
    const next = (low = false): string[] => queue.next({ low }).map(({ account }) => account.owner.workspaceId);
    const hold = (workspaceId: string): Lease => begin(work(workspaceId));
    /** It has a thread for so long. */
    const held = (workspaceId: string, ms: number): void => {
      const lease = hold(workspaceId);
      clock.ms += ms;
      queue.release(lease, ms, clock.ms);
    };
    return { accounts, queue, wait, next, hold, held, clock };
  };

  it('begins when no run waits, one piece at a time, while another thread serves', () => {
    const { queue, wait, next, hold } = setup();
    wait('a', 2);
    wait('live');
    expect(next()).to.deep.equal(['live']);
    expect(next()).to.deep.equal(['a']);
    const lease = hold('a');
    expect(next(), 'the last that serves').to.deep.equal([]);
    queue.release(lease, 1000, 0);
    expect(next(true), 'a thread that gives way').to.deep.equal(['a']);
    expect(next(true)).to.deep.equal([]);
  });

  it('takes no thread that serves while one that gives way is idle, nor the only one', () => {
    for (const threads of [{ idleLow: 1 }, { serving: 1 }]) {
      const { wait, next } = setup(threads);
      wait('a');
      expect(next()).to.deep.equal([]);
      expect(next(true)).to.deep.equal(['a']);
    }
  });

  it('rests after a piece beside live runs, twenty times as long as that took, and no longer than a usual piece’s rest', () => {
    for (const [ms, restMs] of [
      [3, 60],
      [10_000, 2000],
    ] as const) {
      const { queue, wait, next, hold, held, clock } = setup({ serving: 3, maxThreads: 3 });
      wait('a', 3);
      expect(next()).to.deep.equal(['a']);
      held('a', ms);
      expect(next(), 'with nobody beside it').to.deep.equal(['a']);
      const piece = hold('a');
      clock.ms += ms;
      hold('live');
      queue.release(piece, ms, clock.ms);
      clock.ms += restMs - 1;
      expect(next()).to.deep.equal([]);
      clock.ms += 1;
      expect(next()).to.deep.equal(['a']);
    }
  });

  it('begins though runs of slow workspaces wait, which have their share of the threads', () => {
    const { accounts, wait, next, hold } = setup({ serving: 3 });
    accounts.charge(accounts.of('live'), 1000, 0);
    hold('live');
    wait('live');
    wait('a');
    expect(next()).to.deep.equal(['a']);
  });

  it('is given by the time that each workspace has used: a slow one gets as much of it as the others, and no more', () => {
    const { wait, next, held } = setup();
    wait('slow', 3);
    wait('quick', 250);
    const order: string[] = [];
    for (let workspaceId = ''; order.length < 205; order.push(workspaceId)) {
      [workspaceId = ''] = next(true);
      held(workspaceId, workspaceId === 'slow' ? 1000 : 10);
    }
    expect(order.flatMap((workspaceId, at) => (workspaceId === 'slow' ? [at] : []))).to.deep.equal([0, 101, 202]);
  });

  it('counts a piece while it is under way, so that a workspace with a slow one does not get the next thread too', () => {
    const { queue, wait, next, hold, clock } = setup({ maxThreads: 3 });
    wait('slow', 2);
    wait('quick', 2);
    expect(next(true)).to.deep.equal(['slow']);
    const lease = hold('slow');
    clock.ms += 50;
    queue.look(lease, 0, clock.ms);
    expect([next(true), next(true), next(true)]).to.deep.equal([['quick'], ['quick'], ['slow']]);
  });

  it('has another thread started for as long as there is some, beside slow runs too, and owes nothing', () => {
    const { queue, wait, next, hold, clock } = setup();
    expect([queue.overflow(0), queue.backgroundLately(0)]).to.deep.equal([0, false]);
    wait('a');
    expect([queue.waiting, queue.isEmpty]).to.deep.equal([0, false]);
    expect([queue.overflow(0), queue.backgroundLately(0)]).to.deep.equal([1, true]);
    const looping = hold('live');
    queue.look(looping, 1000, 1000);
    expect(queue.overflow(1000)).to.equal(2);
    expect(next(true), 'though slow runs have their share').to.deep.equal(['a']);
    const lease = hold('a');
    queue.look(lease, 10_000, 10_000);
    expect([lease.account.paidAt, queue.overflow(10_000)]).to.deep.equal([0, 2]);
    queue.release(lease, 10_000, 10_000);
    queue.release(looping, 0, 10_000);
    clock.ms = 11_000;
    expect(queue.backgroundLately(11_000)).to.equal(false);
  });
});
