import type { Model } from './models.js';

export type Row = Readonly<Record<string, string>>;

/** What a file is answered with. */
export interface Imported {
  readonly decision: { readonly contentHash: string; readonly warnings: number };
  readonly differences: { readonly rows: readonly object[]; readonly nodes: readonly object[] };
  readonly faults: readonly { readonly field: string; readonly message: string; readonly severity: string }[];
}

/** The rows of `priced`, with what is odd to spreadsheets. */
export const rules: readonly [Row, Row, Row] = [
  { _id: 'young', age: '< 18', country: '', fee: '0', text: '"free"' },
  { _id: 'german', age: '[18..65]', country: '"DE"', fee: '10.50', text: '"=SUM(A1)"', _description: 'most of them' },
  { _id: 'rest', age: '', country: '', fee: '12345678901234567890.5', text: 'null' },
];

/** A table `fees` of these rows. */
export const priced = (rows: readonly object[] = rules): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request' },
    {
      id: 'fees',
      type: 'decisionTableNode',
      name: 'Fees & more',
      position: { x: 1.5, y: 2 },
      content: {
        rules: rows,
        hitPolicy: 'first',
        inputs: [
          { id: 'age', name: 'Age', field: 'customer.age' },
          { id: 'country', name: 'Country', field: 'customer.country' },
        ],
        outputs: [
          { id: 'fee', name: 'Fee', field: 'fee' },
          { id: 'text', name: '', field: 'text' },
        ],
        passThrough: false,
      },
    },
    { id: 'out', type: 'outputNode', name: 'Response' },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'fees' },
    { id: 'b', sourceId: 'fees', targetId: 'out' },
  ],
});
