import type { Model, ModelNode, ModelTest, TestReport } from '../api/types.js';
import { uncountedText } from '../../changes/uncounted.js';
import { freshName, rowsOf, ruleIdOf, someOf } from '../graph/fields.js';

/** What no test reaches. */
export interface Missed {
  /** The ids of nodes, those with rows that no test reaches among them. */
  readonly nodes: ReadonlySet<string>;
  /** The ids of rows and statements, by their nodes. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
  /** In words, a line for each node. */
  readonly lines: readonly Record<'nodeId' | 'name' | 'text', string>[];
  /** Of which rows it is not told, in words; null where it is told of all. */
  readonly uncounted: string | null;
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
  const uncounted = uncountedText(coverage.uncounted ?? []);
  return { nodes: new Set([...missedNodes, ...rules.keys()]), rules, lines, uncounted };
}

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
