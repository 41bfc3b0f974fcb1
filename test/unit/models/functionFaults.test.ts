import { expect } from 'chai';
import { createModelWork } from '../../../workers/models/inProcess.js';
import type { CheckAnswer } from '../../../workers/models/tasks.js';
import { defaultRunLimits } from '../../../workers/protocol.js';

describe('a function that does not parse', () => {
  const work = createModelWork(defaultRunLimits);
  const checked = async (...contents: readonly unknown[]): Promise<CheckAnswer['check']['diagnostics']> => {
    const functions = contents.map((content, at) => ({ id: `f${at}`, name: `F${at}`, type: 'functionNode', content }));
    const nodes = [{ id: 'i', name: 'I', type: 'inputNode' }, ...functions];
    const edges = functions.map(({ id }) => ({ id: `to ${id}`, sourceId: 'i', targetId: id }));
    const task = { kind: 'check', text: JSON.stringify({ nodes, edges }), isItem: false } as const;
    return ((await work.work<'check'>('any', task)) as CheckAnswer).check.diagnostics;
  };
  const module = (body: string): { source: string } => ({
    source: `export const handler = async (input) => {${body}};`,
  });

  it('is told with its place before it is run, in either version', async () => {
    const found = await checked(module('return 1; }'), 'const handler = (input) => input *;', module('return input;'));
    expect(found.map(({ nodeId, pointer, severity, code }) => ({ nodeId, pointer, severity, code }))).to.deep.equal([
      { nodeId: 'f0', pointer: '/nodes/1/content/source', severity: 'warning', code: 'syntax_error' },
      { nodeId: 'f1', pointer: '/nodes/2/content', severity: 'warning', code: 'syntax_error' },
    ]);
    expect(found[0]?.message).to.match(/^the function does not parse, so that each run of it fails: SyntaxError: /);
    expect(found[0]?.hint).to.match(/^line 1, column \d+$/);
  });

  it('is none where it is TypeScript, imports what it may, or would fail when it runs', async () => {
    const typed = {
      source: 'export const handler = async (input: { a: number }): Promise<number> => input.a as number;',
    };
    const imported = { source: "import dayjs from 'dayjs';\nexport const handler = () => dayjs().year();" };
    expect(await checked(typed, imported, module('throw new Error("no");'), { source: 'unknown();' })).to.deep.equal(
      [],
    );
    const broken = { source: 'export const handler = (input: number) => {\n  return input *;\n};' };
    expect((await checked(broken)).map(({ severity }) => severity)).to.deep.equal(['warning']);
  });

  it('does not keep the thread, nor others from being read, when it nests without end', async () => {
    const found = await checked({ source: '('.repeat(200_000) }, module('return 1;'), module('return 1; }'));
    expect(found.map(({ nodeId }) => nodeId).filter((id) => id !== 'f0')).to.deep.equal(['f2']);
  });
});
