import { customNode } from './custom.js';
import { decisionNode } from './decision.js';
import { expressionNode } from './expression.js';
import { functionNode } from './function.js';
import { inputNode } from './input.js';
import type { NodeType } from './nodeType.js';
import { outputNode } from './output.js';
import { switchNode } from './switch.js';
import { tableNode } from './table.js';

/** Every node type of JDM, by its name in documents. */
export const nodeKinds: ReadonlyMap<string, NodeType> = new Map(
  [inputNode, outputNode, expressionNode, tableNode, switchNode, functionNode, decisionNode, customNode].map((kind) => [
    kind.type,
    kind,
  ]),
);
