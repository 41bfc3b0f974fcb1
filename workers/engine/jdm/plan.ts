import type { Role } from '../nodes/nodeType.js';
import type { Model } from './model.js';

/**
 * The graph of a model, by node and edge index. Edges stand newest first, because that is the order in which zen lays
 * one parent's output over another: the edge that was drawn first wins.
 */
export interface Plan {
  readonly roles: readonly Role[];
  /** Edge indexes, newest first. */
  readonly incoming: readonly (readonly number[])[];
  readonly outgoing: readonly (readonly number[])[];
  /** By edge index. */
  readonly source: readonly number[];
  readonly target: readonly number[];
  /** By edge index: the statement of the switch that opens the edge. */
  readonly handle: readonly (string | undefined)[];
  /** The index of the input node. */
  readonly entry: number;
}

/** How a run goes through a graph. */
export interface Path {
  /** The next node that is due, or -1 at the end. Each is returned once, but see `close`. */
  next(): number;
  /**
   * A switch that has run opens the edges of these of its statements; its other edges are closed. True when there were
   * none to close. Otherwise the walk restarts on the remaining graph, and `next` returns the switch once more if it is
   * still part of it.
   */
  close(node: number, statements: readonly string[]): boolean;
  /** Parents of the node that is due, over open edges, newest edge first. */
  parents(node: number): readonly number[];
  /** Nodes that have run and whose outputs make the result, in the order in which they are merged. */
  leaves(): readonly number[];
}

/** The state of one walk. */
interface Steps {
  readonly plan: Plan;
  readonly visited: Uint8Array;
  /** 1 for an edge that a switch has closed. */
  readonly closed: Uint8Array;
  readonly removed: Uint8Array;
  /** Nodes that `next` has returned; they are not returned again after a restart. */
  readonly named: Uint8Array;
  /** By node: how many of its incoming edges, oldest first, come from parents that need not be waited for. */
  readonly settled: Uint32Array;
  readonly stack: number[];
}

/** Indexes a model's graph. The model has exactly one input node. */
export function planOf(model: Model): Plan {
  const incoming: number[][] = model.nodes.map(() => []);
  const outgoing: number[][] = model.nodes.map(() => []);
  for (let edge = model.edges.length - 1; edge >= 0; edge--) {
    const { source, target } = model.edges[edge] ?? { source: -1, target: -1 };
    outgoing[source]?.push(edge);
    incoming[target]?.push(edge);
  }
  return {
    roles: model.nodes.map((node) => node.parsed.role),
    incoming,
    outgoing,
    source: model.edges.map((edge) => edge.source),
    target: model.edges.map((edge) => edge.target),
    handle: model.edges.map((edge) => edge.handle),
    entry: model.nodes.findIndex((node) => node.parsed.role === 'input'),
  };
}

/**
 * Walks a graph depth first from its input node, each node after all its parents, oldest edge first: the order in which
 * nodes run. A switch that has run closes edges; nodes left without an open edge in, or without one out, are removed.
 */
export class Walk implements Path {
  readonly #at: Steps;

  constructor(plan: Plan) {
    const nodes = plan.roles.length;
    this.#at = {
      plan,
      visited: new Uint8Array(nodes),
      closed: new Uint8Array(plan.source.length),
      removed: new Uint8Array(nodes),
      named: new Uint8Array(nodes),
      settled: new Uint32Array(nodes),
      stack: [plan.entry],
    };
  }

  next(): number {
    const { plan, visited, removed, named, stack } = this.#at;
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (visited[node] === 1 || removed[node] === 1) continue;
      if (this.#waits(node)) continue;
      visited[node] = 1;
      for (const edge of plan.outgoing[node] ?? []) {
        const child = plan.target[edge];
        if (child !== undefined && this.#isOpen(edge)) stack.push(child);
      }
      if (named[node] === 1) continue;
      named[node] = 1;
      return node;
    }
    return -1;
  }

  /** Restarts the walk on the remaining graph where an edge closes. */
  close(node: number, statements: readonly string[]): boolean {
    const { plan, visited, removed, named, settled, stack } = this.#at;
    const open = new Set(statements);
    let closing = false;
    for (const edge of plan.outgoing[node] ?? []) {
      const handle = plan.handle[edge];
      if (!this.#isOpen(edge) || (handle !== undefined && open.has(handle))) continue;
      closing = true;
      this.#remove(edge);
    }
    if (!closing) return true;
    visited.fill(0);
    settled.fill(0);
    stack.length = 0;
    if (removed[plan.entry] !== 1) stack.push(plan.entry);
    named[node] = 0;
    return false;
  }

  parents(node: number): number[] {
    const { plan } = this.#at;
    const parents: number[] = [];
    for (const edge of plan.incoming[node] ?? []) {
      const parent = plan.source[edge];
      if (parent !== undefined && this.#isOpen(edge)) parents.push(parent);
    }
    return parents;
  }

  /** In the order of the document: nodes that lead nowhere any more. */
  leaves(): number[] {
    const { plan, visited } = this.#at;
    const leaves: number[] = [];
    for (let node = 0; node < visited.length; node++) {
      if (visited[node] !== 1) continue;
      const leadsOn = plan.outgoing[node]?.some((edge) => this.#isOpen(edge)) === true;
      if (!leadsOn) leaves.push(node);
    }
    return leaves;
  }

  #isOpen(edge: number): boolean {
    return this.#at.closed[edge] === 0;
  }

  /** Pushes the first parent that has not run yet above its child on the stack; false where there is none. */
  #waits(node: number): boolean {
    const { plan, visited, settled, stack } = this.#at;
    const edges = plan.incoming[node] ?? [];
    for (let count = settled[node] ?? 0; count < edges.length; count++) {
      const edge = edges[edges.length - 1 - count] ?? -1;
      const parent = plan.source[edge] ?? -1;
      if (!this.#isOpen(edge) || visited[parent] === 1) continue;
      settled[node] = count;
      stack.push(node, parent);
      return true;
    }
    return false;
  }

  /** Closes an edge, and with it all edges of nodes that lost their last open edge in or out. */
  #remove(first: number): void {
    const { plan, closed, removed } = this.#at;
    const pending = [first];
    for (let edge = pending.pop(); edge !== undefined; edge = pending.pop()) {
      if (closed[edge] === 1) continue;
      closed[edge] = 1;
      const target = plan.target[edge] ?? -1;
      const source = plan.source[edge] ?? -1;
      if (!plan.incoming[target]?.some((other) => closed[other] === 0)) {
        pending.push(...(plan.outgoing[target] ?? []));
        removed[target] = 1;
      }
      if (!plan.outgoing[source]?.some((other) => closed[other] === 0)) {
        pending.push(...(plan.incoming[source] ?? []));
        removed[source] = 1;
      }
    }
  }
}

/** The order of running of a graph without a switch. */
interface Route {
  /** Node indexes, up to the first output node. */
  readonly order: readonly number[];
  /** Nodes whose outputs make the result, in the order in which they are merged. */
  readonly leaves: readonly number[];
  /** By node index: its parents, newest edge first. */
  readonly parents: readonly (readonly number[])[];
}

/** Goes along a fixed route. */
export function followRoute({ order, leaves, parents }: Route): Path {
  let position = 0;
  return {
    next: () => order[position++] ?? -1,
    close: () => true,
    parents: (node) => parents[node] ?? [],
    leaves: () => leaves,
  };
}

/** Walks a graph without a switch, once for all runs. */
export function routeOf(plan: Plan): Route {
  const walk = new Walk(plan);
  const order: number[] = [];
  for (let node = walk.next(); node >= 0; node = walk.next()) {
    order.push(node);
    if (plan.roles[node] === 'output') break;
  }
  return { order, leaves: walk.leaves(), parents: plan.roles.map((_, node) => walk.parents(node)) };
}

/** The nodes of a cycle, in its order; undefined when there is none. */
export function cycleOf(plan: Plan): number[] | undefined {
  const state = new Uint8Array(plan.roles.length); // 1 on the path, 2 done
  for (let start = 0; start < state.length; start++) {
    if (state[start] !== 0) continue;
    const path = [{ node: start, edge: 0 }];
    state[start] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = plan.outgoing[top.node]?.[top.edge++];
      if (edge === undefined) {
        state[top.node] = 2;
        path.pop();
        continue;
      }
      const child = plan.target[edge] ?? -1;
      if (state[child] === 1) return path.slice(path.findIndex((step) => step.node === child)).map((step) => step.node);
      if (state[child] === 0) {
        state[child] = 1;
        path.push({ node: child, edge: 0 });
      }
    }
  }
  return undefined;
}
