import { expect } from 'chai';
import { handler, sandboxFixture } from '../../../support/sandbox.js';

/** The text that a fault points at. */
function pointed(fault: { source?: string; span?: readonly [number, number] }): string | undefined {
  return fault.span === undefined ? undefined : fault.source?.slice(...fault.span);
}

describe('errors of function nodes', () => {
  const { fault: diagnostic } = sandboxFixture();
  const small = sandboxFixture({ outputLength: 100 });

  it('name the error, its node, its line and column, and point at the place', async () => {
    const source = `// 🙂 first\n\nexport const handler = async (input) => {\n  return missing.thing;\n};\n`;
    const found = await diagnostic(source, { nodeId: 'score' });
    expect(found).to.include({ code: 'function_failed', nodeId: 'score', field: 'source', source });
    expect(found.message).to.match(/^ReferenceError: .*missing/);
    expect(found.hint).to.equal('line 4, column 10');
    expect(pointed(found)).to.equal('missing');
  });

  it('point at the call that threw, not into a library', async () => {
    const source = handler(`return Big('nonsense')`, `import Big from 'big.js';`);
    const found = await diagnostic(source);
    expect(found.message).to.include('Invalid number');
    expect(pointed(found)).to.equal('Big');
  });

  it('count columns in characters where the text before holds more than one unit each', async () => {
    expect(pointed(await diagnostic(`export const handler = () => ['🙂🙂', nothing];`))).to.equal('nothing');
  });

  it('point at what does not parse', async () => {
    const found = await diagnostic('export const handler = async () => {\n  return {{ ;\n}');
    expect(found.message).to.match(/^SyntaxError/);
    expect(found.hint).to.equal('line 2, column 11');
  });

  it('point into version 1 alike', async () => {
    const found = await diagnostic(`const handler = () => {\n  throw new Error('no');\n};`, { version: 1 });
    expect(found).to.include({ message: 'no', hint: 'line 2, column 18' });
    expect(pointed(found)).to.equal('Error');
  });

  for (const [what, thrown, message] of [
    ['an error', 'new Error("boom")', 'boom'],
    ['a typed error', 'new RangeError("boom")', 'RangeError: boom'],
    ['an error of many lines', 'new Error("one\\ntwo")', 'one'],
    ['an error without a message', 'new Error()', 'the function threw an error without a message'],
    ['text', '"plain"', 'plain'],
    ['null', 'null', 'the function threw null'],
    ['an object', '{ code: 5 }', '{"code":5}'],
    ['a symbol', 'Symbol("x")', 'the function threw an error without a message'],
    ['an error that cannot be read', 'new Proxy({}, { has() { throw 1 } })', 'an error that cannot be described'],
    ['an out of memory of its own making', 'Object.assign(new Error("out of memory"))', 'out of memory'],
  ] as const) {
    it(`say what was thrown: ${what}`, async () => {
      expect(await diagnostic(handler(`throw ${thrown}`))).to.include({ code: 'function_failed', message });
    });
  }

  it('are cut when they are long', async () => {
    expect((await diagnostic(handler('throw new Error("x".repeat(1e6))'))).message.length).to.be.at.most(500);
  });

  it('keep message and place where they are longer than an output may be', async () => {
    const text = 'x'.repeat(101);
    const found = await small.fault(handler(`throw new Error('${text}')`));
    expect(found.message).to.equal(text);
    expect(pointed(found)).to.equal('Error');
  });

  it('keep their place where the message is too long to be described', async () => {
    const found = await diagnostic(handler('throw new TypeError("x".repeat(2 * 1024 * 1024))'));
    expect(found.message).to.equal('an error too long to be described');
    expect(pointed(found)).to.equal('TypeError');
  });

  it('say that there is no handler', async () => {
    expect((await diagnostic('export const other = 1;')).message).to.include('exports no function `handler`');
    expect((await diagnostic('export const handler = 5;')).message).to.include('exports no function `handler`');
    expect((await diagnostic('const other = 1;', { version: 1 })).message).to.include("'handler' is not defined");
  });

  it('tell of errors while the module is evaluated, synchronous and not', async () => {
    expect((await diagnostic(`throw new Error('top'); export const handler = 1;`)).message).to.equal('top');
    const late = `await null; throw new Error('later'); export const handler = 1;`;
    expect((await diagnostic(late)).message).to.equal('later');
  });

  it('tell of getters that throw in the output', async () => {
    expect((await diagnostic(handler('return { get a() { throw new Error("gotcha") } }'))).message).to.equal('gotcha');
    expect((await diagnostic(handler('const a = {}; a.a = a; return a'))).message).to.match(/circular/);
  });
});
