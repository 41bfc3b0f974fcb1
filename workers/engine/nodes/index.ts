import { customNode } from './custom.js';
import { decisionNode } from './decision.js';
import { expressionNode } from './expression.js';
import { functionNode } from './function.js';
import type { NodeType } from './nodeType.js';
import { checkedPassage } from './schema.js';
import { switchNode } from './switch.js';
import { tableNode } from './table.js';

/** Where a run ends. Its optional JSON Schema is checked first. */
const outputNode: NodeType = {
  type: 'outputNode',
  read: (content, report) => checkedPassage('output', content, report),
};

/** Where the fact enters. Its optional JSON Schema is checked first. */
const inputNode: NodeType = {
  type: 'inputNode',
  read: (content, report) => checkedPassage('input', content, report),
};

/** Every node type of JDM, by its name in documents. */
export const nodeKinds: ReadonlyMap<string, NodeType> = new Map(
  [inputNode, outputNode, expressionNode, tableNode, switchNode, functionNode, decisionNode, customNode].map((kind) => [
    kind.type,
    kind,
  ]),
);
