import { expect } from 'chai';
import { decidedIn, othersIn, withOthers, withPassedOn } from '../../../src/console/facts/passedOn.js';
import { decidedFirst } from '../../../src/console/graph/fields.js';
import { missedOf } from '../../../src/console/tests/coverage.js';
import { Reaching } from '../../../src/console/tests/reaching.js';

describe('what a decision passes on beside what it decides', () => {
  const test = { name: 'a', input: { age: 40, of: { zone: 'A' } }, output: { price: 5 } };

  it('is expected by a test that says nothing of it', () => {
    const given = { age: 40, of: { zone: 'A' }, price: 6, more: 1 };
    expect(withPassedOn(test, given)).to.deep.equal({ ...test, output: { age: 40, of: { zone: 'A' }, price: 5 } });
  });

  it('is what came alone: what was changed or decided is for its author to expect', () => {
    expect(withPassedOn(test, { age: 41, price: 5 })).to.deep.equal(test);
    expect(withPassedOn({ ...test, output: { age: 1 } }, { age: 40 }).output).to.deep.equal({ age: 1 });
    for (const none of [undefined, null, 'a text', [1]]) expect(withPassedOn(test, none)).to.deep.equal(test);
  });

  it('stands beside what nobody has said of any test, which is expected as it is now', () => {
    const said = new Set(['age', 'of', 'price']);
    const given = { age: 41, price: 6, base: 4, share: 0.1 };
    expect(withOthers(test, given, said)).to.deep.equal({ ...test, output: { base: 4, share: 0.1, price: 5 } });
    expect(othersIn(given, said)).to.deep.equal([
      ['base', 4],
      ['share', 0.1],
    ]);
    for (const none of [undefined, null, 'a text', [1]]) expect(withOthers(test, none, said)).to.deep.equal(test);
  });

  it('comes after what is decided, where all of an answer is shown', () => {
    const output = { age: 40, of: { zone: 'A' }, price: 5, tax: 1 };
    expect(Object.keys(decidedFirst(test.input, output) as object)).to.deep.equal(['price', 'tax', 'age', 'of']);
    for (const same of [{ price: 5, age: 41 }, null, [1], 'a text'])
      expect(decidedFirst(test.input, same)).to.deep.equal(same);
  });

  it('is not read again beside what is decided, unless there is nothing else', () => {
    expect(decidedIn({ ...test, output: { age: 40, price: 5 } })).to.deep.equal({ price: 5 });
    expect(decidedIn({ ...test, output: { age: 40 } })).to.deep.equal({ age: 40 });
    expect(decidedIn({ ...test, output: 5 })).to.equal(5);
  });
});

describe('what the tests of a draft reach', () => {
  const table = { hitPolicy: 'first', inputs: [], outputs: [], rules: [{ _id: 'r1' }, { _id: 'r2' }, { _id: 'r3' }] };
  const statements = [
    { id: 's1', condition: 'a > 1' },
    { id: 's2', condition: '' },
  ];
  const nodes = [
    { id: 'in', type: 'inputNode', name: 'Request', position: null, content: {} },
    { id: 't', type: 'decisionTableNode', name: 'Rates', position: null, content: table },
    { id: 's', type: 'switchNode', name: 'Way', position: null, content: { statements } },
    { id: 'x', type: 'expressionNode', name: 'Sum', position: null, content: { expressions: [] } },
  ];
  const traced = (id: string, traceData: unknown) => ({
    [id]: { id, name: id, order: 1, input: {}, output: {}, performance: null, traceData } as never,
  });

  it('is told as of a version: rows and branches by number, nodes where no run came to them', () => {
    const reaching = new Reaching();
    for (const index of [0, 2]) reaching.see({ nodes }, traced('t', { index, rule: { _id: `r${index + 1}` } }));
    reaching.see({ nodes }, traced('s', { statements: [{ id: 's1' }] }));
    const { lines, rules } = missedOf({ nodes }, { coverage: reaching.coverage({ nodes }) });
    expect(lines).to.deep.equal([
      { nodeId: 't', name: 'Rates', text: 'no test reaches row 2' },
      { nodeId: 's', name: 'Way', text: 'no test reaches statement 2' },
      { nodeId: 'x', name: 'Sum', text: 'no test comes here' },
    ]);
    expect([...(rules.get('t') ?? [])]).to.deep.equal(['r2']);
  });
});
