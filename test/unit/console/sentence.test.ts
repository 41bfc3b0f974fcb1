import { expect } from 'chai';
import type { Model, Trace } from '../../../src/console/api/types.js';
import { conditionsOf, sentencesOf } from '../../../src/console/graph/sentence.js';

describe('the conditions of a row are told as people write them', () => {
  for (const [cell, words] of [
    ['"Car"', 'Car'],
    ['[18..24]', '18–24'],
    ['>= 5', '≥ 5'],
    ['>= d("2026-01-31")', '≥ 2026-01-31'],
    ['< date("2026-01-31")', '< 2026-01-31'],
    ['>= date and time("2026-01-31T18:00:00")', '≥ 2026-01-31T18:00:00'],
    ['[d("2026-01-01")..d("2026-12-31")]', '2026-01-01–2026-12-31'],
    ['@"P1Y"', 'P1Y'],
    ['sum(d) > 5', 'sum(d) > 5'],
  ] as const)
    it(`${cell} is ${words}`, () => {
      expect(conditionsOf({ inputs: [{ id: 'a' }], rules: [{ a: cell }] }, 0)).to.equal(words);
    });
});

describe('an expression that is one word', () => {
  const told = (
    expressions: Readonly<Record<string, string>>,
    input: unknown,
    more: object = {},
  ): readonly string[] => {
    const list = Object.entries(expressions).map(([key, value], at) => ({ id: String(at), key, value }));
    const content = { expressions: list, ...more };
    const model = { nodes: [{ id: 'x', type: 'expressionNode', name: 'Calc', content }], edges: [] } as Model;
    const node = { id: 'x', name: 'Calc', input, output: {}, performance: '1ms', order: 1, traceData: {} };
    const trace: Trace = { x: node };
    return sentencesOf(model, trace).map(({ before, name, after, isWarning }) => {
      expect(isWarning).to.equal(true);
      return `${before} ${name} ${after}`;
    });
  };

  it('is told of where nothing of that name was given, with the text that it may be', () => {
    expect(told({ decision: 'approve', double: 'rate * 2' }, { rate: 2 })).to.deep.equal([
      'in Calc decision is null: no approve was given. A text is written "approve"',
    ]);
  });

  for (const [why, expressions, input, more] of [
    ['it was given, null as well', { decision: 'approve' }, { approve: null }, {}],
    ['a field goes on under its own name', { approve: 'approve' }, {}, {}],
    ['a row of the node makes it', { premium: '1', total: 'premium' }, {}, {}],
    ['it is a literal, a text or a path', { a: 'true', b: 'null', c: '"x"', d: 'a.b', e: '$.f', f: '' }, {}, {}],
    ['what it was given is not known', { decision: 'approve' }, null, {}],
    ['it is of each item of a list', { decision: 'approve' }, { items: [] }, { executionMode: 'loop' }],
    ['it is of a part of what came in', { decision: 'approve' }, {}, { inputField: 'customer' }],
  ] as const)
    it(`is left alone where ${why}`, () => expect(told(expressions, input, more)).to.deep.equal([]));
});
