import { setFlagsFromString } from 'node:v8';
import { setEnvironmentData } from 'node:worker_threads';
import { expect } from 'chai';
import { Threads } from '../../../../src/admission/pool/threads.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { eventually } from '../../../support/eventually.js';

/** Threads that nobody has anything for; what is logged of them goes into `logged`. */
async function threadsOf(
  settings: { minThreads: number; maxThreads: number },
  { logged = [], worker = 'moody', maxHeapMb = 64 }: { logged?: unknown[]; worker?: string; maxHeapMb?: number } = {},
): Promise<Threads> {
  const threads = new Threads({
    worker: new URL(`../../../support/workers/${worker}.js`, import.meta.url),
    maxHeapMb,
    limits: defaultRunLimits,
    settings,
    onReady: () => undefined,
    onReplace: () => undefined,
    log: { error: (...line: unknown[]) => void logged.push(line) },
  });
  await threads.ready();
  return threads;
}

describe('Threads', () => {
  afterEach(() => setEnvironmentData('stillborn', undefined));

  it('tries again to have the overflow thread, when it died before it was ready', async () => {
    const logged: unknown[] = [];
    const threads = await threadsOf({ minThreads: 1, maxThreads: 1 }, { logged });
    setEnvironmentData('stillborn', true);
    threads.overflow = 1;
    await eventually(() => logged.length > 0);
    setEnvironmentData('stillborn', undefined);
    await eventually(() => threads.serving === 2);
    expect(threads.serving).to.equal(2);
    await threads.close();
  });

  for (const heapMb of [32, 64, 128]) {
    it(`have a heap of their own size, ${heapMb} MB, however much room the process was started with`, async () => {
      // As on the command line. With that much in use for young objects V8 took a thread's heap for full, after some
      // 70,000 runs, and collected without end; with a heap of 32 MB it did so from the start.
      setFlagsFromString('--max-semi-space-size=64');
      const threads = await threadsOf({ minThreads: 1, maxThreads: 1 }, { worker: 'heap', maxHeapMb: heapMb });
      const task = {
        programId: 'p',
        workspaceId: 'w',
        configurationId: '',
        body: '{}',
        timeoutMs: 1000,
        traced: false,
        clock: 0,
        seed: 0,
      };
      const answer = await threads.idleThreads({ low: false })[0]?.run([task]);
      const [reply] = answer?.replies ?? [];
      const bytes = Number(reply !== undefined && 'kind' in reply && reply.kind === 'done' ? reply.result : NaN);
      // For young objects a quarter, which V8 makes up to half as large again.
      expect(bytes / 2 ** 20).to.be.within(heapMb, heapMb * 1.375);
      await threads.close();
    });
  }

  it('keeps none too many that was reserved for a run once, and is idle', async () => {
    const settings = { minThreads: 1, maxThreads: 1 };
    const threads = await threadsOf(settings);
    const [first] = threads.idleThreads({ low: false });
    const reserved = first === undefined ? null : threads.replace(first, { reserved: true });
    expect(await reserved?.started).to.equal(true);
    if (reserved !== null && threads.keeps(reserved)) reserved.state = 'idle';
    Object.assign(settings, { minThreads: 2, maxThreads: 2 });
    threads.resize();
    await threads.ready();
    expect(threads.idle).to.equal(2);
    Object.assign(settings, { minThreads: 1, maxThreads: 1 });
    threads.resize();
    expect([threads.idle, threads.size]).to.deep.equal([1, 1]);
    await threads.close();
  });
});
