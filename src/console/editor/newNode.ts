import { decisionName } from '../../decisions/decisionName.js';
import type { Model, ModelNode } from '../api/types.js';
import { lastPart } from '../decisions/tree.js';
import { freshName, membersOf, textOf } from '../graph/fields.js';
import { kindName } from '../graph/kinds.js';
import { newId } from './ids.js';
import { renamed, withContent } from './modelEdits.js';

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

/** `Table`, or `Table 2` … where others are called so. */
function givenName(start: string, others: readonly ModelNode[]): string {
  const taken = others.map(({ name }) => name);
  return taken.includes(start) ? freshName(`${start} `, 2, taken) : start;
}

/**
 * With another decision that a node runs, after which the node is called as long as nobody has called it otherwise: it has the name
 * of its kind, or of the decision that it ran before.
 */
export function withDecision(model: Model, id: string, content: unknown): Model {
  const node = model.nodes.find((each) => each.id === id);
  const after = withContent(model, id, content);
  const [before, next] = [nameRun(node?.content), nameRun(content)];
  if (node?.type !== 'decisionNode' || next === '' || next === before) return after;
  const others = model.nodes.filter((each) => each !== node);
  const isGiven = [kindName(node.type), before].some(
    (start) =>
      node.name === start || (node.name.startsWith(`${start} `) && /^ \d+$/.test(node.name.slice(start.length))),
  );
  // Expressions find what a node gave by its name.
  const isNamed = others.some((each) => JSON.stringify(each.content ?? null).includes('$nodes'));
  return isGiven && !isNamed ? renamed(after, id, givenName(next, others)) : after;
}

/** What people call the decision that a node runs, without its folder. */
const nameRun = (content: unknown): string => lastPart(decisionName(textOf(membersOf(content)['key'])));

/** A table for a sheet that is pasted: as of a file, it gives what the sheet says and nothing else. */
export function pastedTable(others: readonly ModelNode[]): ModelNode {
  const node = newNode('decisionTableNode', others);
  return { ...node, content: { ...membersOf(node.content), passThrough: false } };
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
