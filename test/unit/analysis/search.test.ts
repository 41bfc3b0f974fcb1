import { expect } from 'chai';
import { fieldsOf } from '../../../workers/analysis/fields.js';
import { analyse } from '../../../workers/analysis/index.js';
import { compile } from '../../../workers/engine/index.js';

const input = { id: 'in', type: 'inputNode', name: 'in', content: {} };
const edges = [{ id: 'e', sourceId: 'in', targetId: 'node' }];

/** Fields of a model of one expression, with the values that are tried for each. */
const valuesOf = (value: string): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf({
      nodes: [
        input,
        {
          id: 'node',
          type: 'expressionNode',
          name: 'node',
          content: { expressions: [{ id: 'e', key: 'out', value }] },
        },
      ],
      edges,
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

  it('are all constants of its kind where it is compared with one thing: they matter where its value goes on to', () => {
    expect(valuesOf('[seller.level > 0 ? "high" : "low", other.level > 12, tier ?? "none"]')['tier']).to.deep.equal([
      'none',
      'high',
      'low',
      'other',
    ]);
  });
});

/** How many rows of a table are reached that is given its fields as its node says. */
async function reachedRows(node: object): Promise<number> {
  const content = {
    hitPolicy: 'first',
    inputs: [
      { id: 'kind', name: 'Kind', field: 'kind' },
      { id: 'value', name: 'Value', field: 'value' },
    ],
    outputs: [{ id: 'flag', name: 'Flag', field: 'flag' }],
    rules: ["'iron'", "'zinc'", "'lead'"].flatMap((kind) =>
      ['< 3', '> 6'].map((value) => ({ _id: `${kind}${value}`, kind, value, flag: 'true' })),
    ),
    ...node,
  };
  const document = { nodes: [input, { id: 'node', type: 'decisionTableNode', name: 'node', content }], edges };
  const program = compile(document, { resolve: () => undefined });
  const { report } = await analyse({ version: { document, program, linked: '' }, until: Infinity });
  return report.reach.reachable;
}

describe('facts that are looked for', () => {
  const ways: readonly (readonly [string, object])[] = [
    ['of the fact itself', {}],
    ['of an object in the fact', { inputField: 'sample.result' }],
    ['of each item of a list in the fact', { inputField: 'samples', executionMode: 'loop' }],
  ];
  for (const [name, node] of ways)
    it(`reach every row of a table that reads fields ${name}`, async () => {
      expect(await reachedRows(node)).to.equal(6);
    });
});
