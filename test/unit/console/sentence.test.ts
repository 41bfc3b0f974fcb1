import { expect } from 'chai';
import type { Model, Trace } from '../../../src/console/api/types.js';
import { compile, type Program, type Value } from '../../../workers/engine/index.js';
import { frozen } from '../../support/engine.js';
import { sentencesOf } from '../../../src/console/graph/sentence.js';
import { conditionsOf } from '../../../workers/models/narrate/conditions.js';

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

describe('what a decision did that a node runs', () => {
  const position = { x: 0, y: 0 };
  const end = (id: string, type: string): object => ({ id, type, name: id, position, content: {} });
  const edges = (...ids: readonly string[]): object[] =>
    ids.slice(1).map((targetId, at) => ({ id: `e${at}`, sourceId: ids[at], targetId }));
  const graph = (node: object): Model =>
    ({ nodes: [end('in', 'inputNode'), node, end('out', 'outputNode')], edges: edges('in', 'x', 'out') }) as Model;
  const runs = (key: string, more: object = {}): Model =>
    graph({ ...end('x', 'decisionNode'), name: `Ask ${key}`, content: { key, ...more } });
  const rates = (hitPolicy: string): Model =>
    graph({
      ...end('x', 'decisionTableNode'),
      name: 'Rates',
      content: {
        hitPolicy,
        inputs: [
          { id: 'a', field: 'score', name: 'Score' },
          { id: 'b', field: 'kind', name: 'Kind' },
        ],
        outputs: [{ id: 'o', field: 'rate', name: 'Rate' }],
        rules: [
          { _id: '1', a: '>= 750', b: '"Personal"', o: '1' },
          { _id: '2', a: '< 750', b: '', o: '2' },
          { _id: '3', a: '< 600', b: '', o: '3' },
        ],
      },
    });
  const toldOf = (model: Model, fact: object, called: Readonly<Record<string, Model>>): readonly string[] => {
    const resolve = (key: string): Program | undefined =>
      called[key] === undefined ? undefined : compile(called[key], { resolve });
    const { trace } = compile(model, { resolve }).run(fact as Value, { ...frozen, trace: true }) as { trace: Trace };
    return sentencesOf(model, trace).map(({ before, name, after }) => `${before} ${name} ${after}`);
  };

  it('is told by the rows of its tables, as of a table of the model itself, however deep they are', () => {
    const called = { rates: rates('first'), outer: runs('rates') };
    const fact = { score: 800, kind: 'Personal' };
    expect(toldOf(runs('rates'), fact, called)).to.deep.equal(['row 1 of Rates in Ask rates matched: ≥ 750, Personal']);
    expect(toldOf(runs('outer'), fact, called)).to.deep.equal(['row 1 of Rates in Ask outer matched: ≥ 750, Personal']);
  });

  it('is told where it failed, with the expression that says what was missing', () => {
    const expressions = [{ id: '1', key: 'ratio', value: 'debts / months' }];
    const model = graph({ ...end('x', 'expressionNode'), name: 'Ratios', content: { expressions } });
    expect(toldOf(model, { debts: 5 }, {})).to.deep.equal([
      ' Ratios failed in Row 1, ratio (debts / months): `/` does not take a number and a missing value (null): no months was given',
    ]);
  });

  it('is told of rows that only their results kept from matching, in a table of the model itself and in one that a node runs', () => {
    const table = rates('first');
    const [, node] = table.nodes;
    const content = node!.content as { rules: readonly object[] };
    const model = graph({ ...node, content: { ...content, rules: [{ o: 'bonus * 2' }, ...content.rules] } });
    const why =
      'row 1 would match, but its Rate (bonus * 2) could not be computed: `*` does not take a missing value (null) and a number';
    expect(toldOf(model, { score: 700 }, {})).to.deep.equal([`in Rates ${why}`, 'row 3 of Rates matched: < 750']);
    expect(toldOf(runs('rates'), { score: 700 }, { rates: model })).to.deep.equal([
      `in Rates of Ask rates ${why}`,
      'row 3 of Rates in Ask rates matched: < 750',
    ]);
  });

  it('is told once of a table of which several rows matched, or which ran for each item of a list', () => {
    expect(toldOf(runs('rates'), { score: 500 }, { rates: rates('collect') })).to.deep.equal([
      'rows 2, 3 of Rates in Ask rates matched',
    ]);
    const items = [
      { score: 500, kind: '' },
      { score: 800, kind: 'Personal' },
    ];
    const loop = runs('rates', { executionMode: 'loop', inputField: 'items', outputPath: 'items' });
    expect(toldOf(loop, { items }, { rates: rates('first') })).to.deep.equal([
      'rows 2, 1 of Rates in Ask rates matched',
    ]);
  });

  it('is told of a table that a node runs where no row of it matched, however deep it is, as of one of the model itself', () => {
    const fact = { score: 800, kind: 'Car' };
    const why = 'The nearest is row 1: Kind was “Car”, which does not fit Personal';
    expect(toldOf(rates('first'), fact, {})).to.deep.equal([`no row of Rates matched. ${why}`]);
    for (const hitPolicy of ['first', 'collect'] as const) {
      const called = { rates: rates(hitPolicy), outer: runs('rates') };
      expect(toldOf(runs('rates'), fact, called)).to.deep.equal([`no row of Rates in Ask rates matched. ${why}`]);
      expect(toldOf(runs('outer'), fact, called)).to.deep.equal([`no row of Rates in Ask outer matched. ${why}`]);
    }
    const loop = runs('rates', { executionMode: 'loop', inputField: 'items', outputPath: 'items' });
    const asked = (...items: object[]): readonly string[] => toldOf(loop, { items }, { rates: rates('first') });
    expect(asked(fact, fact)).to.deep.equal(['no row of Rates in Ask rates matched']);
    expect(asked(fact, { score: 500, kind: '' })).to.deep.equal(['row 2 of Rates in Ask rates matched']);
  });
});

describe('an expression that is one word', () => {
  const told = (
    expressions: Readonly<Record<string, string>>,
    input: unknown,
    more: object = {},
    output: object = {},
  ): readonly string[] => {
    const list = Object.entries(expressions).map(([key, value], at) => ({ id: String(at), key, value }));
    const content = { expressions: list, ...more };
    const model = { nodes: [{ id: 'x', type: 'expressionNode', name: 'Calc', content }], edges: [] } as Model;
    const node = { id: 'x', name: 'Calc', input, output, performance: '1ms', order: 1, traceData: {} };
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

  it('is told of as well where a division has no result, and what can stand for that', () => {
    const given = { total: 100, pieces: 0 };
    const divided = { per: 'total / pieces', 'of.rest': 'total % pieces', half: 'total / 2' };
    expect(told(divided, given, {}, { per: null, of: { rest: null }, half: 50 })).to.deep.equal([
      'in Calc per is null: total / pieces divides by 0. A value for that is written (total / pieces) ?? 0',
      'in Calc of.rest is null: total % pieces divides by 0. A value for that is written (total % pieces) ?? 0',
    ]);
    expect(told({ per: 'pieces == 0 ? null : total / pieces' }, given, {}, { per: null })).to.deep.equal([]);
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
