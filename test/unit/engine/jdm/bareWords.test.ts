import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';

const node = (id: string, type: string, content: object): object => ({ id, type, name: id, content });
const expressions = (list: Readonly<Record<string, string>>, more: object = {}): object => ({
  expressions: Object.entries(list).map(([key, value], at) => ({ id: `${at}`, key, value })),
  ...more,
});

interface Parts {
  readonly request?: object;
  /** Nodes between the request and the expressions. */
  readonly before?: readonly object[];
  readonly more?: object;
  readonly tests?: readonly object[];
}

/** What is told of a request, nodes one after the other, and these expressions. */
function told(list: Readonly<Record<string, string>>, { request = {}, before = [], more, tests = [] }: Parts = {}) {
  const nodes = [node('in', 'inputNode', request), ...before, node('calc', 'expressionNode', expressions(list, more))];
  const all = [...nodes, node('out', 'outputNode', {})] as { id: string }[];
  const edges = all.slice(1).map(({ id }, at) => ({ id: `e${at}`, sourceId: all[at]!.id, targetId: id }));
  return validate({ nodes: all, edges, tests }, { knows: () => true }).map(({ severity, message, hint, label }) => ({
    ...{ severity, message, hint, label },
  }));
}

const warning = {
  severity: 'warning',
  message: 'Nothing else in this model is named `approve`: it is null, unless the request has it.',
  hint: 'For a text write "approve".',
  label: 'expression decision',
};
const rate = { rate: 'score * 2' };

describe('an expression that is one word', () => {
  it('is warned of where nothing else in the model is named so, with the text that it may be', () => {
    expect(told({ ...rate, decision: 'approve' })).to.deep.equal([warning]);
    expect(told({ ...rate, decision: 'approve', other: 'approve' }).map(({ label }) => label)).to.deep.equal([
      'expression decision',
      'expression other',
    ]);
  });

  it('gets the same hint where the request is declared', () => {
    const schema = { type: 'object', properties: { score: { type: 'number' } } };
    const found = told({ ...rate, decision: 'approve' }, { request: { schema } });
    expect(found.map(({ hint, label }) => [hint, label])).to.deep.equal([[warning.hint, warning.label]]);
  });

  const table = {
    inputs: [{ id: 'a', name: 'approve', field: 'approve' }],
    outputs: [{ id: 'o', name: 'fee', field: 'fee' }],
    rules: [{ _id: 'r', a: '> 5', o: '1' }],
    passThrough: true,
  };
  for (const [why, list, parts] of [
    ['another expression reads it', { ...rate, decision: 'approve', half: 'approve / 2' }, {}],
    ['a node before writes it', { ...rate, decision: 'fee' }, { before: [node('t', 'decisionTableNode', table)] }],
    ['a table tests it', { ...rate, decision: 'approve' }, { before: [node('t', 'decisionTableNode', table)] }],
    ['a test of the model has it', { ...rate, decision: 'approve' }, { tests: [{ name: 'a', input: { approve: 1 } }] }],
    [
      'a function may give it',
      { ...rate, decision: 'approve' },
      { before: [node('f', 'functionNode', { source: '' })] },
    ],
    ['it is of each item of a list', { ...rate, decision: 'approve' }, { more: { executionMode: 'loop' } }],
    ['the model reads no other field', { decision: 'approve', other: '1' }, {}],
    ['it is a text, a literal or a path', { ...rate, a: '"approve"', b: 'true', c: 'null', d: 'x.y' }, {}],
  ] as const)
    it(`is left alone where ${why}`, () => expect(told(list, parts)).to.deep.equal([]));
});
