import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { handler, longTimeoutMs } from '../../../support/sandbox.js';
import type { SandboxWork } from '../../../support/sandbox-worker.js';

/** A worker as the pool makes them, on a function of the tenant's. */
function worker(source: string, timeoutMs = longTimeoutMs): Worker {
  return new Worker(new URL('../../../support/sandbox-worker.js', import.meta.url), {
    workerData: { source, timeoutMs } satisfies SandboxWork,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 },
  });
}

/** Gives its messages one by one; `once` would lose the second of two that come in one turn of the event loop. */
function messagesOf(source: Worker): () => Promise<unknown> {
  const messages = on(source, 'message');
  return async () => ((await messages.next()).value as unknown[])[0];
}

const tick = (milliseconds: number): Promise<'nothing'> =>
  new Promise((resolve) => setTimeout(() => resolve('nothing'), milliseconds));

describe('function nodes in a worker thread', () => {
  for (const [what, body] of Object.entries({
    sort: '[].sort.call({ length: 2 ** 32 - 1 })',
    indexOf: '[].indexOf.call({ length: 2 ** 31 }, 1)',
    reverse: '[].reverse.call({ length: 2 ** 40 })',
  })) {
    it(`${what} of a huge length cannot be interrupted, but the worker can be ended and the process lives`, async () => {
      const thread = worker(handler(body), 100);
      const next = messagesOf(thread);
      expect(await next()).to.equal('ready');
      expect(await Promise.race([next(), tick(500)])).to.equal('nothing');
      expect(await thread.terminate()).to.equal(1);
    });
  }

  it('deep recursion meets QuickJS’s limit before the thread’s', async () => {
    for (const body of ['const f = () => 1 + f(); return f()', 'const f = () => [2, 1].sort(f); return f()']) {
      const thread = worker(handler(body));
      const next = messagesOf(thread);
      await next();
      expect(await next())
        .to.have.nested.property('diagnostic.message')
        .that.matches(/stack overflow/);
      await thread.terminate();
    }
  });

  it('a heap bomb ends the run and neither the worker nor the process', async () => {
    const thread = worker(handler('const a = []; for (;;) a.push(new Array(1000).fill(7))'));
    const next = messagesOf(thread);
    await next();
    expect(await next())
      .to.have.nested.property('diagnostic.code')
      .that.is.oneOf(['limit_memory', 'timeout']);
    const [code] = (await once(thread, 'exit')) as unknown[];
    expect(code).to.equal(0);
  });

  it('leave no timer in the thread, which therefore ends by itself', async () => {
    const thread = worker(handler('console.sleep(250); return 1'));
    const messages: unknown[] = [];
    thread.on('message', (message: unknown) => messages.push(message));
    expect(await once(thread, 'exit')).to.deep.equal([0]);
    expect(messages).to.deep.equal(['ready', { ok: true, output: 1, log: [] }, 0]);
  });
});
