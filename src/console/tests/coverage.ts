import type { Model, ModelNode, ModelTest, TestReport, Trace } from '../api/types.js';
import { freshName, rowsOf, ruleIdOf, someOf, textOf } from '../graph/fields.js';
import { chosenStatements, matchedRows } from '../graph/way.js';

/** What no test reaches. */
export interface Missed {
  /** The ids of nodes, those with rows that no test reaches among them. */
  readonly nodes: ReadonlySet<string>;
  /** The ids of rows and statements, by their nodes. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
  /** In words, a line for each node. */
  readonly lines: readonly Record<'nodeId' | 'name' | 'text', string>[];
}

const maxNamed = 12;

export function missedOf({ nodes }: Pick<Model, 'nodes'>, { coverage }: Pick<TestReport, 'coverage'>): Missed {
  const missedNodes = new Set(coverage.nodes.filter(({ hits }) => hits === 0).map(({ nodeId }) => nodeId));
  const rules = new Map<string, Set<string>>();
  for (const { nodeId, ruleId, hits } of coverage.rules) {
    if (hits > 0) continue;
    const found = rules.get(nodeId) ?? new Set<string>();
    rules.set(nodeId, found.add(ruleId));
  }
  const lines = nodes.flatMap((node) => {
    const missed = rules.get(node.id);
    const { id: nodeId, name } = node;
    if (missedNodes.has(nodeId)) return [{ nodeId, name, text: 'no test comes here' }];
    return missed === undefined ? [] : [{ nodeId, name, text: wordsOf(node, missed) }];
  });
  return { nodes: new Set([...missedNodes, ...rules.keys()]), rules, lines };
}

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
    return {
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

function wordsOf({ type, content }: ModelNode, missed: ReadonlySet<string>): string {
  const isSwitch = type === 'switchNode';
  const rules = rowsOf(content, isSwitch ? 'statements' : 'rules');
  const numbers = rules.flatMap((rule, index) => (missed.has(ruleIdOf(rule, index)) ? [index + 1] : []));
  const noun = `${isSwitch ? 'statement' : 'row'}${numbers.length === 1 ? '' : 's'}`;
  return `no test reaches ${noun} ${someOf(numbers, maxNamed)}`;
}

/** A name that no test has yet. */
export const freshTestName = (tests: readonly ModelTest[]): string =>
  freshName(
    'test ',
    tests.length + 1,
    tests.map(({ name }) => name),
  );
