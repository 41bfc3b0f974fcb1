import type { ModelEdge, ModelNode } from '../api/types.js';
import { rowsOf, textOf } from './fields.js';
import { nodeHeight } from './geometry.js';

/** Where edges leave a node: of a switch by each of its ways. */
export interface Port {
  /** Of a switch: the way's id. */
  readonly handle?: string;
  /** What stands beside it; '' where there is but one. */
  readonly label: string;
  /** Below the node's upper edge. */
  readonly y: number;
}

/** Between the ways of a switch: what they are called stands at the height of each. */
const waySpacing = 18;

/** How high a node is drawn, around the middle that all nodes of its height have: a switch of many ways is higher. */
export const heightOf = ({ type, content }: Pick<ModelNode, 'type' | 'content'>): number =>
  type === 'switchNode' ? Math.max(nodeHeight, rowsOf(content, 'statements').length * waySpacing) : nodeHeight;

export function portsOf({ type, content }: Pick<ModelNode, 'type' | 'content'>): readonly Port[] {
  if (type === 'outputNode') return [];
  if (type !== 'switchNode') return [{ label: '', y: nodeHeight / 2 }];
  const ways = rowsOf(content, 'statements');
  return ways.map((way, at) => ({
    handle: textOf(way['id']),
    label: textOf(way['condition']) || 'otherwise',
    y: nodeHeight / 2 + (at - (ways.length - 1) / 2) * waySpacing,
  }));
}

/** The port by which an edge leaves its node; the middle, where there is none of that name. */
export const portOf = (node: ModelNode | undefined, { sourceHandle }: Pick<ModelEdge, 'sourceHandle'>): Port =>
  portsOf(node ?? { type: '' }).find(({ handle }) => handle === (sourceHandle ?? undefined)) ?? {
    label: '',
    y: nodeHeight / 2,
  };
