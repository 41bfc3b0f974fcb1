import { expect } from 'chai';
import { someThread } from '../../../support/pools.js';
import { buildRunQueue } from '../../../support/runQueues.js';

const usual = { low: false };
const thread = someThread();

function queueOf(changes: Parameters<typeof buildRunQueue>[1] = {}) {
  const built = buildRunQueue(thread, changes);
  const { queue, accounts, runOf, begin } = built;
  const wait = (workspaceId: string, programId?: string): void => queue.push(runOf(workspaceId, programId));
  const ran = (workspaceId: string, ms: number, programId?: string): void =>
    accounts.learn(runOf(workspaceId, programId).pace, ms, ms);
  const check = (workspaceId: string): string | undefined => queue.refusalOf(runOf(workspaceId))?.message;
  const next = (): string[] =>
    queue
      .next(usual)
      .map(
        ({ account, request }) => `${account.owner.workspaceId} ${'programId' in request ? request.programId : 'work'}`,
      );
  /** Has a thread held by such a run, for as long as nothing releases it. */
  const hold = (workspaceId: string, programId?: string) => begin(runOf(workspaceId, programId));
  return { ...built, wait, ran, check, next, hold };
}

describe('RunQueue', () => {
  after(() => thread.end());

  it('lets a run have the thread that is kept from the slow workspaces, however many of theirs wait', () => {
    const { accounts, threads, wait, check, next, hold } = queueOf({ maxQueue: 2 });
    accounts.charge(accounts.of('slow'), 1000, 0);
    hold('slow');
    threads.idle = 1;
    for (let run = 0; run < 3; run++) wait('slow');
    expect(next()).to.deep.equal([]);
    expect(check('quick')).to.equal(undefined);
    wait('quick');
    expect(check('slow')).to.include('Too many runs are waiting.');
    expect(next()).to.deep.equal(['quick p']);
  });

  it('is full for who has most waiting, not for another tenant, nor for another workspace of the same', () => {
    const { owners, refused, wait, check } = queueOf({ maxQueue: 6 });
    for (let workspace = 0; workspace < 60; workspace++)
      owners.learn({ tenantId: 'many', workspaceId: `w${workspace}` });
    for (let workspace = 0; workspace < 6; workspace++) wait(`w${workspace}`);
    expect(check('w7'), 'all have one').to.include('Too many runs are waiting.');
    for (let run = 0; run < 3; run++) {
      expect(check('neighbour')).to.equal(undefined);
      wait('neighbour');
    }
    expect(refused).to.have.length(3);
    expect(check('neighbour'), 'as many as the other').to.include('Too many runs are waiting.');
    expect(check('other')).to.equal(undefined);
  });

  it('refuses what has waited for too long, of every workspace', () => {
    const { queue, clock, refused, wait, next } = queueOf();
    for (const workspace of ['a', 'b']) wait(workspace);
    clock.ms = 1;
    for (const workspace of ['a', 'b']) wait(workspace);
    queue.expire(2000);
    expect(refused).to.deep.equal([]);
    queue.expire(2001);
    expect(refused).to.have.members(['a', 'b']);
    expect([queue.waiting, next(), next()]).to.deep.equal([2, ['a p'], ['b p']]);
  });

  it('does not judge a program by its first run alone, which compiled it', () => {
    const { wait, ran, check } = queueOf();
    for (let run = 0; run < 50; run++) ran('other', 1);
    ran('new', 100);
    for (let run = 0; run < 60; run++) wait('new');
    expect(check('new')).to.equal(undefined);
  });

  it('takes a quick first run at its word, whatever others took before it', () => {
    const { wait, ran, check } = queueOf();
    for (let run = 0; run < 50; run++) ran('slow', 150);
    ran('quick', 1);
    for (let run = 0; run < 60; run++) wait('quick');
    expect(check('quick')).to.equal(undefined);
  });

  it('knows a program by its own runs after a few', () => {
    const { wait, ran, check } = queueOf();
    for (let run = 0; run < 50; run++) ran('other', 1);
    for (let run = 0; run < 5; run++) ran('long', 1000);
    for (let run = 0; run < 20; run++) wait('long');
    expect(check('long')).to.include('The expected wait is too long.');
    expect(check('other')).to.equal(undefined);
  });

  it('does not expect of a workspace’s quick program what its long one takes', () => {
    const { wait, ran, check } = queueOf();
    for (let run = 0; run < 5; run++) {
      ran('both', 1, 'p');
      ran('both', 3000, 'long');
    }
    for (let run = 0; run < 50; run++) wait('both', 'p');
    expect(check('both')).to.equal(undefined);
  });

  for (const [each, ms, taken] of [
    ['quick', 0.02, 12],
    ['slower', 0.1, 6],
  ] as const) {
    it(`shares ${each} runs between idle threads ${taken === 12 ? 'only when there is work for half a millisecond' : 'evenly'}`, () => {
      const { threads, wait, ran, next } = queueOf();
      threads.idle = 1;
      for (let run = 0; run < 50; run++) ran('one', ms);
      for (let run = 0; run < 12; run++) wait('one');
      expect(next()).to.have.length(taken);
    });
  }

  it('has a short run wait for the thread that is at a short turn of its workspace, while that is little work', () => {
    const { queue, runOf, wait, ran, hold } = queueOf();
    const joins = (workspaceId: string, programId?: string): boolean => queue.joins(runOf(workspaceId, programId));
    for (let run = 0; run < 50; run++) for (const workspaceId of ['one', 'other']) ran(workspaceId, 0.1);
    expect(joins('one'), 'nothing is under way').to.equal(false);
    const turn = hold('one');
    for (let run = 0; run < 4; run++) {
      expect(joins('one')).to.equal(true);
      wait('one');
    }
    expect(joins('other'), 'another workspace').to.equal(false);
    expect(joins('one', 'unknown'), 'a program that may be long').to.equal(false);
    wait('one');
    expect(joins('one'), 'work for half a millisecond waits').to.equal(false);
    queue.next(usual);
    expect(joins('one')).to.equal(true);
    queue.release(turn, 0, 0);
    hold('one', 'unknown');
    expect(joins('one'), 'a turn that may be long').to.equal(false);
  });

  it('lets quick runs overtake those of their workspace that may hold a thread for long, once it has its share', () => {
    const { wait, ran, next, hold } = queueOf();
    for (let run = 0; run < 5; run++) ran('w', 1, 'quick');
    for (let run = 0; run < 2; run++) hold('w', 'long');
    wait('w', 'long');
    wait('w', 'quick');
    wait('other', 'unknown');
    expect([next(), next(), next()]).to.deep.equal([['w quick'], ['other unknown'], []]);
  });

  it('leaves the last of all threads that there may be to quick runs', () => {
    const { wait, ran, next, hold } = queueOf();
    for (let run = 0; run < 5; run++) ran('w', 1, 'quick');
    for (const workspace of ['a', 'b', 'c', 'd']) hold(workspace, 'unknown');
    wait('w', 'unknown');
    wait('w', 'quick');
    expect([next(), next()]).to.deep.equal([['w quick'], []]);
  });

  it('keeps a thread that serves for quick runs while they come, and asks for another in its stead', () => {
    const { queue, threads, wait, ran, next, hold } = queueOf();
    for (let run = 0; run < 5; run++) ran('w', 1, 'quick');
    queue.release(hold('w', 'quick'), 0, 0);
    hold('a', 'unknown');
    wait('b', 'unknown');
    expect(next()).to.deep.equal([]);
    expect(queue.overflow(0)).to.equal(1);
    wait('w', 'quick');
    expect(next()).to.deep.equal(['w quick']);
    threads.serving = 3;
    expect(next()).to.deep.equal(['b unknown']);
  });

  it('gives all threads to runs that may be long while no quick ones come', () => {
    const { queue, wait, next, hold } = queueOf();
    hold('a', 'unknown');
    wait('b', 'unknown');
    expect(queue.overflow(0)).to.equal(0);
    expect(next()).to.deep.equal(['b unknown']);
  });

  it('knows a quick run by what it took on its thread, however long its answer waited for a busy main thread', () => {
    const { accounts, wait, runOf, next, hold } = queueOf();
    for (let run = 0; run < 5; run++) accounts.learn(runOf('w', 'quick').pace, 1000, 1);
    for (const workspace of ['a', 'b', 'c', 'd']) hold(workspace, 'unknown');
    wait('w', 'quick');
    expect(next()).to.deep.equal(['w quick']);
  });

  it('gives slow workspaces their turns one after the other', () => {
    const { queue, accounts, threads, wait, next, hold } = queueOf();
    threads.serving = 3;
    for (const workspace of ['a', 'b', 'c']) {
      accounts.charge(accounts.of(workspace), 1000, 0);
      for (let run = 0; run < 2; run++) wait(workspace);
    }
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      turns.push(...next());
      const holding = hold('a');
      expect(next(), 'while one of them has the thread').to.deep.equal([]);
      queue.release(holding, 0, 0);
    }
    expect(turns).to.deep.equal(['a p', 'b p', 'c p', 'a p']);
  });

  describe('a workspace', () => {
    const lookedAt = (heldMs: number, computedMs: number) => {
      const { queue, accounts, hold } = queueOf();
      const holding = hold('w');
      queue.look(holding, computedMs, heldMs);
      const during = accounts.of('w').slow;
      queue.release(holding, computedMs, heldMs);
      return { accounts, account: accounts.of('w'), during };
    };

    it('is not slow by runs that wait, however long', () => {
      const { account, during } = lookedAt(3000, 20);
      expect([during, account.slow]).to.deep.equal([false, false]);
    });

    it('is slow by a run that computes for long, and for as long afterwards', () => {
      const { accounts, account, during } = lookedAt(300, 250);
      expect([during, account.slow]).to.deep.equal([true, true]);
      accounts.settle(549);
      expect(account.slow).to.equal(true);
      accounts.settle(550);
      expect(account.slow).to.equal(false);
    });

    it('owes what all its slow runs computed', () => {
      const { accounts } = lookedAt(300, 250);
      accounts.charge(accounts.of('w'), 5000, 300);
      accounts.settle(5500);
      expect(accounts.of('w').slow).to.equal(true);
      accounts.settle(5550);
      expect(accounts.of('w').slow).to.equal(false);
    });
  });
});
