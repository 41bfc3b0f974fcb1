import { checkedPassage } from './schema.js';
import type { NodeType } from './nodeType.js';

/** Where the fact enters. Its optional JSON Schema is checked first. */
export const inputNode: NodeType = {
  type: 'inputNode',
  read: (content, report) => checkedPassage('input', content, report),
};
