import { checkedPassage } from './schema.js';
import type { NodeKind } from './kind.js';

/** Where a run ends. Its optional JSON Schema is checked first. */
export const outputNode: NodeKind = {
  type: 'outputNode',
  read: (content, report) => checkedPassage('output', content, report),
};
