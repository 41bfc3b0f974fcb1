import { checkedPassage } from './schema.js';
import type { NodeType } from './nodeType.js';

/** Where a run ends. Its optional JSON Schema is checked first. */
export const outputNode: NodeType = {
  type: 'outputNode',
  read: (content, report) => checkedPassage('output', content, report),
};
