/** Small models of the tests' own, in JDM. */
export type Model = Record<string, unknown>;

const input = () => ({ id: 'in', type: 'inputNode', name: 'Request', content: {} });
const output = () => ({ id: 'out', type: 'outputNode', name: 'Response', content: {} });

/** One expression node between input and output; `expressions` maps keys to ZEN. */
export function expressing(expressions: Readonly<Record<string, string>>): Model {
  const rows = Object.entries(expressions).map(([key, value], index) => ({ id: `e${index}`, key, value }));
  return {
    nodes: [
      input(),
      { id: 'calc', type: 'expressionNode', name: 'Calculation', content: { expressions: rows } },
      output(),
    ],
    edges: [
      { id: 'a', sourceId: 'in', targetId: 'calc', type: 'edge' },
      { id: 'b', sourceId: 'calc', targetId: 'out', type: 'edge' },
    ],
  };
}

/** One decision node between input and output, which runs the decision of that name. */
export const calling = (key: string): Model => ({
  nodes: [input(), { id: 'call', type: 'decisionNode', name: 'Other', content: { key } }, output()],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'call', type: 'edge' },
    { id: 'b', sourceId: 'call', targetId: 'out', type: 'edge' },
  ],
});

/** One function node (version 2) between input and output, whose handler has this body. */
export const scripting = (body: string, imports = ''): Model => ({
  nodes: [
    input(),
    {
      id: 'code',
      type: 'functionNode',
      name: 'Code',
      content: { source: `${imports}\nexport const handler = async (input) => { ${body} };` },
    },
    output(),
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'code', type: 'edge' },
    { id: 'b', sourceId: 'code', targetId: 'out', type: 'edge' },
  ],
});

/** `{x}` to `{y: x * factor}`. */
export const doubling = (factor: number): Model => expressing({ y: `x * ${factor}` });

/** Runs for as long as it is let: maps within maps over a large list. */
export const endless = (): Model =>
  expressing({ y: 'len(map([1..3000], len(map([1..3000], len(map([1..3000], # + 1))))))' });

/** Runs for as long as it is let too, and leaves the processor to others. */
export const waiting = (): Model => scripting('await console.sleep(1e9)');

/** A decision table of these rows, with the cells `age`, `size` and `fee`. */
export const deciding = (rules: readonly object[]): Model => ({
  nodes: [
    input(),
    {
      id: 'table',
      type: 'decisionTableNode',
      name: 'Table',
      content: {
        hitPolicy: 'first',
        inputs: ['age', 'size'].map((id) => ({ id, name: id, field: id })),
        outputs: [{ id: 'fee', name: 'fee', field: 'fee' }],
        rules,
      },
    },
    output(),
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'table', type: 'edge' },
    { id: 'b', sourceId: 'table', targetId: 'out', type: 'edge' },
  ],
});
