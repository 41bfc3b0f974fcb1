import type { Node } from './graph.js';

const decisionsBelow = ({ requires }: Node): Node[] => requires.filter(({ part }) => part.kind === 'decision');

/** A decision whose requirements are being looked at. */
interface Step {
  readonly node: Node;
  readonly left: Node[];
}

/**
 * The decisions that require themselves, on whatever way round, in the order given. Each requirement is looked at once
 * (Tarjan's strongly connected components), for a hostile document has tens of thousands.
 */
export function inCircles(nodes: Iterable<Node>): Node[] {
  const decisions = [...nodes].filter(({ part }) => part.kind === 'decision');
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  const isOpen = new Set<Node>();
  const found = new Set<Node>();
  const steps: Step[] = [];
  const enter = (node: Node): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    steps.push({ node, left: decisionsBelow(node) });
  };
  const lower = (node: Node, to: number | undefined): void =>
    void lowest.set(node, Math.min(lowest.get(node) ?? 0, to ?? Infinity));
  const leave = (node: Node): void => {
    if (lowest.get(node) !== order.get(node)) return;
    const circle = open.splice(open.lastIndexOf(node));
    for (const each of circle) isOpen.delete(each);
    if (circle.length > 1 || node.requires.includes(node)) for (const each of circle) found.add(each);
  };
  for (const decision of decisions) {
    if (!order.has(decision)) enter(decision);
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const next = step.left.pop();
      if (next === undefined) {
        steps.pop();
        leave(step.node);
        const above = steps.at(-1);
        if (above !== undefined) lower(above.node, lowest.get(step.node));
      } else if (!order.has(next)) enter(next);
      else if (isOpen.has(next)) lower(step.node, order.get(next));
    }
  }
  return decisions.filter((node) => found.has(node));
}
