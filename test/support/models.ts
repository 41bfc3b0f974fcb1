/** Small models of the tests' own, in JDM. */
export type Model = Record<string, unknown>;

/** One node between input and output. */
export const between = (node: { readonly id: string } & Readonly<Record<string, unknown>>): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', content: {} },
    node,
    { id: 'out', type: 'outputNode', name: 'Response', content: {} },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: node.id, type: 'edge' },
    { id: 'b', sourceId: node.id, targetId: 'out', type: 'edge' },
  ],
});

/** One expression node between input and output; `expressions` maps keys to ZEN. */
export function expressing(expressions: Readonly<Record<string, string>>): Model {
  const rows = Object.entries(expressions).map(([key, value], index) => ({ id: `e${index}`, key, value }));
  return between({ id: 'calc', type: 'expressionNode', name: 'Calculation', content: { expressions: rows } });
}

/** One decision node between input and output, which runs the decision of that name. */
export const calling = (key: string): Model =>
  between({ id: 'call', type: 'decisionNode', name: 'Other', content: { key } });

/** One function node (version 2) between input and output, whose handler has this body. */
export function scripting(body: string, imports = ''): Model {
  const source = `${imports}\nexport const handler = async (input) => { ${body} };`;
  return between({ id: 'code', type: 'functionNode', name: 'Code', content: { source } });
}

/** `{x}` to `{y: x * factor}`. */
export const doubling = (factor: number): Model => expressing({ y: `x * ${factor}` });

/** Runs for as long as it is let: maps within maps over a large list. */
export const endless = (): Model =>
  expressing({ y: 'len(map([1..3000], len(map([1..3000], len(map([1..3000], # + 1))))))' });

/** Runs for as long as it is let too, and leaves the processor to others. */
export const waiting = (): Model => scripting('await console.sleep(1e9)');

/** A decision table of these rows, with the cells `age`, `size` and `fee`. */
export function deciding(rules: readonly object[]): Model {
  const inputs = ['age', 'size'].map((id) => ({ id, name: id, field: id }));
  const outputs = [{ id: 'fee', name: 'fee', field: 'fee' }];
  return between({
    id: 'table',
    type: 'decisionTableNode',
    name: 'Table',
    content: { hitPolicy: 'first', inputs, outputs, rules },
  });
}
