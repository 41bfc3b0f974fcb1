import { expect } from 'chai';
import { compile, createSandbox, fromJson, toJson } from '../../../../workers/engine/index.js';
import type { Outcome } from '../../../../workers/engine/index.js';

const sandbox = createSandbox();

/** request → first → second → response, whose two function nodes have these contents. */
async function run(first: unknown, second: unknown, deadline = Infinity): Promise<Outcome> {
  const node = (id: string, type: string, content: unknown) => ({ id, name: id, type, content });
  const model = {
    nodes: [
      node('request', 'inputNode', {}),
      node('first', 'functionNode', first),
      node('second', 'functionNode', second),
      node('response', 'outputNode', {}),
    ],
    edges: ['request', 'first', 'second'].map((sourceId, i) => {
      const targetId = ['first', 'second', 'response'][i];
      return { id: `e${i}`, sourceId, targetId };
    }),
  };
  const program = compile(model, { resolve: () => undefined, sandbox });
  const env = { RATE: fromJson(0.1) as number };
  return await program.run(fromJson({ amount: 0.2 }), {
    trace: true,
    deadline,
    now: 0,
    random: () => 0.5,
    env,
  });
}

describe('function nodes in a graph', () => {
  it('pass on outputs, evaluate ZEN, and see the environment and earlier nodes', async () => {
    const first = `const handler = (input, { Big, env }) => ({ doubled: Big(input.amount).times(2), rate: env.RATE })`;
    const source = `
      import zen from 'zen';
      export const handler = async (input) => {
        console.log(input.doubled);
        return {
          sum: zen.evaluateExpression('a + 0.2', { a: input.rate }),
          high: zen.evaluateUnaryExpression('> 5', { $: 6 }),
          amount: input.$nodes.request.amount,
        };
      };`;
    const outcome = await run(first, { source });
    if (outcome.status !== 'COMPLETED') throw new Error(JSON.stringify(outcome));
    expect(toJson(outcome.result)).to.deep.equal({ sum: 0.3, high: true, amount: 0.2 });
    expect(JSON.stringify(outcome.trace)).to.include('"lines":["\\"0.4\\""]');
  });

  it('fail the run with the place in the source, and stop it at the deadline', async () => {
    const ok = { source: 'export const handler = (input) => input' };
    const failed = await run(ok, { source: 'export const handler = () => missing' });
    expect(failed).to.have.property('status', 'FAILED');
    expect(failed).to.have.deep.nested.property('error.span', [29, 36]);
    expect(failed).to.have.nested.property('error.nodeId', 'second');
    const stopped = await run({ source: 'for (;;) {}' }, ok, performance.now() + 100);
    expect(stopped).to.have.nested.property('error.code', 'timeout');
  });

  it('cannot hide an expression that never ends from the run’s limits', async () => {
    const source = `import zen from 'zen';
      export const handler = () => { for (;;) { try { zen.evaluateExpression('sum(map([1..100000], # * 2))', {}) } catch {} } };`;
    const outcome = await run({ source }, { source }, performance.now() + 300);
    expect(outcome).to.have.nested.property('error.code').that.is.oneOf(['timeout', 'limit_steps']);
  });
});
