import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';
import { checkConditions } from '../../../../workers/engine/jdm/cellFaults.js';
import { readModel } from '../../../../workers/engine/jdm/model.js';
import { readWholeCondition } from '../../../../workers/engine/zen/wholeConditions.js';
import { expressions, graph, input, output, single, table, type NodeDraft } from '../../../support/engine.js';
import { allowedMs } from '../../../support/environment.js';

const declared = (properties: object): NodeDraft => ({
  ...input,
  content: { schema: JSON.stringify({ type: 'object', properties }) },
});

describe('the check of whole conditions', () => {
  it('asks before each of them whether there is time, not once for all of a node', () => {
    const statements = Array.from({ length: 5 }, (_, at) => ({ id: `c${at}`, condition: `score = ${at}` }));
    const model = graph([input, { id: 's', type: 'switchNode', content: { statements } }, output], ['in>s']);
    const node = readModel(model, () => undefined).nodes[1];
    if (node === undefined) throw new Error('there is no switch');
    let asked = 0;
    const told = checkConditions(node, () => true, { report: () => undefined, isLate: () => ++asked > 2 });
    expect([...told].map((pointer) => pointer.split('/').at(-2))).to.deep.equal(['0', '1']);
  });
});

describe('whole conditions as people write them', () => {
  const switched = (conditions: readonly string[], request: NodeDraft = input): unknown =>
    graph(
      [
        request,
        {
          id: 's',
          type: 'switchNode',
          content: { statements: conditions.map((condition, at) => ({ id: `c${at}`, condition })) },
        },
        output,
      ],
      ['in>s', ...conditions.map((_, at) => `s:c${at}>out`)],
    );
  const inTable = (condition: string): unknown => {
    const node = table('t', { inputs: ['score', ''], outputs: ['rate'] }, [{ i0: '> 1', i1: condition, o0: '5' }]);
    return single(node);
  };
  const found = (model: unknown) =>
    validate(model, { knows: () => true }).map(({ severity, pointer, message, repair, readings }) => ({
      ...{ severity, pointer, message, readings: readings ?? [repair ?? []].flat() },
    }));
  const naming = 'One `=` gives a value a name, and compares nothing: this never holds.';
  const otherwise = 'A condition is written otherwise here.';
  const chained = 'The second sign compares whether the first one holds: this never does.';
  const nothing = (name: string) =>
    `Nothing in this model is named \`${name}\`: it is null, unless the request has it.`;
  for (const [condition, message, ...readings] of [
    ['score = 600', naming, 'score == 600'],
    ['score=600', naming, 'score==600'],
    ['score = 600 or score = 601', naming, 'score == 600 or score == 601'],
    ['score > 5 and kind = "A"', naming, 'score > 5 and kind == "A"'],
    ['500 <= score <= 699', chained, '500 <= score and score <= 699'],
    ['1 < a.b < 5 or score > 9', chained, '1 < a.b and a.b < 5 or score > 9'],
    ['segment == Private', nothing('Private'), 'segment == "Private"'],
    ['segment = Private', naming, 'segment == "Private"'],
    ['segment in [Private, "Other"]', nothing('Private'), 'segment in ["Private", "Other"]'],
    ['score >= "500"', 'Texts have no order: this never holds.', 'score >= 500'],
    ['score >= 500 AND score < 700', otherwise, 'score >= 500 and score < 700'],
    ['score >= 500 & score < 700', otherwise, 'score >= 500 and score < 700'],
    ['score <> 5 Or x ≥ 2', otherwise, 'score != 5 or x >= 2'],
    ['rate > 5% und kind = "a = b & c"', otherwise, 'rate > 0.05 and kind == "a = b & c"'],
    ['score under 600', otherwise, 'score < 600'],
    ['customer.age 18 to 24', otherwise, 'customer.age in [18..24]'],
    ['score ≥ 1,000', otherwise, 'score >= 1000', 'score >= 1'],
    ['score > 10.000', 'Its point may stand between thousands.', 'score > 10', 'score > 10000'],
    ['score = 1.250', naming, 'score == 1.25', 'score == 1250'],
    ['score > 10.000 €', otherwise, 'score > 10', 'score > 10000'],
  ] as const) {
    it(`${condition} is told, with ${readings.join(' or ')} in its place`, () => {
      for (const [model, pointer] of [
        [switched([condition, '']), '/nodes/1/content/statements/0/condition'],
        [inTable(condition), '/nodes/1/content/rules/0/i1'],
      ] as const) {
        const told = found(model).filter((each) => each.pointer === pointer);
        expect(told).to.have.length(1);
        expect(told[0]).to.deep.include({ severity: 'warning', readings });
        expect(told[0]?.message).to.equal(message);
        expect(found(switched([readings[0], '']))).to.deep.equal([]);
      }
    });
  }

  for (const condition of [
    'score == 600',
    'x = score * 2; x > 600',
    'due > "2026-01-01"',
    '"Private" == segment',
    'score > limit',
    'score > 10.25',
    'score > 1.125',
    'a == b and b > 5',
    'approved',
    'not (a > 5) == true',
  ])
    it(`${condition} is as it is meant`, () => {
      expect(found(switched([condition, '']))).to.deep.equal([]);
      expect(found(inTable(condition))).to.deep.equal([]);
    });

  it('what nobody can read is told as ZEN tells it, and a name of the request is a field', () => {
    for (const condition of ['score beyond good', 'score > ', 'under 600', 'a b under 600']) {
      const [first, ...others] = found(switched([condition, '']));
      expect(others, condition).to.deep.equal([]);
      expect(first?.readings, condition).to.deep.equal([]);
    }
    const request = declared({ segment: { type: 'string' }, usual: { type: 'string' } });
    expect(found(switched(['segment == usual', ''], request))).to.deep.equal([]);
    expect(found(switched(['segment == Usual', ''], request))[0]?.readings).to.deep.equal(['segment == "Usual"']);
  });

  it('that are long take as much longer, and no more', () => {
    const begun = performance.now();
    expect(readWholeCondition(`score = ${'1'.repeat(400_000)}`)).to.have.length(1);
    expect(performance.now() - begun).to.be.below(allowedMs(1000));
  });

  it('an assignment in a node of expressions is one', () => {
    expect(found(single(expressions('e', { x: 'score = 600' })))).to.deep.equal([]);
  });
});
