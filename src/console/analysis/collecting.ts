import type { Model } from '../api/types.js';
import { isLastRowTheRest } from '../editor/gapRow.js';
import { isObject } from '../graph/fields.js';

/** The model as if all rows that hold were taken: then the analysis tells which do so together. Null where no table takes the first. */
export function collecting(model: Model): Model | null {
  const nodes = model.nodes.map((node) =>
    node.type === 'decisionTableNode' && isObject(node.content) && isLastRowTheRest(node.content)
      ? { ...node, content: { ...node.content, hitPolicy: 'collect' } }
      : node,
  );
  const isOther = model.document === undefined && nodes.some((node, at) => node !== model.nodes[at]);
  return isOther ? { ...model, nodes } : null;
}
