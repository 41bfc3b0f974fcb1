import { checkedPassage } from './schema.js';
import type { NodeKind } from './kind.js';

/** Where the fact enters. Its optional JSON Schema is checked first. */
export const inputNode: NodeKind = {
  type: 'inputNode',
  read: (content, report) => checkedPassage('input', content, report),
};
