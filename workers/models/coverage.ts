import { member, recordsIn } from '../json/index.js';
import { dmnOf, reachableIn, readDefinitions, rowsIn, subDecisionKeys, tried, type Trace } from '../engine/index.js';
import type { Hits } from './tasks.js';

/** What tests reach, as a report has it. */
export interface Coverage {
  readonly nodes: readonly { readonly nodeId: string; readonly hits: number }[];
  /** Rows of tables, statements of switches. */
  readonly rules: readonly { readonly nodeId: string; readonly ruleId: string; readonly hits: number }[];
  /** The decisions that it runs, as its nodes name them: nothing of those is counted. Absent where there are none. */
  readonly uncounted?: readonly string[];
}

interface CoveredRule {
  readonly nodeId: string;
  readonly ruleId: string;
  hits: number;
}

/** Counts which nodes, rows of tables and statements of switches the runs of one model reached. */
export class CoverageCounter {
  readonly #nodes = new Map<string, { readonly nodeId: string; hits: number }>();
  /** By node: rows in their order, statements by their ids. */
  readonly #rows = new Map<string, CoveredRule[]>();
  readonly #statements = new Map<string, Map<string, CoveredRule>>();
  readonly #uncounted: readonly string[];

  /**
   * @param model parsed; whatever is no node, row or statement in it is ignored
   * @param earlier the hits of runs of the same model that another counter has counted
   */
  constructor(model: unknown, earlier: Hits = new Uint32Array(0)) {
    this.#uncounted = subDecisionKeys(model);
    for (const node of recordsIn(member(model, 'nodes'))) {
      const { id, type, content } = node;
      if (typeof id !== 'string' || this.#nodes.has(id)) continue;
      this.#nodes.set(id, { nodeId: id, hits: 0 });
      if (type === 'decisionTableNode') this.#addRows(id, member(content, 'rules'));
      if (type === 'switchNode') this.#addStatements(id, member(content, 'statements'));
    }
    for (const { id, rules } of reachableOf(model)) {
      this.#nodes.set(id, { nodeId: id, hits: 0 });
      this.#rows.set(
        id,
        rules.map((ruleId) => ({ nodeId: id, ruleId, hits: 0 })),
      );
    }
    this.#counted.forEach((counted, index) => (counted.hits = earlier[index] ?? 0));
  }

  /** Counts one run. */
  count(trace: Trace): void {
    for (const { id, traceData } of Object.values(trace)) {
      const node = this.#nodes.get(id);
      if (node === undefined) continue;
      node.hits++;
      const rows = this.#rows.get(id);
      for (const index of rows === undefined ? [] : rowsIn(traceData)) {
        const row = rows?.[index];
        if (row !== undefined) row.hits++;
      }
      const statements = this.#statements.get(id);
      for (const statement of recordsIn(member(traceData, 'statements'))) {
        const counted = statements?.get(String(statement['id']));
        if (counted !== undefined) counted.hits++;
      }
    }
  }

  /** The hits of all nodes, then of all rules, in the order of `coverage`: four bytes each. */
  get hits(): Hits {
    return Uint32Array.from(this.#counted, ({ hits }) => hits);
  }

  get coverage(): Coverage {
    const own = { nodes: [...this.#nodes.values()], rules: this.#rules };
    return this.#uncounted.length === 0 ? own : { ...own, uncounted: this.#uncounted };
  }

  get #counted(): { hits: number }[] {
    return [...this.#nodes.values(), ...this.#rules];
  }

  get #rules(): CoveredRule[] {
    return [...this.#nodes.keys()].flatMap((id) => [
      ...(this.#rows.get(id) ?? []),
      ...(this.#statements.get(id)?.values() ?? []),
    ]);
  }

  #addRows(nodeId: string, rules: unknown): void {
    const rows = recordsIn(rules).map((rule, index) => {
      const { _id: id } = rule;
      return { nodeId, ruleId: typeof id === 'string' && id !== '' ? id : String(index), hits: 0 };
    });
    this.#rows.set(nodeId, rows);
  }

  #addStatements(nodeId: string, statements: unknown): void {
    const byId = new Map<string, CoveredRule>();
    for (const { id } of recordsIn(statements)) {
      if (typeof id === 'string' && !byId.has(id)) byId.set(id, { nodeId, ruleId: id, hits: 0 });
    }
    this.#statements.set(nodeId, byId);
  }
}

/** The logic of a DMN document; none where it is no document. */
function reachableOf(model: unknown): ReturnType<typeof reachableIn> {
  const xml = dmnOf(model);
  return (xml === undefined ? undefined : tried(() => reachableIn(readDefinitions(xml)))) ?? [];
}
