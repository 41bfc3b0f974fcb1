import { expect } from 'chai';
import { differencesOf } from '../../../src/console/desk/rowsChanged.js';
import type { Model } from '../../../src/console/api/types.js';

const model = (rules: readonly object[], name = 'Fees'): Model => ({
  nodes: [
    {
      ...{ id: 'fees', type: 'decisionTableNode', name, position: { x: 0, y: 0 } },
      content: { inputs: [{ id: 'a', name: 'Age', field: 'age' }], outputs: [{ id: 'f', field: 'fee' }], rules },
    },
    { id: 'code', type: 'functionNode', name: 'Code', position: { x: 0, y: 0 }, content: { source: name } },
  ],
  edges: [],
});

describe('what is otherwise in a model that somebody else stored', () => {
  const before = model([
    { _id: '1', a: '< 18', f: '1' },
    { _id: '2', a: '', f: '2' },
  ]);

  it('is nothing in the same one', () => {
    expect(differencesOf(before, structuredClone(before))).to.deep.equal({ nodes: [], edges: [], rows: [] });
  });

  it('is each cell, wherever its row stands by now, and each row that came or went', () => {
    const after = model([
      { _id: '3', a: '> 65', f: '3' },
      { _id: '1', a: '< 21', f: '1' },
    ]);
    expect(differencesOf(before, after).rows).to.deep.equal([
      {
        ...{ nodeId: 'fees', ruleId: '1', change: 'changed', position: { from: 0, to: 1 } },
        cells: [{ column: 'a', before: '< 18', after: '< 21' }],
      },
      {
        ...{ nodeId: 'fees', ruleId: '2', change: 'removed', position: { from: 1, to: null } },
        cells: [{ column: 'f', before: '2', after: '' }],
      },
      {
        ...{ nodeId: 'fees', ruleId: '3', change: 'added', position: { from: null, to: 0 } },
        cells: [
          { column: 'a', before: '', after: '> 65' },
          { column: 'f', before: '', after: '3' },
        ],
      },
    ]);
  });

  it('is each node that came, went, or has another name or content', () => {
    const { nodes } = differencesOf(before, model([], 'Rates'));
    expect(nodes.map(({ id, fields }) => [id, fields.map(({ pointer }) => pointer)])).to.deep.equal([
      ['fees', ['/name']],
      ['code', ['/content']],
    ]);
    const gone = differencesOf(before, { ...before, nodes: before.nodes.slice(0, 1) });
    expect(gone.nodes).to.deep.equal([{ id: 'code', change: 'removed', fields: [] }]);
  });
});
