import { expect } from 'chai';
import { functionCall, handler, sandboxFixture } from '../../../support/sandbox.js';

/** Bodies that never end by themselves; each must be stopped at the deadline. */
const endless: Readonly<Record<string, string>> = {
  'a loop': 'while (true) {}',
  'a loop that catches everything': 'for (;;) { try { for (;;) {} } catch {} }',
  'a loop in finally': 'try { for (;;) {} } finally { for (;;) {} }',
  microtasks: 'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
  'an async loop': 'for (;;) await null',
  'queued microtasks': 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
  'a generator': 'function* g() { for (;;) yield 1 } for (const x of g()) {}',
  'a regular expression': '/^(a+)+$/.test("a".repeat(40) + "b")',
  'a getter in the output': 'return { get a() { for (;;) {} } }',
  'a toJSON in a log': 'console.log({ toJSON() { for (;;) {} } })',
  'a proxy thrown': 'throw new Proxy({}, { has() { for (;;) {} } })',
  'a thenable': 'return { then() { for (;;) {} } }',
  'a sleep past the deadline': 'await console.sleep(1e9)',
  'sleeps in turn': 'for (;;) await console.sleep(1)',
  'the coercion of an argument of the host': 'console.sleep({ valueOf() { for (;;) {} } })',
};

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

describe('limits of function nodes', function () {
  this.timeout(20_000);
  const { call, fault, open, output } = sandboxFixture();

  describe('time', () => {
    for (const [what, body] of Object.entries(endless)) {
      it(`stops ${what} at the deadline`, async () => {
        const started = performance.now();
        expect((await fault(handler(body), { timeoutMs: 120 })).code).to.equal('timeout');
        expect(performance.now() - started).to.be.within(110, 1500);
      });
    }

    it('stops a module that loops while it is evaluated, or awaits at its top for ever', async () => {
      expect((await fault('for (;;) {}', { timeoutMs: 100 })).code).to.equal('timeout');
      expect((await fault('await new Promise(() => {}); export const handler = 1', { timeoutMs: 100 })).code).to.equal(
        'timeout',
      );
    });

    it('does not wait for the deadline when nothing can settle a promise any more', async () => {
      const started = performance.now();
      const found = await fault(handler('await new Promise(() => {})'), { timeoutMs: 5000 });
      expect(found.code).to.equal('timeout');
      expect(found.message).to.include('nothing will ever settle');
      expect(performance.now() - started).to.be.below(1000);
    });

    it('runs nothing once the deadline has passed, and nothing after a time-out', async () => {
      expect((await fault(handler('return 1'), { timeoutMs: -1 })).code).to.equal('timeout');
      const run = open({ timeoutMs: 100 });
      await run.call(functionCall(handler('for (;;) {}')));
      const later = await run.call(functionCall(handler('return 1')));
      await run.dispose();
      expect(later).to.deep.include({ ok: false }).and.have.nested.property('fault.code', 'timeout');
    });

    it('keeps the log of a run that it stopped', async () => {
      const reply = await call(handler('console.log("here"); for (;;) {}'), { timeoutMs: 100 });
      expect(reply.log[0]!.lines).to.deep.equal(['"here"']);
    });
  });

  describe('memory', () => {
    for (const [what, body] of Object.entries(memoryBombs)) {
      it(`stops ${what}, and the next run is none the worse`, async () => {
        const found = await fault(handler(body), { timeoutMs: 8000 });
        // QuickJS refuses some sizes as such before it tries to allocate them.
        if (found.code === 'function_failed') expect(found.message).to.match(/too long|too large|invalid|length/i);
        else expect(found.code).to.equal('limit_memory');
        expect(await output(handler('return 1'))).to.equal(1);
      });
    }

    it('lets a function catch what it could not allocate, within the run', async () => {
      const body = 'try { const a = []; for (;;) a.push(new ArrayBuffer(1 << 20)) } catch (e) { return e.message }';
      expect(await output(handler(body))).to.match(/out of memory/);
      expect(await output(handler('return 1'))).to.equal(1);
    });

    for (const grain of [1 << 20, 1 << 16, 1 << 12, 256]) {
      it(`is no way to corrupt the guest: answers of the host that find no room in a heap full of ${grain}-byte pieces`, async () => {
        const { error: report } = console;
        const reported: unknown[] = [];
        Object.assign(console, { error: (...values: unknown[]) => reported.push(values) });
        const large = 'y'.repeat(3_000_000);
        const zen = { evaluateExpression: () => large, evaluateUnaryExpression: () => true };
        const fill = `const keep = []; try { for (;;) keep.push(new ArrayBuffer(${grain})) } catch {}`;
        try {
          for (const use of ['return zen.evaluateExpression("1").length', 'return input.$nodes.large.length']) {
            const source = handler(`${fill} ${use}`, `import zen from 'zen';`);
            const options = { timeoutMs: 8000, run: { zen }, nodes: () => ({ large }) };
            expect(await fault(source, options), use).to.have.property('code', 'limit_memory');
          }
          // The guest's own lack of room is an error that it may catch; either way the host is left in peace.
          const retry = `${fill} for (let i = 0; i < 20; i++) { try { zen.evaluateExpression('1') } catch {} } return 1`;
          await call(handler(retry, `import zen from 'zen';`), { timeoutMs: 8000, run: { zen } });
          await call(handler(`${fill} console.log('x'); await console.sleep(1); return input.nope()`), {
            timeoutMs: 8000,
          });
          expect(await output(handler('return 1'))).to.equal(1);
        } finally {
          Object.assign(console, { error: report });
        }
        expect(reported).to.deep.equal([]);
      });
    }

    it('refuses an input that would not fit', async () => {
      expect((await fault(handler('return 1'), { input: 'x'.repeat(9 * 1024 * 1024) })).code).to.equal('limit_memory');
    });
  });

  describe('stack', () => {
    for (const [what, body] of Object.entries({
      recursion: 'const f = () => 1 + f(); return f()',
      'mutual recursion through sort': 'const f = () => [1, 2].sort(f); return f()',
      'recursion through toString': 'const o = { toString() { return "" + o } }; return "" + o',
      'a deep parse': 'return JSON.parse("[".repeat(1e6))',
      'a deep regular expression': 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("")',
      'a deep expression': 'return eval("(".repeat(1e6) + "1" + ")".repeat(1e6))',
      'a deep proxy': 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x',
    })) {
      it(`survives ${what}`, async () => {
        expect((await fault(handler(body))).code).to.equal('function_failed');
        expect(await output(handler('return 1'))).to.equal(1);
      });
    }
  });

  describe('output, log and calls of the host', () => {
    const small = sandboxFixture({ outputLength: 1000, logLength: 300, logEntries: 5, hostCalls: 10, outputDepth: 20 });

    it('refuses an output that is too large', async () => {
      expect((await small.fault(handler('return "x".repeat(1001)'))).code).to.equal('limit_output');
      expect(await small.output(handler('return "x".repeat(900)'))).to.have.length(900);
    });

    it('refuses an output that nests too deeply', async () => {
      const nested = (depth: number) => handler(`let v = []; for (let i = 1; i < ${depth}; i++) v = [v]; return v`);
      expect((await small.fault(nested(21))).code).to.equal('limit_depth');
      expect((await small.call(nested(20))).ok).to.equal(true);
    });

    it('drops log entries past the limit and says so once', async () => {
      const reply = await small.call(handler('for (let i = 0; i < 1e5; i++) console.log(i); return 1'));
      expect(reply.ok).to.equal(true);
      expect(reply.log.map((entry) => entry.lines[0])).to.deep.equal([
        '0',
        '1',
        '2',
        '3',
        '4',
        '"the log is full: further lines are dropped"',
      ]);
    });

    it('drops log text past the limit, also in one piece', async () => {
      for (const body of [
        'console.log("x".repeat(1e6))',
        'for (const i of [1, 2, 3, 4]) console.log("x".repeat(100))',
      ]) {
        const reply = await small.call(handler(`${body}; return 1`));
        expect(JSON.stringify(reply.log).length).to.be.below(600);
        expect(reply.log.at(-1)!.lines[0]).to.include('the log is full');
      }
    });

    it('ends the run at too many calls of the host, whatever the function catches', async () => {
      const body = 'for (let i = 0; i < 20; i++) { try { zen.evaluateExpression("1") } catch {} } return 1';
      expect((await small.fault(handler(body, `import zen from 'zen';`))).code).to.equal('limit_steps');
      expect((await small.fault(handler('for (let i = 0; i < 20; i++) await console.sleep(0)'))).code).to.equal(
        'limit_steps',
      );
    });

    it('counts over all calls of a run', async () => {
      const run = small.open();
      const source = handler('for (let i = 0; i < 6; i++) await console.sleep(0); return 1');
      expect((await run.call(functionCall(source))).ok).to.equal(true);
      const second = await run.call(functionCall(source));
      await run.dispose();
      expect(second).to.have.nested.property('fault.code', 'limit_steps');
    });
  });
});
