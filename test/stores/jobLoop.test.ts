import { expect } from 'chai';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { Problem } from '../../src/errors.js';
import { createJobLoop, JobFailed, type JobWork } from '../../src/jobs/jobLoop.js';
import { queueJobs, renewJob, settleJob, type Job } from '../../src/jobs/jobs.store.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { ownerOverKinds, JobTurns } from '../../src/jobs/turns.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { eventually } from '../support/eventually.js';
import { buildTenant, buildWorkspace, openScratchStore, type Store } from '../support/factories.js';
import { claimed, jobsLeft, makeDue } from '../support/jobs.js';

describe('the loop of jobs', () => {
  let store: Store;
  let workspaceId: string;
  let loop: PollLoop | undefined;
  beforeEach(async () => {
    store = await openScratchStore();
    workspaceId = await buildWorkspace(store);
  });
  afterEach(async () => {
    await loop?.stop();
    loop = undefined;
    await store.close();
  });

  function start(
    more: Pick<JobWork, 'work'> & Partial<JobWork> & { readonly leaseMs?: number },
    ...others: JobWork[]
  ): void {
    const { database } = store;
    const { leaseMs = 60_000, ...work } = more;
    const parts = { database, log: pino({ level: 'silent' }), pollMs: 20, leaseMs };
    loop = createJobLoop(parts, [{ kind: 'replay', atOnce: 1, ...work }, ...others]);
    loop.start();
  }
  const queue = async (count = 1, of = workspaceId): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newId());
    await queueJobs(
      store.database,
      ids.map((id) => ({ kind: 'replay', workspaceId: of, id })),
    );
    return ids;
  };
  /** In place of waiting until a job is due, it is made so again and again. */
  const untilAllAreOver = (): Promise<unknown> =>
    eventually(async () => {
      const left = await jobsLeft(store.database, 'replay');
      await makeDue(store.database, 'replay');
      loop?.wake();
      return left === 0;
    });
  const secondsLeft = async (id: string): Promise<{ seconds: number; reason: string | null }> => {
    const left = store.database.raw('TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), due_at) / 1000000 AS seconds');
    type Found = { seconds: number | string; reason: string | null };
    const [found] = await store.database('jobs').where('id', idToBytes(id)).select<Found[]>(left, 'reason');
    return { seconds: Math.round(Number(found?.seconds)), reason: found?.reason ?? null };
  };

  it('works on so many jobs at once, on fewer of one tenant, and ends with the last of them', async () => {
    const other = await buildWorkspace(store);
    await queue(3);
    await queue(1, other);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    start({
      atOnce: 3,
      atOnceOfTenant: 2,
      async work(job) {
        begun.push(job.workspaceId);
        await new Promise<void>((resolve) => ends.push(resolve));
        return null;
      },
    });
    await eventually(() => begun.length === 3);
    expect([...begun].sort()).to.deep.equal([workspaceId, workspaceId, other].sort());
    ends[begun.indexOf(workspaceId)]?.();
    await eventually(() => begun.length === 4);
    let isStopped = false;
    const stopped = loop?.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).to.equal(false);
    for (const end of ends) end();
    await stopped;
    expect(await jobsLeft(store.database, 'replay')).to.equal(0);
  });

  it('finds the jobs of all kinds by one look, and those of one kind wait for none of another', async () => {
    const { database } = store;
    const looks: string[] = [];
    database.on('query', ({ sql }: Knex.Sql) => {
      if (sql.includes(' group by ')) looks.push(sql);
    });
    await queue(2);
    await queueJobs(database, [{ kind: 'monitor', workspaceId, id: newId() }]);
    const untilGone = (_: Job, gone: AbortSignal): Promise<null> =>
      new Promise((resolve) => gone.addEventListener('abort', () => resolve(null)));
    start({ work: untilGone }, { kind: 'monitor', atOnce: 1, work: () => Promise.resolve(null) });
    await eventually(async () => (await jobsLeft(database, 'monitor')) === 0);
    expect(await jobsLeft(database, 'replay')).to.equal(2);
    expect(new Set(looks.map((sql) => sql.match(/\?/g)?.length))).to.deep.equal(new Set([2]));
  });

  it('begins no job that it claims while it stops, and leaves it to others at once', async () => {
    const { database } = store;
    const [id = ''] = await queue();
    let begun = 0;
    let stopped: Promise<void> | undefined;
    database.on('query', ({ sql }: Knex.Sql) => {
      if (sql.includes(' group by ')) stopped ??= loop?.stop();
    });
    start({
      work() {
        begun++;
        return Promise.resolve(null);
      },
    });
    await eventually(() => stopped !== undefined);
    await stopped;
    expect(begun).to.equal(0);
    expect((await secondsLeft(id)).seconds).to.be.at.most(0);
  });

  it('gives tenants the same time, not the same number of jobs', async () => {
    const tenantId = await buildTenant(store);
    const slow = [await buildWorkspace(store, tenantId), await buildWorkspace(store, tenantId)];
    for (const each of slow) await queue(40, each);
    await queue(40);
    const spent = { slow: 0, quick: 0 };
    const done = { slow: 0, quick: 0 };
    start({
      async work(job) {
        const name = slow.includes(job.workspaceId) ? 'slow' : 'quick';
        const began = performance.now();
        await new Promise((resolve) => setTimeout(resolve, name === 'slow' ? 150 : 5));
        spent[name] += performance.now() - began;
        done[name]++;
        return null;
      },
    });
    await eventually(() => done.quick === 40);
    expect(done.slow).to.be.below(20);
    expect(spent.slow).to.be.below(spent.quick * 4);
  });

  it('does a job of one tenant within a few of the many of another', async () => {
    const tenantId = await buildTenant(store);
    for (let made = 0; made < 3; made++) await queue(330, await buildWorkspace(store, tenantId));
    const order: string[] = [];
    start({
      work(job) {
        order.push(job.workspaceId);
        return Promise.resolve(null);
      },
    });
    await eventually(() => order.length > 10);
    const before = order.length;
    await queue(1);
    await eventually(() => order.includes(workspaceId));
    // As many as are worked on until the list of those with something due is read again.
    expect(order.indexOf(workspaceId) - before).to.be.below(900);
    expect(await jobsLeft(store.database, 'replay')).to.be.above(0);
  });

  it('has jobs that come no further wait ever longer, and ends them with a reason for their owner', async () => {
    const reasons: string[] = [];
    const attempts: number[] = [];
    const [id = ''] = await queue();
    start({
      work(job) {
        attempts.push(job.attempts);
        return Promise.reject(new Problem('overloaded', 'Nothing was run.'));
      },
      fail: (_, reason) => Promise.resolve(void reasons.push(reason)),
    });
    await eventually(() => attempts.length === 1);
    await eventually(async () => (await secondsLeft(id)).reason === 'Nothing was run.');
    await untilAllAreOver();
    expect(attempts).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(reasons).to.deep.equal(['It came no further in 6 attempts: Nothing was run.']);
  });

  it('ends a job at once that cannot go on, and keeps one that has no end', async () => {
    const reasons: string[] = [];
    await queue();
    start({
      work: () => Promise.reject(new JobFailed('It is gone.')),
      fail: (_, reason) => Promise.resolve(void reasons.push(reason)),
    });
    await untilAllAreOver();
    expect(reasons).to.deep.equal(['It is gone.']);
    await loop?.stop();
    await queue();
    let tried = 0;
    start({ work: () => Promise.reject(new Error(`attempt ${++tried}`)) });
    await eventually(async () => {
      await makeDue(store.database, 'replay');
      loop?.wake();
      return tried > 8;
    });
    expect(await jobsLeft(store.database, 'replay')).to.equal(1);
  });

  it('ends a job that ends its process each time, and tells why nobody knows', async () => {
    const reasons: string[] = [];
    const [id = ''] = await queue();
    const leases: number[] = [];
    for (let died = 0; died < 6; died++) {
      await claimed(store.database, 'replay', id, 1000);
      leases.push((await secondsLeft(id)).seconds);
    }
    expect(leases).to.deep.equal([1, 2, 4, 8, 16, 32]);
    start({
      work: () => Promise.reject(new Error('it is not worked on')),
      fail: (_, reason) => Promise.resolve(void reasons.push(reason)),
    });
    await untilAllAreOver();
    expect(reasons).to.deep.equal(['It came no further in 6 attempts, for reasons that the log of the server tells']);
  });

  it('tells work whose lease another process has that it is gone, and writes nothing of it', async () => {
    const [id = ''] = await queue();
    let isGone = false;
    let isBegun = false;
    start({
      leaseMs: 60,
      work: (_, gone) =>
        new Promise((resolve) => {
          isBegun = true;
          gone.addEventListener('abort', () => {
            isGone = true;
            resolve(null);
          });
        }),
    });
    await eventually(() => isBegun);
    await claimed(store.database, 'replay', id);
    await eventually(() => isGone);
    await loop?.stop();
    expect(await jobsLeft(store.database, 'replay')).to.equal(1);
  });
});

describe('a job that is given back', () => {
  let store: Store;
  let job: Job;
  beforeEach(async () => {
    store = await openScratchStore();
    const workspaceId = await buildWorkspace(store);
    await queueJobs(store.database, [{ kind: 'replay', workspaceId, id: newId() }]);
    [job] = (await claim()) as [Job];
  });
  afterEach(() => store.close());
  const claim = (): Promise<Job[]> =>
    new JobTurns(store.database, ['replay'], ownerOverKinds).claim({ leaseMs: 60_000, room: () => 1 });

  it('is given back for good: a renewal that comes late changes nothing', async () => {
    const { database } = store;
    expect(await renewJob(database, job, 60_000)).to.equal(true);
    expect(await claim()).to.deep.equal([]);
    for (const end of [{ kind: 'interrupted' }, { kind: 'again', afterMs: 0 }] as const) {
      await settleJob(database, job, end);
      expect(await renewJob(database, job, 60_000)).to.equal(false);
      [job] = (await claim()) as [Job];
      expect(job.attempts).to.equal(1);
    }
  });

  it('is due after a while that doubles with each attempt, up to a minute', async () => {
    const delays: number[] = [];
    for (const attempts of [0, 1, 2, 5, 6, 40]) {
      await store.database.transaction(async (transaction) => {
        await transaction.raw('SET timestamp = 1800000000');
        await transaction('jobs').update({ attempts, fence: job.fence });
        await settleJob(transaction, job, { kind: 'postponed', reason: 'r'.repeat(2000) });
        const left = transaction.raw('TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), due_at) AS delay');
        const [row] = await transaction('jobs').select<{ delay: number; reason: string }[]>(left, 'reason');
        await transaction.raw('SET timestamp = DEFAULT');
        expect(row?.reason).to.equal('r'.repeat(1000));
        delays.push(row?.delay ?? NaN);
      });
    }
    expect(delays).to.deep.equal([1, 2, 4, 32, 60, 60]);
  });
});
