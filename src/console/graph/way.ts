import type { Fault, Model, ModelNode, NodeTrace, Trace } from '../api/types.js';
import { isObject, membersOf, rowsOf, textOf } from './fields.js';

/** What a run did, as the graph shows it. */
export interface Way {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** What tables and switches chose, in few words, by node. */
  readonly summaries: ReadonlyMap<string, string>;
}

/** The way that a run took: nodes of its trace, and the edges between them; out of a switch, those of chosen statements. */
export function wayOf({ edges, nodes }: Model, trace: Trace): Way {
  const switches = new Set(nodes.filter(({ type }) => type === 'switchNode').map(({ id }) => id));
  const reached = new Set(Object.keys(trace));
  const taken = edges.filter(({ sourceId, targetId, sourceHandle }) => {
    if (!reached.has(sourceId) || !reached.has(targetId)) return false;
    if (!switches.has(sourceId)) return true;
    return chosenStatements(trace[sourceId]).has(sourceHandle ?? '');
  });
  const failed = Object.values(trace).filter(({ error }) => error !== undefined);
  return {
    nodes: reached,
    edges: new Set(taken.map(({ id }) => id)),
    failed: new Set(failed.map(({ id }) => id)),
    summaries: new Map(nodes.map((node) => [node.id, summaryOf(node, trace[node.id])])),
  };
}

/** What a node did, in so few words that they stand in it; '' where its kind says enough. */
function summaryOf({ type, content }: ModelNode, nodeTrace: NodeTrace | undefined): string {
  if (nodeTrace === undefined || nodeTrace.error !== undefined) return '';
  const fields = membersOf(content);
  if (type === 'decisionTableNode') {
    const rows = [...matchedRows(nodeTrace)];
    return rows.length === 0 ? 'no row' : rows.length === 1 ? `row ${(rows[0] ?? 0) + 1}` : `${rows.length} rows`;
  }
  if (type !== 'switchNode') return '';
  const chosen = chosenStatements(nodeTrace);
  const way = rowsOf(fields, 'statements').find((statement) => chosen.has(textOf(statement['id'])));
  return way === undefined ? 'no way' : textOf(way['condition']) || 'otherwise';
}

/** The ids of the statements of a switch that a run chose. */
export function chosenStatements(trace: NodeTrace | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  walk(trace?.traceData, (object) => {
    const statements = object['statements'];
    if (!Array.isArray(statements)) return;
    for (const statement of statements as readonly unknown[]) {
      const id = isObject(statement) ? statement['id'] : undefined;
      if (typeof id === 'string') ids.add(id);
    }
  });
  return ids;
}

/** The rows of a table that a run matched, by their indexes. */
export function matchedRows(trace: NodeTrace | undefined): ReadonlySet<number> {
  const rows = new Set<number>();
  walk(trace?.traceData, (object) => {
    // Of a table of DMN, one object has all of its rules.
    for (const { index, rule, id } of 'hitPolicy' in object ? rowsOf(object, 'rules') : [object]) {
      if (typeof index === 'number' && (isObject(rule) || typeof id === 'string')) rows.add(index);
    }
  });
  return rows;
}

/** Traces of loops and of tables that collect are lists of what a single run has. */
function walk(value: unknown, visit: (object: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) walk(item, visit);
  else if (isObject(value)) visit(value);
}

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
