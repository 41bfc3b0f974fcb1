import { expect } from 'chai';
import { limitSettings } from '../../src/config/limits.js';
import { bootApp, type TestApp } from '../support/app.js';
import { calling, doubling, expressing, scripting, type Model } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';

/** A model that goes beyond a limit. */
interface Excess {
  readonly model: Model;
  readonly others?: Readonly<Record<string, Model>>;
  readonly fact?: object;
  /** Code of the fault in the trace, or of the problem, or a word that only a cut trace has. */
  readonly meets: string;
}

const zen = "import zen from 'zen'; import http from 'http';";

interface Limit extends Excess {
  /** Small enough that only this model meets it. */
  readonly value: number;
}

/** By variable. What only has a host to be seen on is tested beside the sandbox. */
const limits: Readonly<Record<string, Limit>> = {
  RUN_MAX_STEPS: {
    value: 2000,
    model: expressing({ y: 'count([1..60], count([1..60], true) > 0)' }),
    meets: 'limit_steps',
  },
  RUN_MAX_ITERATIONS: { value: 1000, model: expressing({ y: 'count([1..1500], # > 0)' }), meets: 'limit_iterations' },
  RUN_MAX_OUTPUT_BYTES: {
    value: 2000,
    model: expressing({ y: "map([1..300], 'a long text')" }),
    meets: 'The result is larger than 2000 bytes',
  },
  RUN_MAX_TRACE_BYTES: {
    value: 1500,
    model: expressing({ y: "map([1..100], 'long')" }),
    meets: '"truncated":true',
  },
  FUNCTION_MAX_HEAP_MB: {
    value: 20,
    model: scripting('const a = []; for (let i = 0; i < 25; i++) a.push(new Uint8Array(1e6)); return { n: a.length }'),
    meets: 'engine_failure',
  },
  FUNCTION_MAX_HTTP_CALLS: {
    value: 2,
    model: scripting("for (let i = 0; i < 3; i++) await http.get('http://a.test').catch(() => 0); return {}", zen),
    meets: 'limit_steps',
  },
};

const chain = Object.fromEntries(
  Array.from({ length: 11 }, (_, at) => [`${at}.json`, at === 10 ? doubling(2) : calling(`${at + 1}.json`)]),
);

/** Those that no variable turns. */
const fixed: Readonly<Record<string, Excess>> = {
  'decisions inside decisions': {
    model: calling('0.json'),
    others: chain,
    fact: { x: 1 },
    meets: 'limit_sub_decisions',
  },
  'length of a text': {
    model: expressing({ y: 'len(text + text)' }),
    fact: { text: 'x'.repeat(600_000) },
    meets: 'limit_string',
  },
  'items of a list': { model: expressing({ y: 'len(map([1..1000001], #))' }), meets: 'limit_array' },
  'stack of a function': {
    model: scripting('const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return { n: f(100_000) }'),
    meets: 'function_failed',
  },
  'nesting of what a function returns': {
    model: scripting('let a = 1; for (let i = 0; i < 250; i++) a = [a]; return { a }'),
    meets: 'limit_depth',
  },
  'calls by functions': {
    model: scripting("for (let i = 0; i <= 10_000; i++) zen.evaluateExpression('1'); return {}", zen),
    meets: 'limit_steps',
  },
  'lines of the log': {
    model: scripting('for (let i = 0; i <= 1000; i++) console.log(i); return {}'),
    meets: 'the log is full',
  },
  'characters of the log': {
    model: scripting("for (let i = 0; i < 3; i++) console.log('x'.repeat(100_000)); return {}"),
    meets: 'the log is full',
  },
};

describe('limits of the engine', () => {
  let usual: TestApp;
  let small: TestApp;
  let scene: Scene;
  let smallScene: Scene;
  before(async () => {
    usual = await bootApp();
    const variables = Object.entries(limits).map(([variable, { value }]) => [variable, String(value)]);
    small = await bootApp(Object.fromEntries(variables) as Record<string, string>);
    scene = await buildScene(usual);
    smallScene = await buildScene(small);
  });
  after(() => Promise.all([usual.stop(), small.stop()]));

  it('have a variable each', () => {
    const variables = Object.values(limitSettings).map(({ variable }) => variable);
    expect([...Object.keys(limits), 'FUNCTION_MAX_HTTP_BYTES']).to.have.members(variables);
  });

  const evaluate = async (of: Scene, name: string, { model, others = {}, fact = {} }: Excess): Promise<string> => {
    const id = await of.decision(`${name.replaceAll(' ', '-')}.json`, model, others);
    return (await of.caller.post(`/logic/decisions/${id}/evaluations`, { version: 0, fact })).text;
  };

  for (const [variable, limit] of Object.entries(limits)) {
    it(`${variable} is where it is set, and a run beyond it ends with ${limit.meets}`, async () => {
      expect(await evaluate(scene, variable, limit))
        .to.include('"status":"COMPLETED"')
        .and.not.include(limit.meets);
      expect(await evaluate(smallScene, variable, limit)).to.include(limit.meets);
    });
  }

  for (const [name, excess] of Object.entries(fixed)) {
    it(`${name}: a run beyond it meets ${excess.meets}`, async () => {
      expect(await evaluate(scene, name, excess)).to.include(excess.meets);
    });
  }
});
