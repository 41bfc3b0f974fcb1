import { expect } from 'chai';
import { functionCall, sandboxFixture } from '../../../support/sandbox.js';

describe('function nodes, version 1', () => {
  const { fault: diagnostic, open, output } = sandboxFixture();

  it('call a handler that the script defines, with its helpers', async () => {
    const source = `
      /** @param {import('gorules').Input} input */
      const handler = (input, { moment, dayjs, Big, env }) => ({
        sum: Big(0.1).add(0.2).eq(0.3),
        day: dayjs('2020-01-01').add(1, 'day').format('YYYY-MM-DD'),
        momentIsDayjs: typeof moment === 'function' && Object.keys(moment).includes('isDayjs'),
        input, key: env.KEY, left: undefined, at: new Date(0),
      });`;
    expect(await output(source, { version: 1, env: { KEY: 'v' } })).to.deep.equal({
      sum: true,
      day: '2020-01-02',
      momentIsDayjs: true,
      input: { a: 1 },
      key: 'v',
      at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('take a function declaration, an assignment to the global, a promise', async () => {
    expect(await output('function handler(input) { return input.a }', { version: 1 })).to.equal(1);
    expect(await output('globalThis.handler = () => 3', { version: 1 })).to.equal(3);
    expect(await output('const handler = async () => ({ b: 2 })', { version: 1 })).to.deep.equal({ b: 2 });
  });

  it('are strict: an undeclared variable is an error', async () => {
    expect((await diagnostic('const handler = () => { undeclared = 1 }', { version: 1 })).message).to.include(
      'undeclared',
    );
  });

  it('see earlier outputs, and keep them out of theirs', async () => {
    const nodes = () => ({ first: 1 });
    const source = 'const handler = (input) => ({ ...input, n: input.$nodes.first })';
    expect(await output(source, { version: 1, nodes })).to.deep.equal({ a: 1, n: 1 });
  });

  it('do not meet in one run though each declares the same names', async () => {
    const run = open();
    const first = await run.call(functionCall('const handler = () => 1', { version: 1, nodeId: 'a' }));
    const second = await run.call(functionCall('const handler = () => 2', { version: 1, nodeId: 'b' }));
    await run.dispose();
    expect([first, second].map((reply) => reply.ok && reply.output)).to.deep.equal([1, 2]);
  });
});
