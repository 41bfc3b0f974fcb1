import { expect } from 'chai';
import { exampleOf } from '../../../src/console/analysis/example.js';
import { compileProperties } from '../../../workers/analysis/index.js';

describe('the example of a question to all facts', () => {
  const modelOf = (input: string, cell: string, output: string, given: string) => ({
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      {
        id: 't',
        type: 'decisionTableNode',
        name: 'Rates',
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'i', name: 'In', field: input }],
          outputs: [{ id: 'o', name: 'Out', field: output }],
          rules: [{ _id: 'r', i: cell, o: given }],
        },
      },
      { id: 'out', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'a', sourceId: 'in', targetId: 't', type: 'edge' },
      { id: 'b', sourceId: 't', targetId: 'out', type: 'edge' },
    ],
  });

  for (const [input, cell, output, given, wanted] of [
    ['age', '< 18', 'rate', '5.4', 'fact.age < 18 and result.rate == 5.4'],
    ['age', '[18..65]', 'answer', '"yes"', 'fact.age > 18 and result.answer == "yes"'],
    [
      '$root["Customer type"]',
      '"Personal"',
      'Interest rate',
      '2',
      'fact["Customer type"] == "Personal" and result["Interest rate"] == 2',
    ],
  ] as const) {
    it(`is ${wanted}, which the service understands`, () => {
      expect(exampleOf(modelOf(input, cell, output, given))).to.equal(wanted);
      const { checked, faults } = compileProperties([{ name: 'it', never: wanted }]);
      expect(faults).to.deep.equal([]);
      expect(checked[0]?.paths).to.have.length(1);
    });
  }

  it('is none where no cell is so simple', () => {
    expect(exampleOf(modelOf('age', 'len($) > 3', 'rate', '5'))).to.equal(null);
    expect(exampleOf(modelOf('age', '> 3', 'rate', 'amount * 2'))).to.equal(null);
    expect(exampleOf({ nodes: [], edges: [] })).to.equal(null);
  });
});
