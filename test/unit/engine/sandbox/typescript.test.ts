import { expect } from 'chai';
import { ownTime } from '../../../support/ownTime.js';
import { sandboxFixture } from '../../../support/sandbox.js';
import { allowedMs } from '../../../support/environment.js';

describe('function nodes in TypeScript', function () {
  const { call, fault: diagnostic, output, open } = sandboxFixture();

  const sources: Readonly<Record<string, string>> = {
    'annotations, interfaces and aliases': `
      interface Input { a: number }
      type Out = { total: number };
      export const handler = async (input: Input): Promise<Out> => ({ total: input.a * 2 });`,
    'enums, in declaration and use': `
      enum Factor { One = 1, Two }
      export const handler = async (input: { a: number }) => ({ total: input.a * Factor.Two });`,
    'assertions, generics and what may be null': `
      import type { Dayjs } from 'dayjs';
      const twice = <T extends number>(value: T): number => value * 2;
      export const handler = async (input: Record<string, unknown>) => {
        const a = input.a as number | undefined;
        return { total: twice<number>(a!) satisfies number };
      };`,
    'classes with parameter properties': `
      class Sum { constructor(private readonly a: number, public b = 0) { this.b ||= a } get total(): number { return this.a + this.b } }
      export const handler = async (input: any) => ({ total: new Sum(input.a).total });`,
    'plain JavaScript': 'export const handler = async (input) => ({ total: input.a < 2 ? 2 : 0 });',
  };
  for (const [what, source] of Object.entries(sources)) {
    it(`know ${what}`, async () => {
      expect(await output(source, { input: { a: 1 } })).to.deep.equal({ total: 2 });
      // From the cache, and twice in one run.
      const run = open();
      for (const round of [1, 2]) {
        const reply = await run.call({ source, version: 2, input: { a: 1 }, env: {}, nodeId: 'fn' });
        expect(reply, `round ${round}`).to.deep.include({ ok: true, output: { total: 2 } });
      }
      await run.dispose();
    });
  }

  it('name the line where they fail', async () => {
    const source =
      'interface Input { a: number }\nexport const handler = async (input: Input) => {\n  nothing(input as any);\n};';
    expect(await diagnostic(source)).to.deep.include({
      code: 'function_failed',
      message: "ReferenceError: 'nothing' is not defined",
      hint: 'line 3',
      span: [81, 103],
    });
  });

  it('that are neither fail as JavaScript does', async () => {
    const { code, message } = await diagnostic('export const handler = (input => {');
    expect(code).to.equal('function_failed');
    expect(message).to.include('SyntaxError');
  });

  it('end within their limits where the types are an attack, and harm no other', async () => {
    const attacks = [
      `type A = ${'('.repeat(50_000)}x${')'.repeat(50_000)}; export const handler = () => 1`,
      `const x: any = ${'['.repeat(100_000)}`,
      `const x: any = ${'a ? (b) : '.repeat(30)}(c) => d; export const handler = () => 1`,
      `const x: any = ${'a?(b?('.repeat(14)}c${')=>d:e):f'.repeat(14)}`,
      `const x: ${'A<'.repeat(2000)}B${'>'.repeat(2000)} = 1; export const handler = () => 1`,
      `const a: number = 1;\n${'export const b: number = 1;\n'.repeat(30_000)}`,
    ];
    for (const source of attacks) {
      const took = ownTime();
      const reply = await call(source, { timeoutMs: 1000 });
      expect(took(), source.slice(0, 40)).to.be.below(allowedMs(4000));
      if (!reply.ok)
        expect(reply.diagnostic.code, source.slice(0, 40)).to.be.oneOf(['function_failed', 'timeout', 'limit_memory']);
      expect(await output(sources['enums, in declaration and use']!, { input: { a: 1 } })).to.deep.equal({ total: 2 });
    }
  });
});
