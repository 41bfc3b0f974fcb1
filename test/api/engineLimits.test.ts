import { expect } from 'chai';
import { limitSettings } from '../../src/config/limits.js';
import { bootApp, type TestApp } from '../support/app.js';
import { calling, doubling, expressing, scripting, type Model } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';

interface Limit {
  /** Small enough that only this model meets it. */
  readonly value: number;
  readonly model: Model;
  readonly others?: Readonly<Record<string, Model>>;
  readonly fact?: object;
  /** Code of the fault in the trace, or of the problem, or a word that only a cut trace has. */
  readonly meets: string;
}

const zen = "import zen from 'zen'; import http from 'http';";

/** By variable. What only has a host to be seen on is tested beside the sandbox. */
const limits: Readonly<Record<string, Limit>> = {
  RUN_MAX_EXPRESSION_DEPTH: {
    value: 20,
    model: expressing({ y: `${'('.repeat(30)}1${')'.repeat(30)}` }),
    meets: 'limit_depth',
  },
  RUN_MAX_EXPRESSION_NODES: {
    value: 50,
    model: expressing({ y: `sum([${'1, '.repeat(60)}1])` }),
    meets: 'limit_ast',
  },
  RUN_MAX_STEPS: {
    value: 2000,
    model: expressing({ y: 'count([1..60], count([1..60], true) > 0)' }),
    meets: 'limit_steps',
  },
  RUN_MAX_ITERATIONS: { value: 1000, model: expressing({ y: 'count([1..1500], # > 0)' }), meets: 'limit_iterations' },
  RUN_MAX_DECISION_DEPTH: {
    value: 1,
    model: calling('second.json'),
    others: { 'second.json': calling('third.json'), 'third.json': doubling(2) },
    fact: { x: 1 },
    meets: 'limit_sub_decisions',
  },
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
  RUN_MAX_STRING_LENGTH: {
    value: 200,
    model: expressing({ y: 'len(text + text)' }),
    fact: { text: 'x'.repeat(150) },
    meets: 'limit_string',
  },
  RUN_MAX_ARRAY_LENGTH: { value: 500, model: expressing({ y: 'len(map([1..600], #))' }), meets: 'limit_array' },
  RUN_MAX_ITEMS: {
    value: 1000,
    model: expressing({ y: 'count([1..400], len([#, #, #]) > 0)' }),
    meets: 'engine_failure',
  },
  FUNCTION_MAX_HEAP_MB: {
    value: 20,
    model: scripting('const a = []; for (let i = 0; i < 25; i++) a.push(new Uint8Array(1e6)); return { n: a.length }'),
    meets: 'engine_failure',
  },
  FUNCTION_MAX_STACK_KB: {
    value: 64,
    model: scripting('const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return { n: f(500) }'),
    meets: 'function_failed',
  },
  FUNCTION_MAX_INPUT_LENGTH: {
    value: 500,
    model: scripting('return { n: 1 }'),
    fact: { text: 'x'.repeat(600) },
    meets: 'engine_failure',
  },
  FUNCTION_MAX_OUTPUT_DEPTH: {
    value: 10,
    model: scripting('let a = 1; for (let i = 0; i < 20; i++) a = [a]; return { a }'),
    meets: 'limit_depth',
  },
  FUNCTION_MAX_CALLS: {
    value: 5,
    model: scripting("for (let i = 0; i < 6; i++) zen.evaluateExpression('1'); return {}", zen),
    meets: 'limit_steps',
  },
  FUNCTION_MAX_HTTP_CALLS: {
    value: 2,
    model: scripting("for (let i = 0; i < 3; i++) await http.get('http://a.test').catch(() => 0); return {}", zen),
    meets: 'limit_steps',
  },
  FUNCTION_MAX_LOG_LINES: {
    value: 3,
    model: scripting('for (let i = 0; i < 4; i++) console.log(i); return {}'),
    meets: 'the log is full',
  },
  FUNCTION_MAX_LOG_LENGTH: {
    value: 100,
    model: scripting("console.log('x'.repeat(90)); console.log('y'.repeat(90)); return {}"),
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

  for (const [variable, { model, others = {}, fact = {}, meets }] of Object.entries(limits)) {
    it(`${variable} is where it is set, and a run beyond it ends with ${meets}`, async () => {
      const evaluate = async (of: Scene): Promise<string> => {
        const id = await of.decision(`${variable}.json`, model, others);
        return (await of.caller.post(`/logic/decisions/${id}/evaluations`, { version: 0, fact })).text;
      };
      expect(await evaluate(scene))
        .to.include('"status":"COMPLETED"')
        .and.not.include(meets);
      expect(await evaluate(smallScene)).to.include(meets);
    });
  }
});
