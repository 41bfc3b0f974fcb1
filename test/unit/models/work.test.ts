import { expect } from 'chai';
import { createModelWork, type ModelAnswers, type ModelTask } from '../../../workers/models/index.js';
import { defaultRunLimits } from '../../../workers/protocol.js';
import { doubling, expressing, scripting } from '../../support/models.js';
import { programOf } from '../../support/tasks.js';

const work = createModelWork(defaultRunLimits);

async function done<K extends ModelTask['kind']>(task: Extract<ModelTask, { kind: K }>): Promise<ModelAnswers[K]> {
  const answer = await work.work<K>('workspace', task);
  if ('reason' in answer) throw new Error(answer.message);
  return answer;
}

const schemasOf = async (model: unknown): Promise<unknown> =>
  JSON.parse((await done({ kind: 'schema', bundle: programOf(model as object).bundle })).schemas) as unknown;

describe('work on models', () => {
  it('reads a model out of an item, in its one form, with what is odd about the item', async () => {
    const text = Buffer.from(
      `{"key":"a","content":{ "nodes" : [], "edges":[], "n": 1.50000000000000000001, "m": 1.50}, "x":1}`,
    );
    const { item, document } = await done({ kind: 'check', text, isItem: true });
    expect(item).to.deep.equal({ syntax: undefined, isObject: true, key: 'a', content: 'object', others: ['x'] });
    expect(Buffer.from(document?.text ?? []).toString()).to.equal(
      '{"nodes":[],"edges":[],"n":1.50000000000000000001,"m":1.50}',
    );
  });

  it('tells why an item holds no model', async () => {
    for (const [text, wanted] of [
      ['{"key":', { isObject: false, content: 'absent' }],
      ['[]', { isObject: false, content: 'absent', syntax: undefined }],
      ['{"key":1,"content":[]}', { isObject: true, key: null, content: 'other' }],
      ['{}', { isObject: true, key: undefined, content: 'absent' }],
    ] as const) {
      const { item, document } = await done({ kind: 'check', text, isItem: true });
      expect(item).to.deep.include(wanted);
      expect(document).to.equal(null);
    }
    const { item } = await done({ kind: 'check', text: Uint8Array.of(0x22, 0xff, 0x22), isItem: true });
    expect(item?.syntax).to.equal('it is not UTF-8 text');
  });

  it('infers schemas from names that are read and written, and those that a step hands on', async () => {
    expect(await schemasOf(expressing({ 'a.b': 'x.y + 1', c: 'len(names) > 0', d: "'text'" }))).to.deep.equal({
      input: {
        type: 'object',
        properties: {
          x: { type: 'object', properties: { y: { type: 'number' } } },
          names: {},
        },
      },
      output: {
        type: 'object',
        properties: {
          a: { type: 'object', properties: { b: { type: 'number' } } },
          c: { type: 'boolean' },
          d: { type: 'string' },
        },
      },
      inferred: true,
      about: 'Calculation: gives a.b, c, d.',
    });
  });

  it('gives a schema of anything, declared or not, also where nothing can be known', async () => {
    const empty = { input: { type: 'object' }, inferred: true };
    expect(await schemasOf(scripting('return 1'))).to.deep.include(empty);
    for (const odd of [null, [], {}, { nodes: 1 }, { nodes: [{ id: 1 }], edges: [null] }]) {
      expect(await schemasOf(odd)).to.deep.include({ inferred: true });
    }
    const declared = doubling(2) as { nodes: { content: unknown }[] };
    declared.nodes[0]!.content = { schema: '{"type":' };
    expect(await schemasOf(declared)).to.deep.include({ inferred: true });
  });

  it('compares two models with every digit', async () => {
    const model = (version: number, factor: string) => {
      const text = JSON.stringify(doubling(2)).replace('"nodes"', `"f":${factor},"nodes"`);
      return { version, text: Buffer.from(text) };
    };
    const [from, to] = [model(1, '1.00000000000000000001'), model(2, '1.00000000000000000002')];
    const { differences } = await done({ kind: 'differences', from, to });
    expect(Buffer.from(differences).toString()).to.equal(
      '{"from":1,"to":2,"nodes":[],"edges":[],"rows":[],"fields":[{"pointer":"/f","before":1.00000000000000000001,"after":1.00000000000000000002}]}',
    );
  });
});
