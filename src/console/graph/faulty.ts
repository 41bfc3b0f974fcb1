import type { Fault, Model } from '../api/types.js';

/** The worst that is known of each node. @param findings of an analysis, each a warning */
export function faultyOf(
  { nodes }: Model,
  faults: readonly Fault[],
  findings: readonly { readonly nodeId: string }[],
): ReadonlyMap<string, 'error' | 'warning'> {
  const found = new Map<string, 'error' | 'warning'>();
  for (const { nodeId } of findings) found.set(nodeId, 'warning');
  for (const { nodeId, severity } of faults) {
    if (nodeId !== null && severity !== 'unknown' && found.get(nodeId) !== 'error') found.set(nodeId, severity);
  }
  return new Map([...found].filter(([id]) => nodes.some((node) => node.id === id)));
}
