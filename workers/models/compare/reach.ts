import { member } from '../../json/index.js';
import type { Trace, Value } from '../../engine/index.js';
import { CoverageCounter } from '../coverage.js';
import type { Coverage } from '../coverage.js';
import type { Counted } from './tasks.js';

/** Nodes, and rules, that a report tells of: those that were reached most seldom. */
const shown = 1000;

/** What of a model recorded facts reach. */
interface Reach extends Coverage {
  /** Rules that nothing reached, those that are not shown among them. */
  readonly unreached: number;
}

/**
 * Counts what runs reach, by texts that need no model: a node's id, and with it the number of a row or the id of a statement
 * (JSON).
 */
export class ReachCounter {
  readonly #counts = new Map<string, number>();

  count(trace: Trace): void {
    for (const { id, traceData } of Object.values(trace)) {
      this.#add([id]);
      this.#countRows(id, traceData);
      const statements = member(traceData, 'statements');
      if (Array.isArray(statements)) for (const one of statements) this.#add([id, String(member(one, 'id'))]);
    }
  }

  /** A row, a list of them where several may match, or a list of such lists where the node loops. */
  #countRows(id: string, data: Value): void {
    if (Array.isArray(data)) for (const item of data) this.#countRows(id, item);
    else if (member(data, 'hitPolicy') !== undefined) this.#countRules(id, member(data, 'rules'));
    else {
      const index = member(data, 'index');
      // What an expression gives may have a member of that name, too; only of a row there are references.
      if (typeof index === 'number' && member(data, 'reference_map') !== undefined) this.#add([id, index]);
    }
  }

  /** Of a table of DMN. */
  #countRules(id: string, rules: unknown): void {
    for (const rule of Array.isArray(rules) ? rules : []) {
      const index = member(rule, 'index');
      if (typeof index === 'number') this.#add([id, index]);
    }
  }

  #add(part: readonly (string | number)[]): void {
    const text = JSON.stringify(part);
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  get counts(): Counted[] {
    return [...this.#counts];
  }
}

/** What was counted, held against the model: what nothing reached is there too. @param model parsed */
export function reachOf(model: unknown, counts: readonly Counted[]): Reach {
  const counted = new Map(counts);
  const { nodes, rules } = new CoverageCounter(model).coverage;
  const rows = new Map<string, number>();
  const hitsOf = (...part: (string | number)[]): number => counted.get(JSON.stringify(part)) ?? 0;
  const found = rules.map(({ nodeId, ruleId }) => {
    const row = rows.get(nodeId) ?? 0;
    rows.set(nodeId, row + 1);
    return { nodeId, ruleId, hits: hitsOf(nodeId, row) + hitsOf(nodeId, ruleId) };
  });
  return {
    nodes: seldomest(nodes.map(({ nodeId }) => ({ nodeId, hits: hitsOf(nodeId) }))),
    rules: seldomest(found),
    unreached: found.filter(({ hits }) => hits === 0).length,
  };
}

/** In their order where all are shown. */
function seldomest<Part extends { readonly hits: number }>(parts: readonly Part[]): readonly Part[] {
  return parts.length <= shown ? parts : parts.toSorted((one, other) => one.hits - other.hits).slice(0, shown);
}
