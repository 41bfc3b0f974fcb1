import { expect } from 'chai';
import { analyse } from '../../../workers/analysis/index.js';
import { compile } from '../../../workers/engine/index.js';

/** A model of one expression node after its input. */
const expressing = (value: string): object => ({
  nodes: [
    {
      id: 'in',
      type: 'inputNode',
      name: 'in',
      content: {},
    },
    {
      id: 'calc',
      type: 'expressionNode',
      name: 'Calculate',
      content: { expressions: [{ id: 'e', key: 'out', value }] },
    },
  ],
  edges: [{ id: 'e', sourceId: 'in', targetId: 'calc' }],
});

async function findingsOf(document: object) {
  const version = { document, program: compile(document, { resolve: () => undefined }), linked: '' };
  const { report, unconfirmed } = await analyse({ version, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report.tables;
}

describe('expressions that fail', () => {
  it('are told with a fact of the kinds that the model expects, which the engine has run', async () => {
    expect(await findingsOf(expressing('1 + max(items)'))).to.deep.equal([
      {
        nodeId: 'calc',
        node: 'Calculate',
        hitPolicy: null,
        findings: [
          {
            kind: 'fails',
            rules: [],
            status: 'proved',
            witness: {
              fact: { items: [] },
              input: { items: [] },
              result: {
                error: 'Node "Calculate", expression out: `max` takes a list with at least one item',
              },
            },
            message: 'It ends in an error: Node "Calculate", expression out: `max` takes a list with at least one item',
          },
        ],
      },
    ]);
  });

  it('are not told where a fact has to be of another kind than the model reads', async () => {
    expect(await findingsOf(expressing('amount * 2'))).to.deep.equal([]);
    expect(await findingsOf(expressing('size > 3 ? amount : amount / 0'))).to.deep.equal([]);
  });
});
