import { expect } from 'chai';
import { ownTime } from '../../../support/ownTime.js';
import { functionCall, handler, sandboxFixture } from '../../../support/sandbox.js';
import { allowedMs } from '../../../support/environment.js';

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

describe('limits of function nodes', function () {
  const { call, fault: diagnostic, open, output } = sandboxFixture();

  describe('time', () => {
    for (const [what, body] of Object.entries(endless)) {
      it(`stops ${what} at the deadline`, async () => {
        const [started, took] = [performance.now(), ownTime()];
        expect((await diagnostic(handler(body), { timeoutMs: 120 })).code).to.equal('timeout');
        expect(took()).to.be.below(allowedMs(1500));
        expect(performance.now() - started).to.be.at.least(110);
      });
    }

    it('stops a module that loops while it is evaluated, or awaits at its top for ever', async () => {
      expect((await diagnostic('for (;;) {}', { timeoutMs: 100 })).code).to.equal('timeout');
      expect(
        (await diagnostic('await new Promise(() => {}); export const handler = 1', { timeoutMs: 100 })).code,
      ).to.equal('timeout');
    });

    it('does not wait for the deadline when nothing can settle a promise any more', async () => {
      const took = ownTime();
      const found = await diagnostic(handler('await new Promise(() => {})'));
      expect(found.code).to.equal('timeout');
      expect(found.message).to.include('nothing will ever settle');
      expect(took()).to.be.below(allowedMs(1000));
    });

    it('runs nothing once the deadline has passed, and nothing after a time-out', async () => {
      expect((await diagnostic(handler('return 1'), { timeoutMs: -1 })).code).to.equal('timeout');
      const run = open({ timeoutMs: 100 });
      await run.call(functionCall(handler('for (;;) {}')));
      const later = await run.call(functionCall(handler('return 1')));
      await run.dispose();
      expect(later).to.deep.include({ ok: false }).and.have.nested.property('diagnostic.code', 'timeout');
    });

    it('keeps the log of a run that it stopped', async () => {
      let lines: unknown;
      // On a busy machine it may be stopped before it has logged anything.
      for (let timeoutMs = 100; lines === undefined && timeoutMs < 10_000; timeoutMs *= 2) {
        const reply = await call(handler('console.log("here"); for (;;) {}'), { timeoutMs });
        expect(reply.ok).to.equal(false);
        lines = reply.log[0]?.lines;
      }
      expect(lines).to.deep.equal(['"here"']);
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
        expect((await diagnostic(handler(body))).code).to.equal('function_failed');
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

    it('refuses at once what nests so deeply that QuickJS would take minutes to write it', async () => {
      const deep = 'let v = []; for (let i = 0; i < 2e4; i++) v = [v];';
      const imports = `import zen from 'zen'; import http from 'http';`;
      const took = ownTime();
      expect(await small.fault(handler(`${deep} return { v }`))).to.include({ code: 'limit_depth' });
      expect(await small.fault(`const handler = () => { ${deep} return v }`, { version: 1 })).to.include({
        code: 'limit_depth',
      });
      const logged = await small.call(handler(`${deep} console.log(v); return 1`));
      expect(logged.log[0]?.lines).to.deep.equal(['"this value cannot be written as JSON"']);
      for (const call of ['zen.evaluateExpression("1", { v })', 'await http.post("http://a.test", v)']) {
        const { message } = await small.fault(handler(`${deep} ${call}; return 1`, imports));
        expect(message, call).to.include('nests deeper than');
      }
      expect(took()).to.be.below(allowedMs(1500));
    });

    it('counts levels and not values: a wide output is no deep one', async () => {
      const wide = '{ a: [1, [2]], b: [[3], [4]], c: Array.from({ length: 40 }, () => [{}]) }';
      expect(await small.output(handler(`const w = ${wide}; return [w, w, [w]]`))).to.have.length(3);
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
      expect(second).to.have.nested.property('diagnostic.code', 'limit_steps');
    });
  });
});
