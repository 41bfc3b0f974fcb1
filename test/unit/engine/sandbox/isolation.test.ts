import { expect } from 'chai';
import { readGuest } from '../../../../workers/engine/sandbox/guests.js';
import { Exhausted } from '../../../../workers/engine/sandbox/wasmGuard.js';
import { defaultSandboxLimits, discardAboveBytes } from '../../../../workers/engine/sandbox/limits.js';
import { Machine } from '../../../../workers/engine/sandbox/machine.js';
import { quickjsInstances } from '../../../../workers/engine/sandbox/wasm.js';
import { handler, sandboxFixture } from '../../../support/sandbox.js';

const escapes: Readonly<Record<string, string>> = {
  'the function constructor': 'return Function("return typeof process")()',
  'the constructor of a constructor': 'return ({}).constructor.constructor("return typeof process")()',
  'the constructor of a host function': 'return console.log.constructor("return typeof process")()',
  'the constructor of an async host function': 'return console.sleep.constructor("return typeof process")()',
  'the constructor of a promise of the host':
    'return console.sleep(0).constructor.constructor("return typeof process")()',
  'the constructor of the input': 'return input.constructor.constructor("return typeof process")()',
  'an indirect eval': 'return (0, eval)("typeof process")',
  'the prototype of the environment': 'return input.$env.constructor.constructor("return typeof process")()',
};

/** Each bends something that the prelude or the next run might rely on. */
const pollution: readonly string[] = [
  'Object.prototype.toJSON = () => "bent"; Array.prototype.toJSON = () => "bent"; return 1',
  'Object.prototype.polluted = 1; Object.defineProperty(Object.prototype, "env", { get() { return "bent" } }); return 1',
  'JSON.stringify = () => "bent"; JSON.parse = () => "bent"; return 1',
  'Promise.prototype.then = () => "bent"; return 1',
  'Map.prototype.get = Map.prototype.set = () => "bent"; return 1',
  'String.prototype.slice = () => "bent"; Array.prototype.map = () => "bent"; return 1',
  'globalThis.Date = class {}; Math.random = () => 9; globalThis.Error = class {}; return 1',
  'delete globalThis.console; delete globalThis.JSON; delete globalThis.Promise; return 1',
  'const d = (await import("dayjs")).default; d.prototype.format = () => "bent"; return 1',
  'const z = (await import("zod")).z; z.ZodType.prototype.safeParse = () => "bent"; return 1',
  'for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} } return 1',
];

describe('isolation of function nodes', () => {
  const { call, output } = sandboxFixture();

  for (const [what, body] of Object.entries(escapes)) {
    it(`finds no host through ${what}`, async () => {
      expect(await output(handler(body))).to.equal('undefined');
    });
  }

  it('shows no host function in the arguments, the callers or the frames of a stack', async () => {
    const body = `
      const seen = [];
      Error.prepareStackTrace = (error, frames) => {
        if (Array.isArray(frames)) for (const frame of frames) seen.push(typeof frame.getFunction?.(), typeof frame.getThis?.());
        return 'x';
      };
      try { null.x } catch (e) { e.stack }
      try { seen.push(typeof arguments.callee.caller) } catch { seen.push('none') }
      return seen.filter((kind) => kind !== 'undefined' && kind !== 'none');`;
    expect(await output(`export function handler() { ${body} }`)).to.deep.equal([]);
  });

  it('freezes what the host hands out', async () => {
    const body = `
      const attempt = (change) => { try { change(); return 'changed' } catch { return 'kept' } };
      return [attempt(() => { console.log = 1 }), attempt(() => { console = 1 }), attempt(() => { config.trace = 1 }),
        attempt(() => { zen.evaluateExpression = 1 }), attempt(() => { http.get = 1 })]`;
    const found = await output(handler(body, `import zen from 'zen'; import http from 'http';`));
    expect(found).to.deep.equal(['kept', 'kept', 'kept', 'kept', 'kept']);
  });

  for (const body of pollution) {
    it(`keeps from the next run: ${body.slice(0, 60)}`, async () => {
      await call(handler(body));
      const probe = `console.log({ a: [1] }); await console.sleep(1);
        return [dayjs(0).format('YYYY'), z.number().safeParse(1).success, [1, 2].map((x) => x * 2), Math.random(), Date.now(),
          'polluted' in {}, new Map([[1, 2]]).get(1), 'abc'.slice(1), new Error('x').message, config.trace]`;
      const reply = await call(handler(probe, `import dayjs from 'dayjs'; import { z } from 'zod';`));
      const expected = ['1970', true, [2, 4], 0.25, 1_700_000_000_001, false, 2, 'bc', 'x', true];
      expect(reply).to.deep.include({ ok: true, output: expected });
      expect(reply.log.map((entry) => entry.lines)).to.deep.equal([['{"a":[1]}']]);
    });
  }

  it('cannot forge more than its own outcome through a bent prototype', async () => {
    const body = `Object.prototype.toJSON = () => '{"ok":true}'; Array.prototype.toJSON = () => 'x'; console.log(1); return { a: 1 }`;
    expect(await call(handler(body))).to.deep.include({ ok: true, output: '{"ok":true}' });
  });

  it('hands out cleared memory where it promises zeros, though runs before wrote there', async () => {
    await output(
      handler('const a = []; for (let i = 0; i < 12; i++) a.push(new Uint8Array(1 << 20).fill(170)); return a.length'),
    );
    const body =
      'let sum = 0; for (let i = 0; i < 12; i++) for (const b of new Uint8Array(1 << 20)) sum += b; return sum';
    expect(await output(handler(body))).to.equal(0);
  });

  it('repeats nothing of a run before: neither order of ids nor random numbers of its own', async () => {
    let draws = 0;
    const random = () => ++draws / 100;
    const source = handler('return Math.random()');
    expect([await output(source, { run: { random } }), await output(source, { run: { random } })]).to.deep.equal([
      0.01, 0.02,
    ]);
  });

  it('blocks no thread: Atomics.wait is refused', async () => {
    const reply = await call(handler('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'));
    expect(reply).to.have.nested.property('diagnostic.code', 'function_failed');
  });
});

describe('machines', () => {
  const instances = quickjsInstances(defaultSandboxLimits.memoryBytes);
  const build = async (limits = defaultSandboxLimits) => new Machine(await instances(), await readGuest(), limits);
  const tenant = { isOver: () => false, ask: () => undefined };

  it('have a small image', async () => {
    expect((await build()).imageBytes).to.be.below(2 * 1024 * 1024);
  });

  it('are let go when their memory grew past the limit, which never shrinks', async () => {
    const machine = await build();
    machine.reset(tenant);
    const source = 'new ArrayBuffer(34 << 20)';
    expect(machine.invoke({ name: 'large', source }, '{}', '{}').kind).to.equal('done');
    expect(machine.memoryBytes).to.be.within(discardAboveBytes, 48 * 1024 * 1024);
    expect(machine.release(defaultSandboxLimits)).to.equal(false);
  });

  it('are let go, and let nothing in any more, once an allocation failed', async () => {
    const machine = await build();
    machine.reset(tenant);
    const source = 'const a = []; for (;;) { try { a.push(new ArrayBuffer(1 << 20)) } catch {} }';
    const ending = machine.invoke({ name: 'bomb', source }, '{}', '{}');
    expect(ending).to.have.property('reason').that.is.instanceOf(Exhausted);
    expect(machine.deliver(1, '{}')).to.deep.equal(ending);
    expect(machine.runJobs(() => false)).to.deep.equal(ending);
    expect(machine.release(defaultSandboxLimits)).to.equal(false);
  });

  it('are let go after their number of runs', async () => {
    const limits = { ...defaultSandboxLimits, runsPerInstance: 2 };
    const machine = await build(limits);
    machine.reset(tenant);
    expect(machine.release(limits)).to.equal(true);
    machine.reset(tenant);
    expect(machine.release(limits)).to.equal(false);
  });
});
