import type { Model } from '../api/types.js';
import { membersOf, textOf } from '../graph/fields.js';

/** Whether an author has said what a model takes (of its request) or gives (of its response); else it is read out of its nodes. */
export const isDeclared = ({ nodes, document }: Model, type: 'inputNode' | 'outputNode'): boolean =>
  document !== undefined ||
  nodes.some((node) => node.type === type && textOf(membersOf(node.content)['schema']) !== '');
