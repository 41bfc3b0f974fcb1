import { expect } from 'chai';
import { fieldsOf } from '../../../workers/analysis/fields.js';

/** Fields of a model of one expression, with the values that are tried for each. */
const valuesOf = (value: string): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf({
      nodes: [
        { id: 'in', type: 'inputNode', name: 'in', content: {} },
        {
          id: 'calc',
          type: 'expressionNode',
          name: 'calc',
          content: { expressions: [{ id: 'e', key: 'out', value }] },
        },
      ],
      edges: [{ id: 'e', sourceId: 'in', targetId: 'calc' }],
    }).map(({ path, values }) => [path.join('.'), values.map(String)]),
  );

describe('values that are tried for a field', () => {
  it('are what it is compared with and what lies beside that, else the constants of the model, and never the names of fields', () => {
    expect(valuesOf('seller.rating < 4 and seller["country"] == "DE" and lookup["key"] == seller.code')).to.deep.equal({
      'seller.rating': ['4', '5', '3', '4.01', '0', '1'],
      'seller.country': ['DE', 'other'],
      'lookup.key': ['4', 'DE', '5', '3', '4.01', '0', '1', 'other'],
      'seller.code': ['4', 'DE', '5', '3', '4.01', '0', '1', 'other'],
    });
  });
});
