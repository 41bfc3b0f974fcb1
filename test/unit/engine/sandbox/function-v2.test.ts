import { expect } from 'chai';
import { EngineError } from '../../../../workers/engine/errors.js';
import { functionCall, handler, sandboxFixture } from '../../../support/sandbox.js';

describe('function nodes, version 2', () => {
  const { call, fault: diagnostic, open, output } = sandboxFixture();

  it('takes a handler that is not async, and top-level await', async () => {
    const source = 'const b = await Promise.resolve(4); export const handler = (input) => ({ sum: input.a + b });';
    expect(await output(source)).to.deep.equal({ sum: 5 });
  });

  it('gives the configuration as a global and beside the input', async () => {
    const config = { iteration: 2, maxDepth: 10, trace: true };
    const reply = await output(handler('return { global: config, info: info.config }'), { config });
    expect(reply).to.deep.equal({ global: config, info: config });
  });

  for (const [what, value, json] of [
    ['nothing', 'undefined', null],
    ['a string', '"x"', 'x'],
    ['an array', '[1, 2]', [1, 2]],
    ['an undefined property', '{ a: undefined }', { a: null }],
    ['functions and symbols', '[() => 1, Symbol("x")]', ['[Function]', '[Symbol]']],
    ['a small bigint', '10n', 10],
    ['a date', 'new Date(5)', '1970-01-01T00:00:00.005Z'],
    ['a lone surrogate', '"\\ud800"', '\ud800'],
    ['a NUL', '"a\\u0000b"', 'a\u0000b'],
    ['an own __proto__', 'JSON.parse(\'{"__proto__": 1}\')', JSON.parse('{"__proto__": 1}')],
  ] as const) {
    it(`turns ${what} into JSON`, async () => {
      expect(await output(handler(`return ${value}`))).to.deep.equal(json);
    });
  }

  it('turns an error into its message and description, without frames of the sandbox', async () => {
    const reply = (await output(handler('return new TypeError("x")'))) as { message: string; description: string };
    expect(reply.message).to.equal('x');
    expect(reply.description)
      .to.match(/^TypeError: x\n.*node:fn/)
      .and.not.include('prelude');
  });

  for (const value of ['NaN', 'Infinity', '2n ** 70n']) {
    it(`refuses ${value} in an output and names the property`, async () => {
      const { code, message } = await diagnostic(handler(`return { total: ${value} }`));
      expect(code).to.equal('function_failed');
      expect(message).to.include('total');
    });
  }

  it('imports dayjs, big.js, zod as namespace and by name', async () => {
    const imports = `
      import dayjs from 'dayjs';
      import Big, { Big as Named } from 'big.js';
      import zod, { z } from 'zod';`;
    const body = `return [dayjs('2020-01-31').add(1, 'month').format('YYYY-MM-DD'), Big(0.1).plus(0.2), Named === Big,
      zod === z, z.object({ a: z.number() }).safeParse(input).success, z.string().safeParse(1).error.issues[0].message]`;
    expect(await output(handler(body, imports))).to.deep.equal([
      '2020-02-29',
      '0.3',
      true,
      true,
      true,
      'Expected string, received number',
    ]);
  });

  it('says which modules there are when one is not', async () => {
    const { message } = await diagnostic(handler('return 1', `import x from 'lodash';`));
    expect(message).to.match(/'lodash'.*dayjs, big\.js, zod, zen, http, env/);
  });

  it('asks the engine for expressions, without the properties that the host added', async () => {
    const body = `return [zen.evaluateExpression('a + 1', input), evaluateUnaryExpression('true', {}), zen.evaluateExpression('1')]`;
    const imports = `import zen, { evaluateUnaryExpression } from 'zen';`;
    expect(await output(handler(body, imports), { env: { K: 1 }, nodes: () => ({ n: 1 }) })).to.deep.equal([
      { expression: 'a + 1', context: { a: 1 } },
      true,
      { expression: '1', context: null },
    ]);
  });

  it('throws the engine’s errors in the function, which may catch them', async () => {
    const zen = {
      evaluateExpression: () => {
        throw new EngineError('syntax_error', 'unexpected end');
      },
      evaluateUnaryExpression: () => true,
    };
    const source = handler(
      `try { zen.evaluateExpression('a +', {}) } catch (e) { return e.message }`,
      `import zen from 'zen';`,
    );
    expect(await output(source, { run: { zen } })).to.equal('unexpected end');
  });

  it('does not let the function catch a limit that an expression hit', async () => {
    const zen = {
      evaluateExpression: () => {
        throw new EngineError('limit_steps', 'too many steps');
      },
      evaluateUnaryExpression: () => true,
    };
    const source = handler(
      `try { zen.evaluateExpression('1', {}) } catch { return 'caught' }`,
      `import zen from 'zen';`,
    );
    expect(await diagnostic(source, { run: { zen } })).to.include({ code: 'limit_steps', message: 'too many steps' });
  });

  it('refuses sub-decisions with a word on what to do', async () => {
    const { message } = await diagnostic(handler(`return zen.evaluate('other', {})`, `import zen from 'zen';`));
    expect(message).to.include('decision node');
  });

  it('gives the environment as an import and as input.$env, and never in the output', async () => {
    const source = handler(
      'return { ...input, key: env.KEY, same: env === input.$env && named === env }',
      `import env, { env as named } from 'env';`,
    );
    expect(await output(source, { env: { KEY: { deep: 'v' } } })).to.deep.equal({
      a: 1,
      key: { deep: 'v' },
      same: true,
    });
  });

  it('gives earlier outputs as input.$nodes, asks for them only when read, and keeps them out of the output', async () => {
    let asked = 0;
    const nodes = () => {
      asked += 1;
      return { first: { x: 1 } };
    };
    expect(await output(handler('return { ...input, nested: input }'), { nodes })).to.deep.equal({
      a: 1,
      nested: { a: 1 },
    });
    expect(asked).to.equal(0);
    const body = `return [input.$nodes.first.x, 'first' in input.$nodes, Object.keys(input.$nodes), input.$nodes.other, input.$nodes]`;
    expect(await output(handler(body), { nodes })).to.deep.equal([1, true, ['first'], null, { first: { x: 1 } }]);
    expect(asked).to.equal(1);
  });

  it('reads the injected clock and randomness', async () => {
    const body = `return [Date.now(), new Date().toISOString(), new Date(0) instanceof Date, new Date(2020, 0, 1).constructor === Date,
      typeof Date(), dayjs().valueOf(), Math.random(), Date.UTC(1970, 0, 2), Date.length, Date.name]`;
    expect(await output(handler(body, `import dayjs from 'dayjs';`))).to.deep.equal([
      1_700_000_000_000,
      '2023-11-14T22:13:20.000Z',
      true,
      true,
      'string',
      1_700_000_000_000,
      0.25,
      86_400_000,
      7,
      'Date',
    ]);
  });

  it('logs one JSON text per argument with the time since the call began, and also when the call fails', async () => {
    const started = performance.now();
    const reply = await call(
      handler(`console.log('a', { b: 1 }, undefined); await console.sleep(25); console.log([]); throw new Error('x')`),
    );
    expect(reply.ok).to.equal(false);
    expect(reply.log.map((entry) => entry.lines)).to.deep.equal([['"a"', '{"b":1}', ''], ['[]']]);
    expect(reply.log[1]!.msSinceRun).to.be.within(20, performance.now() - started);
  });

  it('never fails for what is logged', async () => {
    const body = `const c = {}; c.c = c; console.log(c, 1n, { toJSON() { throw 1 } }); return 1`;
    expect(await output(handler(body))).to.equal(1);
  });

  it('keeps no lines without a trace', async () => {
    const reply = await call(handler('console.log(1); return 1'), {
      config: { iteration: 0, maxDepth: 10, trace: false },
    });
    expect(reply).to.deep.equal({ ok: true, output: 1, log: [] });
  });

  it('keeps the state of a module and of globals within a run, and nothing beyond it', async () => {
    const counter =
      'let n = 0; export const handler = () => { globalThis.g = (globalThis.g ?? 0) + 1; return [++n, g] };';
    const run = open();
    expect(await run.call(functionCall(counter)))
      .to.include({ ok: true })
      .and.have.deep.property('output', [1, 1]);
    expect(await run.call(functionCall(counter))).to.have.deep.property('output', [2, 2]);
    expect(await run.call(functionCall(counter, { nodeId: 'other' }))).to.have.deep.property('output', [1, 3]);
    await run.dispose();
    expect(await output(counter)).to.deep.equal([1, 1]);
  });

  it('takes another environment and config for a later call of the run', async () => {
    const run = open();
    const source = handler('return [env.A, env.B, config.iteration]', `import env from 'env';`);
    const first = await run.call(
      functionCall(source, { env: { A: 1 }, config: { iteration: 1, maxDepth: 1, trace: true } }),
    );
    const second = await run.call(
      functionCall(source, { env: { B: 2 }, config: { iteration: 2, maxDepth: 1, trace: true } }),
    );
    await run.dispose();
    expect(first).to.have.deep.property('output', [1, null, 1]);
    expect(second).to.have.deep.property('output', [null, 2, 2]);
  });

  it('has no host globals', async () => {
    const names = [
      ...['process', 'require', 'Buffer', 'setTimeout', 'fetch', 'WebAssembly', 'global', 'os', 'std', '__boot'],
      ...['prelude', 'host'],
    ];
    expect(await output(handler(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`))).to.deep.equal(
      [],
    );
  });
});
