import { expect } from 'chai';
import { expressions, graph, input, output, resultOf } from '../../../support/engine.js';

describe('JSON Schemas of input nodes', () => {
  it('make dates of date fields, which keep their texts', () => {
    const dated = { format: 'date-time' };
    const properties = { born: { format: 'date' }, 'a/b': { items: { anyOf: [dated, { type: 'null' }] } }, name: {} };
    const keys = {
      kinds: "[type(born), type($root['a/b'][0]), type(name)]",
      same: "born == '2024-03-15T00:00:00Z' and born > '2024-03-01' and born.year() == 2024",
      text: "`${born}` + split(born, '-')[0]",
      born: 'born',
      list: "$root['a/b']",
    };
    const entry = { ...input, content: { schema: { properties } } };
    const fact = { born: '2024-03-15', 'a/b': ['2024-03-15T10:30:00+02:00', null], name: '2024-03-15' };
    const result = resultOf(graph([entry, expressions('e', keys), output], ['in>e', 'e>out']), fact);
    expect(JSON.parse(JSON.stringify(result))).to.deep.equal({
      kinds: ['date', 'date', 'string'],
      same: true,
      text: '2024-03-152024',
      born: '2024-03-15',
      list: ['2024-03-15T10:30:00+02:00', null],
    });
    expect(fact.born).to.equal('2024-03-15');
  });
});
