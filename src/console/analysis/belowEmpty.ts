import type { Analysis } from '../api/types.js';
import { isLastRowTheRest } from '../editor/gapRow.js';
import { ruleIdOf, rowsOf, ruleIndexes, textOf } from '../graph/fields.js';

type Finding = Analysis['tables'][number]['findings'][number];

interface BelowEmpty {
  /** A row without conditions, above others; null where there is none. */
  readonly empty: { readonly row: number; readonly rule: string } | null;
  /** The findings, those of the rows below it as one that names it. */
  readonly told: readonly Finding[];
}

/** One empty row hides all rows below it: it is the one to be filled or deleted, and not each of them. */
export function belowEmpty(findings: readonly Finding[], content: unknown): BelowEmpty {
  const rules = rowsOf(content, 'rules');
  const inputs = rowsOf(content, 'inputs').map(({ id }) => textOf(id));
  const row = isLastRowTheRest(content)
    ? rules.findIndex((rule) => inputs.every((id) => /^-?$/.test(textOf(rule[id]).trim())))
    : -1;
  const rows = ruleIndexes(rules);
  const isBelow = ({ kind, status, rules: [rule = ''] }: Finding): boolean =>
    row >= 0 && kind === 'shadowed' && status === 'proved' && (rows.get(rule) ?? -1) > row;
  const below = findings.filter(isBelow);
  const [first] = below;
  const found = rules[row];
  // Of one row it is said which, and that row may as well be the one that is wrong.
  if (first === undefined || found === undefined || below.length < 2) return { empty: null, told: findings };
  const message = `Row ${row + 1} is empty and takes everything: the rows below it are never reached`;
  const all = { ...first, rules: below.flatMap((each) => each.rules), message, witness: null };
  return {
    empty: { row, rule: ruleIdOf(found, row) },
    told: findings.flatMap((each) => (each === first ? [all] : isBelow(each) ? [] : [each])),
  };
}
