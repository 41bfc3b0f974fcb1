import { routeOf, type Plan } from './plan.js';

/**
 * Which nodes a run may get to, by index: 1 for those. Without a switch that is exactly what each run goes through; with
 * one, all that some choice could open.
 * @param mayOpen by edge index: false for an edge out of a switch that no choice opens
 */
export function reachOf(plan: Plan, mayOpen: readonly boolean[]): Uint8Array {
  const reached = new Uint8Array(plan.roles.length);
  if (!plan.roles.includes('switch')) {
    for (const node of routeOf(plan).order) reached[node] = 1;
    return reached;
  }
  const open = withoutDeadEnds(plan, mayOpen);
  const pending = [plan.entry];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (reached[node] === 1) continue;
    reached[node] = 1;
    // A node waits for all its parents, so that a parent which no edge leads to runs too.
    for (const edge of plan.incoming[node] ?? []) if (open[edge] === true) pending.push(plan.source[edge] ?? -1);
    // A run ends with the first output node.
    if (plan.roles[node] === 'output') continue;
    for (const edge of plan.outgoing[node] ?? []) if (open[edge] === true) pending.push(plan.target[edge] ?? -1);
  }
  return reached;
}

/**
 * Which edges may open: a node without an open incoming edge is removed from the graph, and its outgoing edges with it.
 */
function withoutDeadEnds(plan: Plan, mayOpen: readonly boolean[]): boolean[] {
  const open = [...mayOpen];
  const pending = plan.target.filter((_, edge) => open[edge] !== true);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (plan.incoming[node]?.some((edge) => open[edge] === true) === true) continue;
    for (const edge of plan.outgoing[node] ?? []) {
      if (open[edge] !== true) continue;
      open[edge] = false;
      pending.push(plan.target[edge] ?? -1);
    }
  }
  return open;
}
