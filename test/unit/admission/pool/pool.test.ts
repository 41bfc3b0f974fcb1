import { expect } from 'chai';
import { Problem } from '../../../../src/errors.js';
import { HandClock } from '../../../support/handClock.js';
import { bootPool, closePools, endOfTurn, give, hold, type Ordered } from '../../../support/pools.js';
import { eventually } from '../../../support/eventually.js';

async function refusalOf(run: Promise<unknown>): Promise<Problem> {
  try {
    await run;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Of the run that occupies the only thread, so that what comes next waits. */
const holder = { workspace: 'holder' };

describe('Pool: turns and refusals', () => {
  afterEach(closePools);

  it('refuses at once what does not fit the queue, and runs the rest', async () => {
    const pool = await bootPool({ poolMaxQueue: 2 });
    const { run, release } = await hold(pool, holder);
    const waiting = [1, 2].map(() => give(pool, { do: 'answer' }));
    const refusal = await refusalOf(give(pool, { do: 'answer' }));
    expect(refusal).to.include({ code: 'overloaded', status: 503 });
    expect(refusal.options.retryAfter).to.be.within(1, 60);
    release();
    await Promise.all([run, ...waiting]);
    expect(pool.status()).to.include({ served: 3, rejected: 1, waiting: 0 });
  });

  it('lets nothing wait with a queue of none, and still uses its threads', async () => {
    const pool = await bootPool({ poolMaxQueue: 0 });
    const { run, release } = await hold(pool, holder);
    await refusalOf(give(pool, { do: 'answer' }));
    release();
    await run;
    await give(pool, { do: 'answer' });
  });

  it('keeps a workspace to its share of the queue', async () => {
    const pool = await bootPool({ poolMaxQueuePerWorkspace: 2 });
    const { run, release } = await hold(pool, holder);
    const waiting = [1, 2].map(() => give(pool, { do: 'answer' }, { workspace: 'greedy' }));
    await refusalOf(give(pool, { do: 'answer' }, { workspace: 'greedy' }));
    const other = give(pool, { do: 'answer' }, { workspace: 'other' });
    release();
    await Promise.all([run, ...waiting, other]);
  });

  it('refuses at once when the expected wait is too long, by what runs took', async () => {
    const pool = await bootPool({ poolMaxWaitMs: 500 });
    for (let nth = 0; nth < 3; nth++) await give(pool, { do: 'compute', ms: 100 });
    const { run, release } = await hold(pool, holder);
    const flood = Array.from({ length: 40 }, () => give(pool, { do: 'sleep', ms: 1 }, { workspace: 'flood' }));
    const settled = Promise.allSettled(flood);
    const other = give(pool, { do: 'answer' }, { workspace: 'other' });
    release();
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    await Promise.all([run, other]);
    // About five of 100 ms fit into 500 ms, and fewer where a busy machine takes longer for each.
    expect(refused.length).to.be.at.least(25);
  });

  it('refuses a run that has really waited too long', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ poolMaxWaitMs: 150, clock });
    const { run, release } = await hold(pool, holder);
    const refused: string[] = [];
    const note = async (name: string): Promise<void> => {
      expect((await refusalOf(give(pool, { do: 'answer' }))).code).to.equal('overloaded');
      refused.push(name);
    };
    const first = note('first');
    clock.ms = 11;
    const second = note('second');
    clock.ms = 151;
    await first;
    expect(refused, 'the other one has waited for 140 ms').to.deep.equal(['first']);
    clock.ms = 162;
    await second;
    release();
    await run;
    expect(pool.status().served).to.equal(1);
  });

  it('does not run what its caller no longer waits for', async () => {
    const pool = await bootPool();
    const { run, release } = await hold(pool, holder);
    let gone = false;
    const left = refusalOf(give(pool, { do: 'heapBomb' }, { gone: () => gone }));
    const stayed = give(pool, { do: 'answer' });
    gone = true;
    release();
    expect((await left).code).to.equal('overloaded');
    await Promise.all([run, stayed]);
    expect(pool.status()).to.include({ served: 2, restarts: 0 });
  });

  it('gives the places of callers that went away to others', async () => {
    const pool = await bootPool({ poolMaxQueue: 2 });
    const { run, release } = await hold(pool, holder);
    const left = [1, 2].map(() => refusalOf(give(pool, { do: 'answer' }, { gone: () => true })));
    await eventually(() => pool.status().waiting === 0);
    const stayed = [1, 2].map(() => give(pool, { do: 'answer' }));
    release();
    await Promise.all([run, ...left, ...stayed]);
  });
});

/** What is fetched arrives when the test says so. */
function delivery(): { readonly arrived: Promise<void>; readonly arrive: () => void } {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return { arrived, arrive: () => arrive() };
}

describe('Pool: what a thread lacks', () => {
  afterEach(closePools);

  const lacking = (asked: string[], arrived = Promise.resolve()): Ordered => ({
    programId: 'cold program',
    configurationId: 'cold configuration',
    async provide({ program, configuration }) {
      await arrived;
      asked.push(`${String(program)} ${String(configuration)}`);
      return { ...(program ? { bundle: '{}' } : {}), ...(configuration ? { configuration: '{}' } : {}) };
    },
  });

  it('lets others run while it is fetched, and then goes first', async () => {
    const pool = await bootPool();
    const ended: string[] = [];
    const note = async (name: string, run: Promise<unknown>): Promise<void> => void (await run, ended.push(name));
    const { arrived, arrive } = delivery();
    const cold = note('cold', give(pool, { do: 'answer' }, lacking([], arrived)));
    // It has the thread while the other is fetched.
    const { run, release } = await hold(pool);
    const runs = [note('warm1', run), ...[2, 3, 4].map((n) => note(`warm${n}`, give(pool, { do: 'sleep', ms: 1 })))];
    arrive();
    await endOfTurn();
    release();
    await Promise.all([cold, ...runs]);
    expect(ended.indexOf('cold')).to.be.within(1, 2);
  });

  it('holds a place in the queue while it is fetched', async () => {
    const pool = await bootPool({ poolMaxQueue: 1 });
    const { arrived, arrive } = delivery();
    const cold = [1, 2].map(() => give(pool, { do: 'answer' }, lacking([], arrived)));
    await endOfTurn();
    await eventually(() => pool.status().busy === 0);
    expect(pool.status()).to.include({ busy: 0, waiting: 2 });
    await refusalOf(give(pool, { do: 'answer' }));
    arrive();
    await Promise.all(cold);
  });

  it('fails the run, and nothing else, when it cannot be fetched', async () => {
    const pool = await bootPool();
    const problem = new Problem('dependency_unavailable', 'No database.');
    const failing = { programId: 'cold', provide: () => Promise.reject(problem) };
    expect(await refusalOf(give(pool, { do: 'answer' }, failing))).to.equal(problem);
    await give(pool, { do: 'answer' });
    expect(pool.status()).to.include({ busy: 0, waiting: 0, served: 1 });
  });

  it('is not asked for for ever', async () => {
    const pool = await bootPool();
    const useless = { programId: 'cold', provide: () => Promise.resolve({}) };
    const outcome = await give(pool, { do: 'answer' }, useless).catch((error: unknown) => error);
    expect(outcome).to.be.an('error').and.not.instanceOf(Problem);
    await give(pool, { do: 'answer' });
  });
});
