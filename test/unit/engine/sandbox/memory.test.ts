import { expect } from 'chai';
import { RunClock } from '../../../../workers/engine/clock.js';
import { createSandbox } from '../../../../workers/engine/sandbox/sandbox.js';
import { EngineError } from '../../../../workers/engine/errors.js';
import { readGuest } from '../../../../workers/engine/sandbox/guests.js';
import { isLong } from '../../../support/environment.js';
import { functionCall, handler, longTimeoutMs, sandboxFixture } from '../../../support/sandbox.js';
import { watched, type WatchedReply } from '../../../support/watched.js';

const memoryBombs: Readonly<Record<string, string>> = {
  'growing arrays': 'const a = []; for (;;) a.push(new Array(1000).fill(7))',
  'one large array': 'new Array(1e8).fill(0); return 1',
  'distinct strings': 'const a = []; for (let i = 0; ; i++) a.push(String(i).repeat(1000))',
  buffers: 'const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))',
  'one large buffer': 'return new Uint8Array(2 ** 30).length',
  'a growing map': 'const m = new Map(); for (let i = 0; ; i++) m.set({}, i)',
  'a long split': 'return "x".repeat(1e7).split("").length',
  promises: 'const a = []; for (;;) a.push(new Promise(() => {}))',
  'a large number': 'let n = 3n; for (;;) n *= n',
  closures: 'let f = () => 0; for (;;) { const g = f; f = () => g }',
};

/** Takes most of a run's memory; what each piece costs beside its bytes is more the smaller they are. */
const fill = (megabytes: number, grain: number): string =>
  `const keep = []; for (let i = 0; i < ${Math.floor((megabytes << 20) / grain)}; i++) keep.push(new ArrayBuffer(${grain}));`;

/** What a function may do in a heap that is nearly full; each ends for want of memory, on one side or the other. */
const uses: Readonly<Record<string, string>> = {
  'texts of the host': `for (;;) keep.push(zen.evaluateExpression('1'))`,
  'large answers, caught': `for (;;) { try { keep.push(zen.evaluateExpression('1')) } catch {} }`,
  nodes: 'for (;;) keep.push(input.$nodes.large)',
  'numbers of the host': 'for (;;) keep.push([Math.random(), new ArrayBuffer(500)])',
  'log lines': `for (;;) keep.push([console.log('x'), new ArrayBuffer(500)])`,
  'modules that are not there': `for (;;) { try { keep.push(import('m' + keep.length)) } catch {} }`,
  'answers that come late': 'for (;;) { keep.push(new ArrayBuffer(1 << 16)); await console.sleep(0) }',
};

describe('memory of function nodes', () => {
  const { fault: diagnostic, output } = sandboxFixture();

  for (const [what, body] of Object.entries(memoryBombs)) {
    it(`stops ${what}, and the next run is none the worse`, async () => {
      const found = await diagnostic(handler(body));
      // QuickJS refuses some sizes as such before it tries to allocate them.
      if (found.code === 'function_failed') expect(found.message).to.match(/too long|too large|invalid|length/i);
      else expect(found.code).to.equal('limit_memory');
      expect(await output(handler('return 1'))).to.equal(1);
    });
  }

  it('is a limit of the run, and none that a function may catch', async () => {
    const body = 'try { const a = []; for (;;) a.push(new ArrayBuffer(1 << 20)) } catch { return 1 }';
    expect((await diagnostic(handler(body))).code).to.equal('limit_memory');
    expect(await output(handler('return 1'))).to.equal(1);
  });

  it('refuses an input that would not fit', async () => {
    expect((await diagnostic(handler('return 1'), { input: 'x'.repeat(9 * 1024 * 1024) })).code).to.equal(
      'limit_memory',
    );
  });

  describe('is no way to corrupt the guest, or to make the host speak', () => {
    const sizes = [fill(42, 1 << 20), fill(38, 1 << 12), fill(22, 256)];
    /** In the short form each use meets one of the sizes, in turn. */
    const sizesOf = (at: number): readonly string[] => (isLong ? sizes : sizes.slice(at % 3, (at % 3) + 1));
    let replies: readonly WatchedReply[][];
    before(async () => {
      const sources = Object.values(uses).map((use, at) =>
        sizesOf(at).map((filled) => handler(`${filled} ${use}`, `import zen from 'zen';`)),
      );
      // In one thread, since each takes long to start.
      const all = await watched({
        cases: sources.flat().map((source) => ({ source, timeoutMs: longTimeoutMs })),
        clock: 'real',
      });
      replies = sources.map(({ length }) => all.splice(0, length));
    });

    for (const [index, what] of Object.keys(uses).entries()) {
      it(what, () => {
        const expected = { code: 'limit_memory', next: 1, reported: [] };
        expect(replies[index]).to.deep.equal(sizesOf(index).map(() => expected));
      });
    }
  });

  // QuickJS freed a shape that was in no hash table any more, and looked for it for ever (bellard/quickjs#529).
  it('ends, at whichever moment the deadline falls in a heap that is full', async () => {
    const fills = [1 << 20, 1 << 16].map((size) => `try { for (;;) keep.push(new ArrayBuffer(${size})) } catch {}`);
    const tail = `try { for (;;) keep.push('x'.repeat(63) + keep.length) } catch {}
      for (;;) { try { zen.evaluateExpression('1') } catch {} keep.pop() }`;
    const source = handler(`const keep = []; ${fills.join(' ')} ${tail}`, `import zen from 'zen';`);
    const deadlines = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const replies = await watched({ cases: deadlines.map((timeoutMs) => ({ source, timeoutMs })), clock: 'looks' });
    expect(replies).to.have.length(deadlines.length);
    for (const { code, ...rest } of replies) {
      expect(code).to.be.oneOf(['timeout', 'limit_memory']);
      expect(rest).to.deep.equal({ next: 1, reported: [] });
    }
  });
});

describe('a sandbox whose bundles were not built', () => {
  it('says so at every call, and leaves no rejection that nobody handles', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const sandbox = createSandbox(undefined, () => readGuest(new URL('file:///nowhere/')));
    const options = {
      clock: new RunClock(0, performance.now()),
      random: () => 0,
      zen: { evaluateExpression: () => 1, evaluateUnaryExpression: () => true },
    };
    for (let time = 0; time < 2; time += 1) {
      const run = sandbox.open({ ...options, deadline: Infinity });
      const error = await run.call(functionCall(handler('return 1'))).catch((reason: unknown) => reason);
      await run.dispose();
      expect(error).to.be.instanceOf(EngineError).with.property('code', 'function_unavailable');
      expect(error).to.have.property('message').that.includes('npm run build');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(unhandled).to.deep.equal([]);
  });
});
