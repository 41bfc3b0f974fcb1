import type { ModelNode } from '../api/types.js';
import { freshName } from '../graph/fields.js';
import { newId } from './ids.js';

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

const names: Readonly<Record<NodeType, string>> = {
  decisionTableNode: 'table',
  expressionNode: 'expression',
  switchNode: 'switch',
  functionNode: 'function',
  decisionNode: 'decision',
  outputNode: 'response',
  inputNode: 'request',
};

const functionSource = `export const handler = async (input) => {
  return input;
};
`;

/** A node to begin with, whose name no other node has. */
export function newNode(type: NodeType, others: readonly ModelNode[]): ModelNode {
  const start = others.filter((node) => node.type === type).length + 1;
  const name = freshName(
    names[type],
    start,
    others.map((node) => node.name),
  );
  return { id: newId(), type, name, position: null, content: contentOf(type) };
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
