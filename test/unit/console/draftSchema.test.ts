import { expect } from 'chai';
import { draftSchema } from '../../../src/console/desk/draftSchema.js';
import type { Model } from '../../../src/console/api/types.js';

const position = { x: 0, y: 0 };

function modelOf(cells: readonly string[], more: readonly object[] = []): Model {
  const table = {
    inputs: [{ id: 'i', name: 'Loan type', field: '$root["Loan type"]' }],
    outputs: [{ id: 'o', name: 'Rate', field: 'rate' }],
    rules: cells.map((cell, at) => ({ _id: String(at), i: cell, o: '1' })),
  };
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in', position, content: {} },
      { id: 't', type: 'decisionTableNode', name: 't', position, content: table },
      ...more,
    ],
    edges: [],
  } as unknown as Model;
}

describe('the form of a draft', () => {
  const stored = { type: 'object', properties: { 'Loan type': {}, Personal: {}, age: {} } };
  const fieldsOf = (model: Model): string[] =>
    Object.keys((draftSchema(model, stored) as { properties: Record<string, unknown> }).properties);

  it('asks for no word that was put right since the working copy was kept, and for all that is named', () => {
    const expression = { type: 'expressionNode', content: { expressions: [{ key: 'a', value: 'age + 1' }] } };
    expect(fieldsOf(modelOf(['not Personal'], [expression]))).to.deep.equal(['Loan type', 'Personal', 'age']);
    expect(fieldsOf(modelOf(['!= "Personal"', "'age'"]))).to.deep.equal(['Loan type']);
    expect(fieldsOf(modelOf(['$root["age"] > Personal']))).to.deep.equal(['Loan type', 'Personal', 'age']);
  });

  it('asks for what another decision may need, which is not written here', () => {
    const called = { type: 'decisionNode', content: { key: 'other.json' } };
    expect(fieldsOf(modelOf(['"Personal"'], [called]))).to.deep.equal(['Loan type', 'Personal', 'age']);
  });
});
