import { between, type Model } from './models.js';

/** A table of 1,500 rows, one for each `n`, each with a long note: as JSON 1.8 MB, beyond what a body without a model may have. */
export const largeTable = (): Model =>
  between({
    id: 'fees',
    type: 'decisionTableNode',
    name: 'Fees',
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
  });
