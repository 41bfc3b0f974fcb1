import type { Model } from './models.js';

/** A table of 1,500 rows, one for each `n`, each with a long note: as JSON 1.8 MB, beyond what a body without a model may have. */
export function largeTable(): Model {
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 } },
      {
        id: 'fees',
        type: 'decisionTableNode',
        name: 'Fees',
        position: { x: 300, y: 0 },
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'n', name: 'Number', field: 'n' }],
          outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
          rules: Array.from({ length: 1500 }, (_, row) => ({
            _id: `r${row}`,
            _description: `The fee of number ${row}${', as it was agreed'.repeat(61)}`,
            n: `${row}`,
            fee: `${row}`,
          })),
        },
      },
      { id: 'out', type: 'outputNode', name: 'Response', position: { x: 600, y: 0 } },
    ],
    edges: [
      { id: 'a', sourceId: 'in', targetId: 'fees', type: 'edge' },
      { id: 'b', sourceId: 'fees', targetId: 'out', type: 'edge' },
    ],
  };
}
