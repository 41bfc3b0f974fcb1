import { expect } from 'chai';
import fc from 'fast-check';
import { analyse, compileProperties } from '../../../workers/analysis/index.js';
import type { Property, ReportedProperty } from '../../../workers/analysis/report.js';
import { compile, compileExpression, defaultLimits, type Value } from '../../../workers/engine/index.js';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import { runOn } from '../../../workers/analysis/witness.js';
import { isLong } from '../../support/environment.js';

const fields = ['n', 'a.m', 't'];
const bound = fc.integer({ min: 0, max: 4 });
const comparison = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), bound)
  .map(([operator, value]) => `${operator} ${value}`);
const numberCell = fc.oneof(
  fc.constant(''),
  comparison,
  fc.tuple(fc.constantFrom('[', '('), bound, bound).map(([open, low, high]) => `${open}${low}..${high}]`),
  fc.constantFrom('not ($ > 1)', '1, 3', '== null', '$ != 2', 'bool($)', 'bool($ > 1)', 'true'),
);
const textCell = fc.constantFrom('', "'a'", "'a', 'b'", "not in ['a']", '== null', "$ != 'c'", 'true', "'1'");
const rows = fc.array(fc.tuple(numberCell, numberCell, textCell, fc.constantFrom('1', '2', "'x'", '1.5', '')), {
  maxLength: 6,
});
const factPart = fc.oneof(
  fc.tuple(fc.constantFrom('fact.n', 'fact.a.m', 'fact.k'), comparison).map(([path, test]) => `${path} ${test}`),
  fc.constantFrom(
    "fact.t == 'a'",
    'fact.t == null',
    'fact.t',
    "fact.k in ['x', 1]",
    'bool(fact.n)',
    'fact.n in [1..2)',
  ),
);
const resultPart = fc.constantFrom(
  'result.o == 1',
  "result.o != 'x'",
  'result.o > 1',
  'result.o == null',
  'result.p == 2',
);
const parts = fc.oneof(
  factPart,
  resultPart,
  resultPart.map((part) => `not (${part})`),
);
const sources = fc
  .array(fc.tuple(fc.constantFrom(' and ', ' or '), parts), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([join, part], index) => (index === 0 ? part : `${join}${part}`)).join(''));
const kinds = fc.oneof(
  bound,
  bound.map((value) => value + 0.5),
  fc.constantFrom<Value[]>(null, 'a', '1', '', 'true', true, false, -1, 99, 1e300, 5e-324, [], [1], {}, { m: 1 }),
);
const facts = fc.record(
  {
    n: kinds,
    a: fc.oneof(fc.record({ m: kinds }, { requiredKeys: [] }), kinds),
    t: fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), kinds),
    k: kinds,
  },
  { requiredKeys: [] },
);

const modelOf = (cells: readonly (readonly string[])[]) => {
  const content = {
    hitPolicy: 'first',
    inputs: fields.map((field) => ({ id: field, field })),
    outputs: [{ id: 'o', field: 'o' }],
    rules: cells.map((row) => ({ ...Object.fromEntries(fields.map((field, at) => [field, row[at]])), o: row[3] })),
  };
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in' },
      { id: 'table', type: 'decisionTableNode', name: 'table', content },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  };
};

const programOf = (model: object) => compile(model, { resolve: () => undefined });

async function reported(model: object, properties: readonly Property[]): Promise<readonly ReportedProperty[]> {
  const { checked, faults } = compileProperties(properties);
  expect(faults).to.deep.equal([]);
  const version = { document: model, program: programOf(model), linked: '' };
  const { report, unconfirmed } = await analyse({ version, properties: checked, until: performance.now() + 60_000 });
  expect(unconfirmed).to.equal(0);
  return report.properties;
}

/** Whether a condition is true, said by the engine alone. */
function isTrue(source: string, data: Value): boolean {
  const run = { limits: defaultLimits, steps: 1e6, deadline: Infinity, now: () => 0, random: () => 0 };
  try {
    return compileExpression(source)({ data, reference: null, nodes: null, env: {}, run }) === true;
  } catch {
    return false;
  }
}

describe('properties of models', () => {
  it('are never proved where a random fact refutes them, and are refuted by facts that do', async () => {
    let proved = 0;
    await fc.assert(
      fc.asyncProperty(rows, sources, fc.array(facts, { minLength: 60, maxLength: 60 }), async (cells, source, all) => {
        const model = modelOf(cells);
        const program = programOf(model);
        const [never, always] = await reported(model, [
          { name: 'never', never: source },
          { name: 'always', always: source },
        ]);
        for (const [property, wanted] of [
          [never, false],
          [always, true],
        ] as const) {
          if (property?.status === 'proved') proved++;
          for (const fact of property?.status === 'proved' ? all : []) {
            const seen = await runOn(program, fact, noDeadline);
            const data = { fact: fact as Value, result: seen?.result ?? null };
            expect(isTrue(source, data), JSON.stringify(data)).to.equal(wanted);
          }
          if (property?.status === 'refuted')
            expect(isTrue(source, property.witness as unknown as Value)).to.equal(!wanted);
        }
      }),
      { numRuns: isLong ? 60 : 30 },
    );
    expect(proved, 'some are proved').to.be.greaterThan(5);
  });

  it('are decided, one way or the other, where a model is one table of comparisons', async () => {
    const model = modelOf([
      ['< 2', '', '', '1'],
      ['>= 2', '', "'a'", '2'],
    ]);
    const properties = [
      { name: 'small', always: 'result.o == null or result.o < 3' },
      { name: 'of a field that the model does not read', never: 'fact.other == 1 and result.o == 7' },
      { name: 'rare', never: "fact.n > 1e12 and fact.t == 'a'" },
    ];
    expect((await reported(model, properties)).map(({ status }) => status)).to.deep.equal([
      'proved',
      'proved',
      'refuted',
    ]);
  });

  it('are not proved of a model with a schema, a computed result or another node, and say why', async () => {
    const property = [{ name: 'small', never: 'result.o > 5' }];
    const plain = modelOf([['< 2', '', '', '1']]);
    const [input, table] = plain.nodes as [object, { content: { rules: object[] } }];
    const schema = { ...plain, nodes: [{ ...input, content: { schema: '{"type":"object"}' } }, table] };
    const computed = modelOf([['< 2', '', '', 'n']]);
    const more = {
      nodes: [...plain.nodes, { id: 'calc', type: 'expressionNode', name: 'calc', content: { expressions: [] } }],
      edges: [...plain.edges, { id: 'f', sourceId: 'table', targetId: 'calc' }],
    };
    for (const [model, reason] of [
      [schema, 'the model has a schema, which tells more facts apart than its table does'],
      [computed, 'its results are computed'],
      [more, 'the model is not one table between its input and its output'],
    ] as const)
      expect(await reported(model, property)).to.deep.equal([
        { name: 'small', status: 'unknown', witness: null, reason },
      ]);
    const proved = { name: 'small', status: 'proved', witness: null, reason: null };
    expect(await reported(plain, property)).to.deep.equal([proved]);
  });

  it('say how a name with blanks or other letters is written, however it was tried', () => {
    for (const [source, written] of [
      ["result.'Final price' > 3", "result['Final price']"],
      ['result."Final price" > 3', "result['Final price']"],
      ['true and result.Final price > 3', "result['Final price']"],
      ['fact.Order total > 3 and true', "fact['Order total']"],
      ["fact.order.'in total' == 1", "fact.order['in total']"],
      ['result.Größe > 1', "result['Größe']"],
      ['fact."Buyer\'s name" == 1', 'fact["Buyer\'s name"]'],
    ] as const) {
      const [fault] = compileProperties([{ name: 'named', never: source }]).faults;
      expect(fault?.message).to.match(/; a name with blanks or other letters stands in brackets: `.*`$/);
      expect(fault?.message).to.include(`: \`${written}\``);
      expect(compileProperties([{ name: 'named', never: `${written} == 1` }]).faults).to.deep.equal([]);
    }
    const [other] = compileProperties([{ name: 'other', never: 'fact.a + > 3' }]).faults;
    expect(other?.message).not.to.include('brackets');
  });
});
