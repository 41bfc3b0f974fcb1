import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';
import { expressions, graph, input, output, single, table, type NodeDraft } from '../../../support/engine.js';

/** The warnings of a model: where, what, and what to do about it. */
const warningsOf = (model: unknown): string[] =>
  validate(model, { knows: () => true }).map(({ severity, pointer, message, hint }) =>
    `${severity ?? 'error'} ${pointer ?? ''} ${message} ${hint ?? ''}`.trim(),
  );

const columns = { inputs: ['product', 'score'], outputs: ['rate'] };
const rates = (cells: Readonly<Record<string, string>>): unknown =>
  single(table('t', columns, [{ i0: '"Personal"', i1: '> 1', o0: '5' }, cells]));
const declared = (properties: object): NodeDraft => ({
  ...input,
  content: { schema: JSON.stringify({ type: 'object', properties }) },
});

describe('what people write in cells as in a spreadsheet', () => {
  for (const [cell, message, hint] of [
    ['Personal', 'Nothing in this model is named `Personal`: it is null, unless the request has it.', '"Personal"'],
    [
      'Car, Boat',
      'Nothing in this model is named `Car`: it is null, unless the request has it.',
      '"Car", "Boat", or write "Car, Boat"',
    ],
    ['Car loan', undefined, '"Car loan"'],
    ['750-850', 'A range is written otherwise here.', '[750..850]'],
    ['750 – 850', undefined, '[750..850]'],
    ['2,50', '2,50 may mean 2 things: write 2.5, or', '2, 50'],
    ['> 1,5', undefined, '> 1.5'],
    ['50 %', undefined, '0.5'],
    ['>= 7.25%', undefined, '>= 0.0725'],
    ['2024-01-31', undefined, '"2024-01-31"'],
  ] as const) {
    it(`${cell} as a condition is a warning that says to write ${hint}`, () => {
      const [warning, ...others] = warningsOf(rates({ i0: cell, i1: '> 2', o0: '1' }));
      expect(others).to.deep.equal([]);
      expect(warning).to.match(/^warning \/nodes\/1\/content\/rules\/1\/i0 /);
      expect(warning?.endsWith(` write ${hint}.`), warning).to.equal(true);
      if (message !== undefined) expect(warning).to.contain(message);
    });
  }

  for (const [cell, hint] of [
    ['Refused', '"Refused"'],
    ['1,5', '1.5'],
    ['100%', '1'],
    ['0,5 %', '0.005'],
    ['2024-01-31', '"2024-01-31"'],
  ] as const) {
    it(`${cell} as a result is told, with ${hint} in its place`, () => {
      const [warning, ...others] = warningsOf(rates({ i0: '"Car"', o0: cell }));
      expect(others).to.deep.equal([]);
      expect(warning).to.match(/^warning \/nodes\/1\/content\/rules\/1\/o0 /);
      expect(warning?.endsWith(` write ${hint}.`), warning).to.equal(true);
    });
  }

  for (const [cell, name] of [
    ['> age', 'age'],
    ['age > 5', 'age'],
    ['[age..25]', 'age'],
    ['len(age) > 5', 'age'],
    ['age + 1', 'age'],
    ['Score > 5', 'Score'],
  ] as const) {
    it(`${cell} as a condition is told, where nothing is named \`${name}\``, () => {
      const [warning, ...others] = warningsOf(rates({ i0: '"Car"', i1: cell, o0: '1' }));
      const hint = name === 'Score' ? ' Did you mean `score`?' : '';
      const message = `Nothing in this model is named \`${name}\`: it is null, unless the request has it.${hint}`;
      expect([warning, ...others]).to.deep.equal([`warning /nodes/1/content/rules/1/i1 ${message}`]);
    });
  }

  it('takes a path, and a name that several cells compute with, for a field of the request', () => {
    for (const [one, other] of [
      ['price * 2', 'price * 3'],
      ['customer.price * 2', 'null'],
    ])
      expect(
        warningsOf(single(table('t', columns, [{ i0: '"A"', o0: one! }, { i0: '"B"', o0: other! }, { o0: '1' }]))),
      ).to.deep.equal([]);
  });

  for (const cell of ['[1..5]', 'score > 5', 'score in [1, 2]']) {
    it(`${cell} as a result among numbers is told`, () => {
      const rows = ['1', '2', '3', cell].map((o0, row) => ({ i1: String(row), o0 }));
      const [warning, ...others] = warningsOf(single(table('t', columns, rows)));
      expect([warning?.slice(0, 76), ...others]).to.deep.equal([
        'warning /nodes/1/content/rules/3/o0 This column has numbers, and this is som',
      ]);
    });
  }

  it('says nothing of what is written as ZEN has it', () => {
    for (const cell of [
      ...['"Car"', "'Car'", '1, 5', '[750..850]', '750 - score', 'score', '$ > 5', '-1.5', 'true', 'null'],
    ])
      expect(warningsOf(rates({ i0: cell, i1: '> 2', o0: '1' })), cell).to.deep.equal([]);
    for (const cell of ['product', '750 * 2', 'score * 2', 'null'])
      expect(warningsOf(rates({ i0: '"Car"', o0: cell })), cell).to.deep.equal([]);
  });
});

describe('names that lead nowhere', () => {
  const person = { customer: { type: 'object', properties: { age: { type: 'number' } } }, amount: { type: 'number' } };

  it('are told where the request says which fields it has, with the one that is meant', () => {
    const model = graph(
      [
        declared(person),
        expressions('e', { a: 'ammount * 2', b: 'customer.agee', c: 'customer.age + amount' }),
        output,
      ],
      ['in>e', 'e>out'],
    );
    expect(warningsOf(model)).to.deep.equal([
      'warning /nodes/1/content/expressions/0/value Neither the request nor a node before this one has a field `ammount`: it is null. Did you mean `amount`?',
      'warning /nodes/1/content/expressions/1/value `customer` has no field `agee`: it is null. Did you mean `customer.age`?',
    ]);
  });

  it('are told behind a node that passes nothing on but what it writes', () => {
    const first = expressions('e', { total: 'amount * 2' });
    const then = (source: string) => expressions('f', { x: source });
    const chain = (source: string, more: object) =>
      graph(
        [input, { ...first, content: { ...(first.content as object), ...more } }, then(source), output],
        ['in>e', 'e>f', 'f>out'],
      );
    const [message, ...others] = warningsOf(chain('amount', {}));
    expect(others).to.deep.equal([]);
    expect(message).to.include(
      'No node before this one gives a field `amount`, and `e` does not pass on what the request has (“Pass on what comes in”, in its settings): it is null.',
    );
    for (const source of [
      'total',
      'map([1], # + 1)',
      'map([1] as y, y)',
      'z = total; z',
      'total > 1 ? {amount: total} : null',
    ])
      expect(warningsOf(chain(source, {})), source).to.deep.equal([]);
    expect(warningsOf(chain('amount', { passThrough: true }))).to.deep.equal([]);
    expect(warningsOf(chain('amount', { executionMode: 'loop' }))).to.deep.equal([]);
  });

  it('are nothing to tell of where a schema is open, or a function writes', () => {
    const open = { ...input, content: { schema: { type: 'object', properties: {}, additionalProperties: true } } };
    const used = expressions('e', { a: 'whatever' });
    expect(warningsOf(graph([open, used, output], ['in>e', 'e>out']))).to.deep.equal([]);
    const script = { id: 'js', type: 'functionNode', content: { source: 'export const handler = async () => ({})' } };
    const model = graph([declared(person), script, used, output], ['in>js', 'js>e', 'e>out']);
    expect(warningsOf(model)).to.deep.equal([]);
  });
});

describe('rows that do nothing', () => {
  const rows = [
    { i0: '"Car"', i1: '> 5', o0: '1' },
    { i0: '"Boat"', o0: '2' },
    { i0: '"Car"', i1: ' > 5 ', o0: '3' },
  ];

  it('are those with the conditions of an earlier one, where the first match counts', () => {
    expect(warningsOf(single(table('t', columns, rows)))).to.deep.equal([
      'warning /nodes/1/content/rules/2 This row has the conditions of row 1, which comes first.',
    ]);
    expect(warningsOf(single(table('t', columns, rows, { hitPolicy: 'collect' })))).to.deep.equal([]);
  });

  it('are those that are there twice, where all matches count', () => {
    const twice = [...rows, { i0: '"Car"', i1: '> 5', o0: '1' }];
    expect(warningsOf(single(table('t', columns, twice, { hitPolicy: 'collect' })))).to.deep.equal([
      'warning /nodes/1/content/rules/3 This row is the same as row 1: it counts twice.',
    ]);
  });

  it('are expressions without a key', () => {
    const [warning, ...others] = warningsOf(single(expressions('e', { '': 'a + 1', x: '1' })));
    expect(others).to.deep.equal([]);
    expect(warning).to.match(/^warning \/nodes\/1\/content\/expressions\/0\/key .*goes nowhere/);
  });
});
