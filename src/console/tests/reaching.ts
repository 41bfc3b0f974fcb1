import type { Model, TestReport, Trace } from '../api/types.js';
import { rowsOf, ruleIdOf, textOf } from '../graph/fields.js';
import { namesRun } from '../editor/called.js';
import { chosenStatements, matchedRows } from '../graph/way.js';

/** What runs of a draft reach: the service counts it for what is stored alone. */
export class Reaching {
  readonly #nodes = new Set<string>();
  readonly #rows = new Map<string, Set<number>>();
  readonly #ways = new Map<string, Set<string>>();

  see({ nodes }: Pick<Model, 'nodes'>, trace: Trace): void {
    for (const { id, type } of nodes) {
      const own = trace[id];
      if (own === undefined) continue;
      this.#nodes.add(id);
      if (type === 'switchNode') this.#ways.set(id, union(this.#ways.get(id), chosenStatements(own)));
      else if (type === 'decisionTableNode') this.#rows.set(id, union(this.#rows.get(id), matchedRows(own)));
    }
  }

  coverage({ nodes }: Pick<Model, 'nodes'>): TestReport['coverage'] {
    const uncounted = namesRun(nodes);
    return {
      ...(uncounted.length > 0 && { uncounted: [...uncounted] }),
      nodes: nodes
        .filter(({ type }) => !['inputNode', 'outputNode'].includes(type))
        .map(({ id: nodeId }) => ({ nodeId, hits: Number(this.#nodes.has(nodeId)) })),
      rules: nodes.flatMap(({ id: nodeId, type, content }) => {
        const isSwitch = type === 'switchNode';
        if (!isSwitch && type !== 'decisionTableNode') return [];
        return rowsOf(content, isSwitch ? 'statements' : 'rules').map((rule, index) => {
          const isHit = isSwitch ? this.#ways.get(nodeId)?.has(textOf(rule['id'])) : this.#rows.get(nodeId)?.has(index);
          return { nodeId, ruleId: ruleIdOf(rule, index), hits: Number(isHit === true) };
        });
      }),
    };
  }
}

const union = <Item>(one: ReadonlySet<Item> = new Set(), other: ReadonlySet<Item>): Set<Item> =>
  new Set([...one, ...other]);
