import { expect } from 'chai';
import { validate } from '../../../../workers/engine/jdm/validate.js';
import { allowedMs } from '../../../support/environment.js';
import { ownTime } from '../../../support/ownTime.js';

const schema = JSON.stringify({
  type: 'object',
  properties: {
    score: { type: 'number' },
    zip: { type: 'string' },
    either: { type: ['string', 'number'] },
    customer: { type: 'object', properties: { age: { type: 'integer' } } },
  },
});

interface Parts {
  readonly schema?: string;
  readonly condition?: string;
  readonly value?: string;
  readonly key?: string;
  readonly content?: object;
  readonly rules?: readonly string[];
}

/** A table of one input, then a switch, then an expression. */
function warnings({
  schema: own,
  condition = 'true',
  value = '1',
  key = 'out',
  content = {},
  rules = [],
}: Parts): unknown {
  const nodes = [
    { id: 'in', type: 'inputNode', name: 'In', content: own === undefined ? {} : { schema: own } },
    {
      ...{ id: 'table', type: 'decisionTableNode', name: 'Table' },
      content: {
        ...{ hitPolicy: 'first', passThrough: true, inputs: [{ id: 'i', name: 'Points', field: 'points' }] },
        outputs: [{ id: 'o', name: 'Fee', field: 'fee' }],
        rules: rules.map((i, at) => ({ _id: String(at), i, o: '1' })),
      },
    },
    { id: 'switch', type: 'switchNode', name: 'Switch', content: { statements: [{ id: 's', condition }] } },
    {
      ...{ id: 'expression', type: 'expressionNode', name: 'Expression' },
      content: { expressions: [{ id: 'e', key, value }], ...content },
    },
    { id: 'end', type: 'outputNode', name: 'Out', content: {} },
  ].map((node) => ({ ...node, position: { x: 0, y: 0 } }));
  const edge = (sourceId: string, targetId: string, sourceHandle?: string): object => ({
    ...{ id: `${sourceId} ${targetId}`, type: 'edge', sourceId, targetId },
    ...(sourceHandle === undefined ? {} : { sourceHandle }),
  });
  const edges = [
    edge('in', 'table'),
    edge('table', 'switch'),
    edge('switch', 'expression', 's'),
    edge('expression', 'end'),
  ];
  return validate({ nodes, edges }, { knows: () => false })
    .filter(({ message }) => message.includes('never the same'))
    .map(({ severity, pointer, message, hint, repair }) => [severity, pointer, message, hint, repair]);
}

const condition = '/nodes/2/content/statements/0/condition';
const value = '/nodes/3/content/expressions/0/value';

describe('a comparison of a number with a text', () => {
  it('is told in a switch, with what to write, where the request says what the field is', () => {
    expect(warnings({ schema, condition: 'score == "500"' })).to.deep.equal([
      [
        ...['warning', condition, '`score` is a number, and "500" is a text: they are never the same.'],
        ...['For what is meant write score == 500.', 'score == 500'],
      ],
    ]);
  });

  it('is told in an expression, on either side, of lists, of paths, and of texts with numbers', () => {
    for (const [source, repair] of [
      ['score != "500" ? 1 : 2', 'score != 500 ? 1 : 2'],
      ['"500" == score', '500 == score'],
      ['score in ["500", "600.5"]', 'score in [500, 600.5]'],
      ['customer.age == "18" and score == "5"', 'customer.age == 18 and score == 5'],
      ['zip == 10115', 'zip == "10115"'],
    ] as const)
      expect(
        (warnings({ schema, value: source }) as unknown[][]).map(([, at, , , meant]) => [at, meant]),
        source,
      ).to.deep.equal([[value, repair]]);
  });

  it('is told where a table says what the field is', () => {
    const rules = ['< 5', '[5..10]', '> 10'];
    expect((warnings({ rules, condition: 'points == "7"' }) as unknown[][]).map(([, at]) => at)).to.deep.equal([
      condition,
    ]);
    expect(warnings({ rules: ['"7"', '"8"'], condition: 'points == "7"' })).to.deep.equal([]);
  });

  it('is none where the field may be either, is written by a node, or is known by nobody, and where the values fit', () => {
    for (const source of [
      'score == 500',
      'zip == "10115"',
      'either == "5"',
      'other == "5"',
      'score == null',
      'score == "high"',
    ])
      expect(warnings({ schema, condition: source }), source).to.deep.equal([]);
    expect(warnings({ schema, key: 'score', condition: 'score == "500"' })).to.deep.equal([]);
    expect(warnings({ schema, value: 'some(rows as score, score == "5")' })).to.deep.equal([]);
    expect(warnings({ schema, value: 'score == "5"', content: { inputField: 'customer' } })).to.deep.equal([]);
  });

  it('is looked for in time that grows with the names, where thousands are written and thousands declared', () => {
    const names = Array.from({ length: 32_000 }, (_, at) => `field${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' }]));
    const expressions = names.map((name) => ({ id: name, key: `${name}s`, value: '1' }));
    const content = { expressions: [{ id: 'e', key: 'out', value: 'field0 == "5"' }, ...expressions] };
    const took = ownTime();
    const told = warnings({ schema: JSON.stringify({ type: 'object', properties }), content });
    expect(took()).to.be.below(allowedMs(1000));
    expect(told).to.have.length(1);
  });
});
