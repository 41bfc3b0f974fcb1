import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';
import { expressions, graph, input, output, table, type NodeDraft } from '../../../support/engine.js';

const handingOn = (node: NodeDraft): NodeDraft => ({
  ...node,
  content: { ...(node.content as object), passThrough: true },
});

/** It hands on what comes in, so that nobody knows all that comes out. */
const base = handingOn(
  expressions('Base', { Freight: 'weight * 2', rateA: '1', height: '2', item: '3', minAmount: '4' }),
);

/** What is offered for a row behind a node that gives names. */
function offered(
  source: string,
  more: { readonly first?: NodeDraft; readonly tests?: readonly unknown[] } = {},
): unknown {
  const { first = input, tests = [] } = more;
  const nodes = [first, base, expressions('Sum', { Net: source }), output];
  const model = graph(nodes, ['in>Base', 'Base>Sum', 'Sum>out']) as object;
  return validate({ ...model, tests }, { knows: () => true }).map(({ message, readings, severity }) => [
    severity,
    message,
    readings,
  ]);
}

describe('a name that nothing gives, a slip away from one that a node before gives', () => {
  for (const name of ['Freigth', 'Freght', 'Freeight', 'Freihht', 'freight'])
    it(`is told, and the other is offered: ${name}`, () => {
      expect(offered(`${name} * 2 + ${name}`)).to.deep.equal([
        [
          'warning',
          `Nothing gives \`${name}\`, unless the request has it; \`Freight\` is given by Base.`,
          ['Freight * 2 + Freight', `${name} * 2 + ${name}`],
        ],
      ]);
    });

  it('is told of a name with blanks, which is read of the root', () => {
    const nodes = [
      input,
      expressions('Base', { 'Base price': '2' }),
      expressions('Sum', { Net: '$root["Base prise"] * 2' }),
    ];
    const found = validate(graph([...nodes, output], ['in>Base', 'Base>Sum', 'Sum>out']), { knows: () => true });
    expect(found.map(({ readings }) => readings)).to.deep.equal([
      ['$root["Base price"] * 2', '$root["Base prise"] * 2'],
    ]);
  });

  it('is told in a condition of a switch, and where others read the name', () => {
    const way: NodeDraft = {
      id: 's',
      type: 'switchNode',
      content: { statements: [{ id: 'a', condition: 'wieght > 3' }] },
    };
    const columns = handingOn(table('t', { inputs: ['weight'], outputs: ['x'] }, [{ i0: '> 5', o0: '1' }]));
    const found = validate(graph([input, columns, way, output], ['in>t', 't>s', 's:a>out']), { knows: () => true });
    expect(found.map(({ readings }) => readings)).to.deep.equal([['weight > 3', 'wieght > 3']]);
  });

  it('is offered, too, where all that comes in is known', () => {
    const nodes = [input, expressions('Base', { Freight: '2' }), expressions('Sum', { Net: 'Freigth * 2' }), output];
    const found = validate(graph(nodes, ['in>Base', 'Base>Sum', 'Sum>out']), { knows: () => true });
    expect(found.map(({ readings }) => readings)).to.deep.equal([['Freight * 2', 'Freigth * 2']]);
  });

  for (const name of ['rateB', 'weight', 'items', 'maxAmount', 'Fuel', 'Freight'])
    it(`is not told of a name that is another: ${name}`, () => expect(offered(`${name} * 2`)).to.deep.equal([]));

  it('is not told where the schema of the request, or a test, has it', () => {
    const schema = JSON.stringify({ type: 'object', properties: { Freigth: {} }, additionalProperties: true });
    expect(offered('Freigth * 2', { first: { ...input, content: { schema } } })).to.deep.equal([]);
    expect(offered('Freigth * 2', { tests: [{ name: 'a', input: { Freigth: 5 } }] })).to.deep.equal([]);
  });
});

describe('a word that is a whole expression', () => {
  const told = (
    nodes: readonly NodeDraft[],
    more: { readonly first?: NodeDraft; readonly tests?: readonly unknown[] } = {},
  ): readonly unknown[] => {
    const all = [more.first ?? input, ...nodes, output];
    const edges = all.slice(1).map(({ id }, at) => `${all[at]?.id ?? ''}>${id}`);
    const model = { ...(graph(all, edges) as object), tests: more.tests ?? known };
    return validate(model, { knows: () => true })
      .filter(({ severity }) => severity === 'warning')
      .map(({ message, readings }) => [message, readings]);
  };
  const room = expressions('Room', { room: 'Board' });
  const known = [{ name: 'a', input: { kind: 'x' } }];

  it('is told where neither the tests nor anything else in the model knows the word, with the text that it may be', () => {
    const answers = handingOn(table('t', { inputs: ['kind'], outputs: ['x'] }, [{ i0: '"Board"', o0: '"Board"' }]));
    const message = 'Nothing in this model is named `Board`: it is null, unless the request has it.';
    for (const nodes of [[room], [answers, room], [room, answers]])
      expect(told(nodes)).to.deep.include([message, ['"Board"', 'Board']]);
  });

  for (const [title, nodes, more] of [
    ['no test says what a request has', [room], { tests: [] }],
    ['a test has it', [room], { tests: [{ name: 'a', input: { Board: 5 } }] }],
    [
      'the schema of the request has it',
      [room],
      { first: { ...input, content: { schema: { properties: { Board: {} } } } } },
    ],
    ['another expression reads it', [expressions('Room', { room: 'Board', other: 'Board + 1' })], {}],
    [
      'a cell of a table reads it',
      [handingOn(table('t', { inputs: ['kind'], outputs: ['x'] }, [{ i0: '5', o0: 'Board * 2' }])), room],
      {},
    ],
    [
      'a column of a table reads it',
      [handingOn(table('t', { inputs: ['Board'], outputs: ['x'] }, [{ i0: '5', o0: '2' }])), room],
      {},
    ],
    ['it goes on under its own name', [expressions('Room', { Board: 'Board' })], {}],
    [
      'a node before it may give it',
      [{ id: 'f', type: 'functionNode', content: { source: 'export const handler = (x) => x;' } }, room],
      {},
    ],
    [
      'it is of each item of a list',
      [{ ...room, content: { ...(room.content as object), inputField: 'items', executionMode: 'loop' } }],
      {},
    ],
    [
      'it is a text, a path or a literal',
      [expressions('Room', { room: '"Board"', a: 'Board.x', b: 'null', c: 'true' })],
      {},
    ],
  ] as const)
    it(`is left alone where ${title}`, () => expect(told(nodes, more)).to.deep.equal([]));
});
