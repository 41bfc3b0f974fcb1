import type { ModelNode } from '../api/types.js';
import { membersOf } from '../graph/fields.js';
import { kindName } from '../graph/kinds.js';
import { newId } from './ids.js';
import { givenName } from './modelEdits.js';

/** The kinds that can be added, as they are offered. */
export const nodeTypes = [
  'decisionTableNode',
  'expressionNode',
  'switchNode',
  'functionNode',
  'decisionNode',
  'outputNode',
  'inputNode',
] as const;

export type NodeType = (typeof nodeTypes)[number];

const functionSource = `export const handler = async (input) => {
  return input;
};
`;

/** A node to begin with, called after its kind: `Table`, `Table 2` … as no other node is. */
export function newNode(type: NodeType, others: readonly ModelNode[]): ModelNode {
  return { id: newId(), type, name: givenName(kindName(type), others), position: null, content: contentOf(type) };
}

/** A table for a sheet that is pasted: alone it gives what the sheet says and nothing else, as of a file; beside others it passes on what these give. */
export function pastedTable(others: readonly ModelNode[]): ModelNode {
  const node = newNode('decisionTableNode', others);
  const passThrough = others.some(({ type }) => type !== 'inputNode' && type !== 'outputNode');
  return { ...node, content: { ...membersOf(node.content), passThrough } };
}

function contentOf(type: NodeType): object {
  switch (type) {
    case 'decisionTableNode': {
      const [input, output] = [newId(), newId()];
      return {
        hitPolicy: 'first',
        inputs: [{ id: input, name: 'Input', field: '' }],
        outputs: [{ id: output, name: 'Output', field: 'output' }],
        rules: [{ _id: newId(), [input]: '', [output]: '' }],
        passThrough: true,
      };
    }
    case 'expressionNode':
      return { expressions: [{ id: newId(), key: '', value: '' }], passThrough: true };
    case 'switchNode':
      return { hitPolicy: 'first', statements: [{ id: newId(), condition: '', isDefault: false }] };
    case 'functionNode':
      return { source: functionSource };
    case 'decisionNode':
      return { key: '', passThrough: true };
    case 'inputNode':
    case 'outputNode':
      return {};
  }
}
