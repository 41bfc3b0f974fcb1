import { conditionsOf } from '../../../workers/models/narrate/conditions.js';
import type { Model, ReplayReport } from '../api/types.js';
import { membersOf, rowsOf, ruleIdOf, textOf } from '../graph/fields.js';
import { Table, type Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';

type Rule = NonNullable<ReplayReport['reach']>['rules'][number];

interface UnreachedProps {
  readonly rules: readonly Rule[];
  readonly decisionId: string;
  /** The version that was replayed. */
  readonly version: number;
}

/** Rules that no recorded fact reaches: they may be dead. */
export function Unreached({ rules, decisionId, version }: UnreachedProps) {
  const { api } = useSession();
  const missed = rules.filter(({ hits }) => hits === 0);
  const { value } = useLoaded(
    async (signal) => (missed.length === 0 ? null : (await api.version(decisionId, version, signal)).content),
    [api, decisionId, version, missed.length],
  );
  if (missed.length === 0) return null;
  const columns: readonly Column<Rule>[] = [
    [
      'Node',
      (rule) => (
        <Link to={`/decisions/${decisionId}?version=${version}&node=${encodeURIComponent(rule.nodeId)}`}>
          {wordsOf(value, rule).node}
        </Link>
      ),
    ],
    ['Rule', (rule) => wordsOf(value, rule).words, 'wrapped'],
  ];
  return (
    <>
      <h2>Rules that no execution reached</h2>
      <Table label="Unreached rules" columns={columns} rows={missed} />
    </>
  );
}

/** The names of a rule's node and of the rule: a row by number and conditions, a way of a switch by its condition. */
function wordsOf(model: Model | null, { nodeId, ruleId }: Rule): { readonly node: string; readonly words: string } {
  const node = model?.nodes.find(({ id }) => id === nodeId);
  const content = membersOf(node?.content);
  const name = node?.name ?? nodeId;
  const row = rowsOf(content, 'rules').findIndex((rule, index) => ruleIdOf(rule, index) === ruleId);
  if (row >= 0) return { node: name, words: [`row ${row + 1}`, conditionsOf(content, row)].filter(Boolean).join(': ') };
  const way = rowsOf(content, 'statements').find((statement, index) => ruleIdOf(statement, index) === ruleId);
  return { node: name, words: way === undefined ? ruleId : textOf(way['condition']) || 'otherwise' };
}
