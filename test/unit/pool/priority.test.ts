import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Thread } from '../../../src/pool/thread.js';
import { Threads } from '../../../src/pool/threads.js';
import { defaultRunLimits, type RunTask } from '../../../workers/protocol.js';
import { chain, expressions, taskOf } from '../../support/tasks.js';

/** Threads of this process at the lowest priority (proc(5): the 19th field of stat is the nice value). */
function lowThreads(): number {
  const nices = readdirSync('/proc/self/task').map((id) =>
    Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
  );
  return nices.filter((nice) => nice === 19).length;
}

/** CAP_SYS_NICE (capabilities(7)). */
const mayComeBack = (): boolean => {
  const effective = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${effective}`) & (1n << 23n)) !== 0n;
};

const task: RunTask = taskOf(chain(expressions({ a: '1' })), { fact: { text: 'x' } });
const heavy = { heavy: true };
const light = { heavy: false };

describe('the priority of threads', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('comes back after a heavy workspace, or is known not to: it stayed low for everybody', async () => {
    const worker = new URL('../../../workers/run.js', import.meta.url);
    const options = { worker, maxHeapMb: 64, limits: defaultRunLimits, reserved: false, onDeath: () => undefined };
    const thread = new Thread(options);
    await thread.started;
    await thread.run([task], light);
    const before = lowThreads();
    await thread.run([task], heavy);
    expect(lowThreads()).to.equal(before + 1);
    await thread.run([task], light);
    expect({ low: lowThreads() - before, isStuckLow: thread.isStuckLow }).to.deep.equal(
      mayComeBack() ? { low: 0, isStuckLow: false } : { low: 1, isStuckLow: true },
    );
    await thread.end();
  });

  describe('where it can’t come back', () => {
    let threads: Threads;
    let waiting = 0;
    const start = async (count: number): Promise<void> => {
      threads = new Threads({
        worker: new URL('../../support/workers/low.js', import.meta.url),
        maxHeapMb: 64,
        limits: defaultRunLimits,
        min: count,
        max: count,
        offer: () => waiting-- > 0,
        onReplace: () => undefined,
        log: { error: () => undefined },
      });
      await threads.ready();
    };
    /** One heavy run and a light one on the thread that is next; gives that thread. */
    const spoil = async (): Promise<Thread> => {
      const thread = threads.take() ?? expect.fail('no thread is idle');
      for (const each of [heavy, light]) await thread.run([task], each);
      expect(thread.isStuckLow).to.equal(true);
      return thread;
    };
    beforeEach(() => {
      waiting = 0;
    });
    afterEach(() => threads.close());

    it('the thread is replaced, one after the other, once no workspace is heavy', async () => {
      await start(2);
      threads.spare = true;
      await threads.ready();
      const [first, second] = [await spoil(), await spoil()];
      for (const thread of [first, second]) threads.release(thread);
      expect([...threads]).to.include.members([first, second]);
      threads.spare = false;
      expect([...threads]).to.have.length(2);
      const left = [first, second].filter((thread) => [...threads].includes(thread));
      expect(left).to.have.length(1);
      const taken = left.map(() => threads.take());
      for (const thread of [...taken, threads.take()]) if (thread !== undefined) threads.release(thread);
      await threads.ready();
      expect([...threads].filter(({ isStuckLow }) => isStuckLow)).to.deep.equal([]);
      expect(threads.serving).to.equal(2);
    });

    it('the only thread serves on while anything waits, and is replaced when nothing does', async () => {
      await start(1);
      const only = await spoil();
      waiting = 1;
      expect(threads.release(only)).to.equal(true);
      expect([...threads]).to.deep.equal([only]);
      threads.release(only);
      expect([...threads]).to.not.include(only);
      await threads.ready();
      expect(threads.serving).to.equal(1);
    });
  });
});
