import { expect } from 'chai';
import { draftAnswer } from '../../../src/console/desk/draftSchema.js';
import type { Model } from '../../../src/console/api/types.js';

const position = { x: 0, y: 0 };

/** A table that gives a rate, and nodes beside it. */
function tableThen(...more: readonly object[]): Model {
  const content = {
    inputs: [{ id: 'i', name: 'Age', field: 'age' }],
    outputs: [{ id: 'o', name: 'Rate', field: 'rate' }],
    rules: [{ _id: '0', i: '> 1', o: '1' }],
  };
  const nodes = [
    { id: 'in', type: 'inputNode', name: 'in', position, content: {} },
    { id: 't', type: 'decisionTableNode', name: 't', position, content },
    ...more,
  ];
  return { nodes, edges: [] } as unknown as Model;
}

describe('the form of what a draft answers', () => {
  const end = { id: 'out', type: 'outputNode', name: 'out', position, content: {} };
  const edges = [{ id: 'e', sourceId: 't', targetId: 'out' }];
  const fieldsOf = (model: Model, stored: unknown): unknown =>
    (draftAnswer(model, stored) as { properties?: unknown }).properties;

  it('has what the last table gives, before the decision was ever kept, and columns that came since', () => {
    const model = { ...tableThen(end), edges } as Model;
    expect(fieldsOf(model, {})).to.deep.equal({ rate: { type: 'number' } });
    expect(fieldsOf(model, { type: 'object', properties: { fee: {} } })).to.deep.equal({
      fee: {},
      rate: { type: 'number' },
    });
    expect(fieldsOf(model, { properties: { rate: { type: 'string' } } })).to.deep.equal({ rate: { type: 'string' } });
  });

  it('asks for a day as the fact does, where all columns that give it have days', () => {
    const days = { id: 'd', type: 'decisionTableNode', name: 'd', position, content: {} };
    const giving = (...cells: string[]): Model['nodes'][number] => ({
      ...days,
      id: cells.join(),
      content: { outputs: [{ id: 'o', field: 'until' }], rules: cells.map((o, at) => ({ _id: String(at), o })) },
    });
    const found = { properties: { until: { type: 'string' } } };
    const until = (...nodes: Model['nodes']): unknown => fieldsOf({ nodes: [...nodes, end], edges: [] }, found);
    const day = { until: { type: 'string', format: 'date' } };
    expect(until(giving('"2026-04-30"', '"2026-05-31"'))).to.deep.equal(day);
    expect(until(giving('"2026-04-30"'), giving('"2027-04-30"'))).to.deep.equal(day);
    expect(until(giving('"2026-04-30"'), giving('"never"'))).to.deep.equal(found.properties);
    const sum = {
      ...days,
      id: 's',
      type: 'expressionNode',
      content: { expressions: [{ key: 'until', value: '"x"' }] },
    };
    expect(until(giving('"2026-04-30"'), sum)).to.deep.equal(found.properties);
  });

  it('is what the service knows where another node answers, or the response says it', () => {
    const last = { id: 'x', type: 'expressionNode', name: 'x', position, content: { expressions: [] } };
    const way = [
      { id: 'e', sourceId: 't', targetId: 'x' },
      { id: 'f', sourceId: 'x', targetId: 'out' },
    ];
    expect(fieldsOf({ ...tableThen(last, end), edges: way }, {})).to.equal(undefined);
    const said = { ...end, content: { schema: '{"type":"object"}' } };
    expect(fieldsOf({ ...tableThen(said), edges }, {})).to.equal(undefined);
  });
});
